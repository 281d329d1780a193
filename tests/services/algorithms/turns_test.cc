// Whole turns and what may follow them: known numbers of ends, and bounds on the work.
#include "services/algorithms/turns.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "services/algorithms/lookahead.h"
#include "tests/services/algorithms/rulesets.h"

namespace astragal::algorithms {
namespace {

// The position after a roll in notation.
host::Position Rolled(const host::Ruleset& ruleset, const std::string& text,
                      const std::string& roll) {
  absl::StatusOr<host::Position> position = ruleset.ParsePosition(text);
  EXPECT_TRUE(position.ok()) << position.status();
  const auto action = ruleset.Parse(*position, host::kChance, roll);
  EXPECT_TRUE(action.ok()) << action.status();
  EXPECT_TRUE(ruleset.Apply(*position, host::kChance, *action).ok());
  return *std::move(position);
}

constexpr const char* kStart =
    "white 24:15 black 24:15 roll white first both head_first_turn=doubles_346";
// Fifteen single checkers with nothing in their way.
constexpr const char* kWidest =
    "white 24:1 23:1 22:1 21:1 20:1 18:1 17:1 16:1 15:1 14:1 12:1 11:1 10:1 9:1 8:1 black 1:1 "
    "roll white";

struct Turn {
  const char* name;
  const char* position;
  const char* roll;
  size_t ends;
  size_t actions;  // of each way
};
// The ends of the rule sheet's first-turn table, and of a double that the benchmark counts too.
const Turn kTurns[] = {{"FirstTurn21", kStart, "2-1", 1, 2},
                       {"FirstTurn33", kStart, "3-3", 2, 4},
                       {"FirstTurn66", kStart, "6-6", 1, 2},
                       {"Widest11", kWidest, "1-1", 1307, 4}};

class Turns : public testing::TestWithParam<Turn> {};

TEST_P(Turns, EndsAreDistinctAndReachedByTheirPaths) {
  const auto ruleset = tests::OpenRuleset("long_narde");
  ASSERT_NE(ruleset, nullptr);
  const host::Position start = Rolled(*ruleset, GetParam().position, GetParam().roll);
  std::vector<std::pair<host::Position, std::vector<int64_t>>> ends;
  TurnSearch search(*ruleset);
  const absl::Status status =
      search.ForEachEnd(start, [&](const host::Position& end, absl::Span<const int64_t> path) {
        ends.emplace_back(end, std::vector<int64_t>(path.begin(), path.end()));
      });
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(ends.size(), GetParam().ends);
  std::set<std::string> distinct;
  for (const auto& [end, path] : ends) {
    distinct.insert(std::string(end.bytes()));
    EXPECT_EQ(path.size(), GetParam().actions);
    host::Position position = start;
    for (const int64_t action : path) {
      ASSERT_EQ(ruleset->Actor(position), 0);
      ASSERT_TRUE(ruleset->Apply(position, 0, action).ok());
    }
    EXPECT_EQ(position, end);
  }
  EXPECT_EQ(distinct.size(), ends.size());
  EXPECT_GE(search.positions(), ends.size());
}

INSTANTIATE_TEST_SUITE_P(LongNarde, Turns, testing::ValuesIn(kTurns),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(LookaheadTest, AveragesOverTheThrowsOfTheOtherSeat) {
  const auto ruleset = tests::OpenRuleset("long_narde");
  ASSERT_NE(ruleset, nullptr);
  // One checker each, on the last point, and Black is to roll.
  const auto lost = ruleset->ParsePosition("white 1:1 black 1:1 roll black");
  ASSERT_TRUE(lost.ok()) << lost.status();
  TurnSearch search(*ruleset);
  const auto for_white = Lookahead(*ruleset, search, 0).After(*lost);
  const auto for_black = Lookahead(*ruleset, search, 1).After(*lost);
  ASSERT_TRUE(for_white.ok() && for_black.ok());
  EXPECT_EQ(*for_white, 0) << "Black bears off with every roll";
  EXPECT_DOUBLE_EQ(*for_black, 1000 + 50);
}

TEST(LookaheadTest, WorkIsBounded) {
  for (const char* id : {"long_narde", "ashtapada"}) {
    const auto ruleset = tests::OpenRuleset(id);
    ASSERT_NE(ruleset, nullptr);
    const bool is_narde = std::string(id) == "long_narde";
    const auto position = ruleset->ParsePosition(
        is_narde ? kWidest
                 : "throw=south south=1,5,9,11,15,19,22,31 north=1,5,9,11,15,19,22,31 pieces=8");
    ASSERT_TRUE(position.ok()) << position.status();
    TurnSearch search(*ruleset);
    const auto value = Lookahead(*ruleset, search, 1).After(*position);
    ASSERT_TRUE(value.ok()) << value.status();
    EXPECT_GT(search.positions(), 100u);
    EXPECT_LE(search.positions(), Lookahead::kMaxPositions + 2 * TurnSearch::kMaxPositions) << id;
  }
}

}  // namespace
}  // namespace astragal::algorithms
