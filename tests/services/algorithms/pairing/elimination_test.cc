// Brackets of every size from 2 to 257 with random results, walk-overs and withdrawals: they end,
// with one winner and the right number of matches.
#include "services/algorithms/pairing/elimination.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace astragal::algorithms {
namespace {

using testing::ElementsAre;

struct Played {
  BracketState state;
  int matches = 0;  // between two who were there
};

// Plays a bracket: each ready match gets a random result; `double_forfeits` of a hundred have none.
Played PlayAtRandom(const BracketPlan& plan, std::mt19937_64& random, int double_forfeits) {
  std::vector<BracketResult> results(plan.matches.size());
  Played played{EvaluateBracket(plan, results)};
  while (!played.state.over) {
    std::vector<size_t> ready;
    for (size_t i = 0; i < plan.matches.size(); ++i) {
      if (played.state.matches[i].status == MatchStatus::kReady) ready.push_back(i);
    }
    if (ready.empty()) return played;  // stuck: the caller finds it
    for (const size_t match : ready) {
      const bool nobody = static_cast<int>(random() % 100) < double_forfeits;
      results[match] = nobody              ? BracketResult::kNobodyWins
                       : random() % 2 == 0 ? BracketResult::kFirstWins
                                           : BracketResult::kSecondWins;
    }
    played.state = EvaluateBracket(plan, results);
  }
  for (const BracketMatchState& match : played.state.matches) {
    played.matches += match.status == MatchStatus::kDecided;
  }
  return played;
}

TEST(EliminationTest, SeedsMeetAsLateAsTheyCan) {
  EXPECT_THAT(SeedOrder(8), ElementsAre(0, 7, 3, 4, 1, 6, 2, 5));
  EXPECT_THAT(SeedOrder(16), ElementsAre(0, 15, 7, 8, 3, 12, 4, 11, 1, 14, 6, 9, 2, 13, 5, 10));
}

TEST(EliminationTest, EveryLossIsAMatchAndOneIsLeft) {
  std::mt19937_64 random(7);
  for (int entrants = 2; entrants <= 257; ++entrants) {
    const Played single = PlayAtRandom(PlanBracket(entrants, {}), random, 0);
    ASSERT_TRUE(single.state.over) << entrants;
    EXPECT_NE(single.state.winner, kNobody) << entrants;
    EXPECT_EQ(single.matches, entrants - 1) << entrants;

    const BracketPlan plan = PlanBracket(entrants, {.lower = true});
    const Played twice = PlayAtRandom(plan, random, 0);
    ASSERT_TRUE(twice.state.over) << entrants;
    std::map<int, int> losses;
    for (const BracketMatchState& match : twice.state.matches) {
      if (match.status == MatchStatus::kDecided) ++losses[match.loser];
    }
    const int of_winner = losses[twice.state.winner];
    EXPECT_LE(of_winner, 1) << entrants;
    EXPECT_EQ(twice.matches, 2 * entrants - 2 + of_winner) << entrants;
    for (int i = 0; i < entrants; ++i) {
      if (i == twice.state.winner) continue;
      EXPECT_EQ(losses[i], 2) << entrants << ", player " << i;
    }
  }
}

TEST(EliminationTest, WalkOversTravel) {
  std::mt19937_64 random(11);
  for (int entrants = 2; entrants <= 257; ++entrants) {
    for (const bool lower : {false, true}) {
      const BracketPlan plan = PlanBracket(entrants, {.lower = lower,
                                                      .third_place = !lower,
                                                      .consolation_rounds = lower ? 0 : 2,
                                                      .last_chance_rounds = lower ? 0 : 2});
      EXPECT_TRUE(PlayAtRandom(plan, random, 10).state.over) << entrants;
      // Who is out loses whatever comes; somebody wins as long as somebody is in.
      std::vector<bool> out(static_cast<size_t>(entrants), true);
      const int last = static_cast<int>(random() % static_cast<uint64_t>(entrants));
      out[last] = false;
      const BracketState alone = EvaluateBracket(plan, {}, out);
      EXPECT_TRUE(alone.over) << entrants;
      EXPECT_EQ(alone.winner, last) << entrants;
      out[last] = true;
      const BracketState nobody = EvaluateBracket(plan, {}, out);
      EXPECT_TRUE(nobody.over) << entrants;
      EXPECT_EQ(nobody.winner, kNobody) << entrants;
    }
  }
}

TEST(EliminationTest, TheUndefeatedMustBeBeatenTwiceUnlessSaidOtherwise) {
  // Two entrants: the main match, then the final against the same one.
  using enum BracketResult;
  const BracketPlan plan = PlanBracket(2, {.lower = true});
  ASSERT_EQ(plan.matches.size(), 3u);
  EXPECT_TRUE(plan.matches[2].if_needed);
  EXPECT_EQ(EvaluateBracket(plan, {kFirstWins, kFirstWins}).winner, 0);
  const BracketState open = EvaluateBracket(plan, {kFirstWins, kSecondWins});
  EXPECT_FALSE(open.over);
  EXPECT_EQ(open.matches[2].status, MatchStatus::kReady);
  EXPECT_EQ(EvaluateBracket(plan, {kFirstWins, kSecondWins, kFirstWins}).winner, 0);
  EXPECT_EQ(EvaluateBracket(plan, {kFirstWins, kSecondWins, kSecondWins}).winner, 1);
  const BracketPlan once = PlanBracket(2, {.lower = true, .reset = false});
  EXPECT_EQ(EvaluateBracket(once, {kFirstWins, kSecondWins}).winner, 1);
}

TEST(EliminationTest, ACorrectedResultDropsWhatItUndoes) {
  using enum BracketResult;
  const BracketPlan plan = PlanBracket(4, {});
  const std::vector<std::array<int, 2>> given = {{0, 3}, {1, 2}, {0, 1}};
  const BracketState before =
      EvaluateBracket(plan, {kFirstWins, kFirstWins, kFirstWins}, {}, given);
  EXPECT_EQ(before.winner, 0);
  const BracketState after =
      EvaluateBracket(plan, {kSecondWins, kFirstWins, kFirstWins}, {}, given);
  EXPECT_THAT(after.dropped, ElementsAre(2));
  EXPECT_EQ(after.matches[2].status, MatchStatus::kReady);
  EXPECT_EQ(after.matches[2].players[0], 3);
}

// In a double elimination those who met in the main stage meet again as late as can be: not before
// the last rounds of the lower one.
TEST(EliminationTest, NoEarlyRematch) {
  std::mt19937_64 random(13);
  for (const int entrants : {8, 16, 32, 64, 128, 256}) {
    const BracketPlan plan = PlanBracket(entrants, {.lower = true});
    int rounds = 0;
    for (const BracketMatch& match : plan.matches) {
      if (match.stage == BracketStage::kLower) rounds = std::max(rounds, match.round + 1);
    }
    for (int event = 0; event < 40; ++event) {
      const Played played = PlayAtRandom(plan, random, 0);
      std::set<std::pair<int, int>> met;
      for (size_t i = 0; i < plan.matches.size(); ++i) {
        const auto [a, b] = played.state.matches[i].players;
        const bool again = !met.insert(std::minmax(a, b)).second;
        if (!again || plan.matches[i].stage != BracketStage::kLower) continue;
        EXPECT_GE(plan.matches[i].round, rounds / 2) << entrants << " entrants, event " << event;
      }
    }
  }
}

TEST(EliminationTest, PlacesAreShared) {
  using enum BracketResult;
  const BracketPlan plan = PlanBracket(8, {.third_place = true});
  const BracketState state = EvaluateBracket(plan, std::vector<BracketResult>(8, kFirstWins));
  ASSERT_TRUE(state.over);
  EXPECT_THAT(BracketPlaces(plan, state), ElementsAre(1, 2, 4, 3, 5, 5, 5, 5));
}

}  // namespace
}  // namespace astragal::algorithms
