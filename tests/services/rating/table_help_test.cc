// Whether the statistic of tables finds somebody who plays for another one, and nobody else.
#include "services/core/table_help.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "plugins/host/library.h"
#include "services/algorithms/bots.h"

namespace astragal::core {
namespace {

using algorithms::PlayRandom;
using base::PlayerId;
using storage::SeatRecord;

std::shared_ptr<const host::Ruleset> Ashtapada() {
  auto library = host::OpenLibrary({"", ASTRAGAL_BUILD_DIR "/plugins/libashtapada.so"});
  EXPECT_TRUE(library.ok()) << library.status();
  return *library;
}

// Which of these actions a seat chooses.
using Choose = std::function<int64_t(const host::Ruleset& ruleset, const host::Position& before,
                                     const std::vector<int64_t>& actions, PlayRandom& random)>;

int64_t ByChance(const host::Ruleset&, const host::Position&, const std::vector<int64_t>& actions,
                 PlayRandom& random) {
  return actions[random.Below(actions.size())];
}

// What is best for this seat, whoever is to act.
Choose For(int seat) {
  return [seat](const host::Ruleset& ruleset, const host::Position& before,
                const std::vector<int64_t>& actions, PlayRandom&) {
    int64_t best = actions[0];
    int most = -1;
    for (const int64_t action : actions) {
      host::Position after = before;
      EXPECT_TRUE(ruleset.Apply(after, ruleset.Actor(before), action).ok());
      const int chance = ruleset.Evaluate(after, seat).value_or(0);
      if (chance <= most) continue;
      most = chance;
      best = action;
    }
    return best;
  };
}

class TableHelpTest : public testing::Test {
 protected:
  TableHelpTest() {
    for (int8_t seat = 0; seat < 4; ++seat) {
      base::IdBytes id{};
      id[0] = static_cast<uint8_t>(seat + 1);
      seats_.push_back({seat, PlayerId(id), 0, 0});
      players_.push_back(seats_.back().player);
    }
  }

  // Seat 0 chooses so, the others each for themselves or by chance.
  TableHelp Play(const Choose& first, int games, int64_t estimates = HelpTally::kMaxEstimates) {
    HelpTally tally(players_[0], estimates);
    PlayRandom random(3);
    const std::vector<int64_t> options = ruleset_->ResolveOptions("", {{"players", "4"}}).value();
    for (int game = 0; game < games; ++game) {
      tally.BeginMatch(players_);
      auto position = ruleset_->Start(options);
      EXPECT_TRUE(position.ok()) << position.status();
      if (!position.ok()) break;
      EXPECT_EQ(ruleset_->Seats(*position), 4);
      for (int step = 0; step < 4'000 && ruleset_->Actor(*position) != host::kOver; ++step) {
        Step(*position, first, tally, random);
      }
    }
    return tally.Sum();
  }

  void Step(host::Position& position, const Choose& first, HelpTally& tally, PlayRandom& random) {
    const int actor = ruleset_->Actor(position);
    if (actor == host::kChance) {
      const int kind = ruleset_->ThrowKind(position).value_or(0);
      const host::ThrowKind& thrown = ruleset_->about().throw_kinds[static_cast<size_t>(kind)];
      uint64_t share = random.Below(thrown.total_weight);
      size_t outcome = 0;
      while (share >= thrown.weights[outcome]) share -= thrown.weights[outcome++];
      ASSERT_TRUE(
          ruleset_
              ->Apply(position, host::kChance, host::ChanceAction(kind, static_cast<int>(outcome)))
              .ok());
      return;
    }
    const auto actions = ruleset_->Actions(position);
    ASSERT_TRUE(actions.ok() && !actions->empty());
    const Choose& choose = actor == 0 ? first : Choose(ByChance);
    const int64_t action = choose(*ruleset_, position, *actions, random);
    if (actor == 0) tally.Add(*ruleset_, position, seats_, 0, action);
    ASSERT_TRUE(ruleset_->Apply(position, actor, action).ok());
  }

  const HelpGiven& Of(const TableHelp& help, size_t seat) {
    const auto found = std::ranges::find(help.others, players_[seat], &HelpGiven::player);
    return found == help.others.end() ? none_ : *found;
  }

  const std::shared_ptr<const host::Ruleset> ruleset_ = Ashtapada();
  std::vector<SeatRecord> seats_;
  std::vector<PlayerId> players_;
  const HelpGiven none_;
};

TEST_F(TableHelpTest, WhoPlaysForAnotherOneStandsOut) {
  const TableHelp help = Play(For(2), 20);
  EXPECT_EQ(help.matches, 20);
  EXPECT_FALSE(help.cut_short);
  EXPECT_GT(help.choices, help.costly);
  ASSERT_GT(help.costly, 100);
  EXPECT_EQ(help.others[0].player, players_[2]);
  EXPECT_GT(help.others[0].Surprise(), 3);
  EXPECT_GT(help.others[0].gain, 0);
  EXPECT_GE(help.others[0].cost, help.others[0].helped * HelpTally::kCostly);
  for (const size_t seat : {1, 3}) EXPECT_LT(Of(help, seat).Surprise(), 3) << seat;
  for (const HelpGiven& other : help.others) EXPECT_EQ(other.matches, 20);
}

TEST_F(TableHelpTest, WhoBlundersByChanceHelpsNobodyMoreThanOthers) {
  const TableHelp help = Play(ByChance, 20);
  ASSERT_GT(help.costly, 100);
  for (const HelpGiven& other : help.others) EXPECT_LT(other.Surprise(), 3);
}

TEST_F(TableHelpTest, WhoPlaysForHimselfMakesNoCostlyChoices) {
  const TableHelp help = Play(For(0), 2);
  EXPECT_GT(help.choices, 50);
  EXPECT_EQ(help.costly, 0);
  for (const HelpGiven& other : help.others) EXPECT_EQ(other.Surprise(), 0);
}

TEST_F(TableHelpTest, TheWorkIsBounded) {
  const TableHelp help = Play(ByChance, 2, 100);
  EXPECT_TRUE(help.cut_short);
  EXPECT_LE(help.choices, 50);
}

}  // namespace
}  // namespace astragal::core
