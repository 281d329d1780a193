#include "services/algorithms/selfplay.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "services/algorithms/bots.h"
#include "tests/services/algorithms/rulesets.h"

namespace astragal::algorithms {
namespace {

SelfPlay Games(const host::Ruleset& ruleset, std::vector<std::string> bots, uint64_t games) {
  SelfPlay play;
  play.options = *ruleset.ResolveOptions("", {});
  play.bots = std::move(bots);
  play.games = games;
  play.seed = 20261130;
  return play;
}

struct Pairing {
  const char* name;
  const char* ruleset;
  const char* stronger;
  const char* weaker;
  uint64_t games;
  double least;  // share of the games that the stronger one wins
};

// The shares of the long runs are in the room's README; these are the same seeds, cut short, and
// bounds that a run of this length keeps with room to spare.
const Pairing kPairings[] = {
    {"LongNardeGreedyRandom", "long_narde", "greedy", "random", 200, 0.90},
    {"PatolliGreedyRandom", "patolli", "greedy", "random", 500, 0.75},
    {"PatolliExpectimaxRandom", "patolli", "expectimax", "random", 50, 0.75},
    {"LongNardeExpectimaxRandom", "long_narde", "expectimax", "random", 8, 0.85},
    {"AshtapadaGreedyRandom", "ashtapada", "greedy", "random", 100, 0.95},
    {"LongNardeExpectimaxGreedy", "long_narde", "expectimax", "greedy", 30, 0.5},
    {"PatolliExpectimaxGreedy", "patolli", "expectimax", "greedy", 150, 0.5},
    {"AshtapadaExpectimaxGreedy", "ashtapada", "expectimax", "greedy", 30, 0.5},
};

class StrengthTest : public testing::TestWithParam<Pairing> {};

TEST_P(StrengthTest, TheStrongerBotWins) {
  const Pairing& pairing = GetParam();
  const auto ruleset = tests::OpenRuleset(pairing.ruleset);
  ASSERT_NE(ruleset, nullptr);
  const auto report =
      RunSelfPlay(*ruleset, Games(*ruleset, {pairing.stronger, pairing.weaker}, pairing.games));
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->games, pairing.games);
  EXPECT_GE(static_cast<double>(report->wins_by_bot[0]),
            pairing.least * static_cast<double>(pairing.games));
}

INSTANTIATE_TEST_SUITE_P(Bots, StrengthTest, testing::ValuesIn(kPairings),
                         [](const auto& test) { return test.param.name; });

TEST(SelfPlayTest, TheReportAddsUp) {
  const auto ruleset = tests::OpenRuleset("patolli");
  ASSERT_NE(ruleset, nullptr);
  uint64_t told = 0;
  SelfPlay play = Games(*ruleset, {"random"}, 50);
  play.progress = [&](uint64_t done) { told = done; };
  const auto report = RunSelfPlay(*ruleset, play);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(told, 50u);
  const uint64_t wins =
      std::accumulate(report->wins_by_seat.begin(), report->wins_by_seat.end(), uint64_t{0});
  EXPECT_EQ(wins + report->draws, 50u);
  uint64_t throws = 0;
  for (const auto& kind : report->outcomes) {
    throws = std::accumulate(kind.begin(), kind.end(), throws);
  }
  EXPECT_EQ(throws, report->throws);
  EXPECT_LE(report->shortest * 50, report->actions + report->throws);
  EXPECT_GE(report->longest * 50, report->actions + report->throws);
}

TEST(SelfPlayTest, OneSeedGivesTheSameGames) {
  const auto ruleset = tests::OpenRuleset("patolli");
  ASSERT_NE(ruleset, nullptr);
  const auto first = RunSelfPlay(*ruleset, Games(*ruleset, {"greedy", "random"}, 20));
  const auto second = RunSelfPlay(*ruleset, Games(*ruleset, {"greedy", "random"}, 20));
  SelfPlay other = Games(*ruleset, {"greedy", "random"}, 20);
  other.seed = 5;
  const auto third = RunSelfPlay(*ruleset, other);
  ASSERT_TRUE(first.ok() && second.ok() && third.ok());
  EXPECT_EQ(first->outcomes, second->outcomes);
  EXPECT_EQ(first->wins_by_bot, second->wins_by_bot);
  EXPECT_NE(first->outcomes, third->outcomes);
}

TEST(SelfPlayTest, RefusesWhatItDoesNotKnow) {
  const auto ruleset = tests::OpenRuleset("long_narde");
  ASSERT_NE(ruleset, nullptr);
  EXPECT_EQ(RunSelfPlay(*ruleset, Games(*ruleset, {"clever"}, 1)).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      RunSelfPlay(*ruleset, Games(*ruleset, {"random", "random", "random"}, 1)).status().code(),
      absl::StatusCode::kInvalidArgument);
  SelfPlay play = Games(*ruleset, {"random"}, 1);
  play.options[0] = 99;
  EXPECT_FALSE(RunSelfPlay(*ruleset, play).ok());
}

TEST(BotTest, ChoosesALegalActionInEveryPosition) {
  for (const char* id : {"long_narde", "patolli", "ashtapada"}) {
    const auto ruleset = tests::OpenRuleset(id);
    ASSERT_NE(ruleset, nullptr);
    for (const std::string& name : BotNames()) {
      // RunSelfPlay applies every choice and fails on an illegal one.
      EXPECT_TRUE(RunSelfPlay(*ruleset, Games(*ruleset, {name}, 2)).ok()) << id << " " << name;
    }
  }
}

// A turn is decided on once and played action by action: what comes in between must not matter.
TEST(BotTest, APlanIsDroppedWhenTheGameIsAnother) {
  const auto ruleset = tests::OpenRuleset("long_narde");
  ASSERT_NE(ruleset, nullptr);
  const std::string moving = "white 24:15 black 24:15 move white 2-1 left 2-1 first both";
  const auto one = ruleset->ParsePosition(moving);
  const auto other =
      ruleset->ParsePosition("white 24:10 20:5 black 24:15 move white 5-5 left 5-5-5-5");
  ASSERT_TRUE(one.ok()) << one.status();
  ASSERT_TRUE(other.ok()) << other.status();
  for (const char* name : {"greedy", "expectimax"}) {
    const auto bot = *MakeBot(name, 1);
    const auto alone = *MakeBot(name, 1);
    host::Position first = *one;
    host::Position second = *other;
    for (int i = 0; i < 2; ++i) {
      for (host::Position* position : {&first, &second}) {
        const auto action = bot->Choose(*ruleset, *position);
        ASSERT_TRUE(action.ok()) << action.status();
        EXPECT_TRUE(ruleset->Apply(*position, ruleset->Actor(*position), *action).ok());
      }
    }
    host::Position undisturbed = *one;
    while (ruleset->Actor(undisturbed) == 0) {
      ASSERT_TRUE(ruleset->Apply(undisturbed, 0, *alone->Choose(*ruleset, undisturbed)).ok());
    }
    EXPECT_EQ(first, undisturbed) << name;
  }
}

}  // namespace
}  // namespace astragal::algorithms
