// Arenas, ladders and tables of three and four, as tables of named cases and from seeds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "services/algorithms/pairing/arena.h"
#include "services/algorithms/pairing/ladder.h"
#include "services/algorithms/pairing/tables.h"

namespace astragal::algorithms {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<Outcome> Outcomes(const std::string& letters) {
  std::vector<Outcome> outcomes;
  for (const char letter : letters) {
    outcomes.push_back(letter == 'W'   ? Outcome::kWin
                       : letter == 'D' ? Outcome::kDraw
                                       : Outcome::kLoss);
  }
  return outcomes;
}

TEST(ArenaTest, Points) {
  EXPECT_THAT(ArenaPoints(ArenaScoring::kStreaks, Outcomes("WLWWDWWWW")),
              ElementsAre(2, 0, 2, 2, 2, 2, 2, 4, 4));
  EXPECT_THAT(ArenaPoints(ArenaScoring::kPlain, Outcomes("WLWWD")), ElementsAre(1, 0, 1, 1, 0));
  EXPECT_THAT(ArenaPoints(ArenaScoring::kRace, Outcomes("WLWWD")), ElementsAre(3, 1, 3, 3, 0));
  EXPECT_EQ(ArenaPerformance({1500, 1600}, 2, 0), 2050);
  EXPECT_EQ(ArenaPerformance({}, 0, 0), 0);
}

TEST(ArenaTest, NobodyMeetsTheLastOpponentAgainUnlessTwoAreActive) {
  const std::vector<ArenaWaiting> two = {{7, 1, 8}, {8, 2, 7}};
  EXPECT_THAT(PairWave(two, 3), IsEmpty());
  EXPECT_THAT(PairWave(two, 2), ElementsAre(Pairing{7, 8}));
  const std::vector<ArenaWaiting> three = {{7, 1, 8}, {8, 2, 7}, {9, 3}};
  EXPECT_EQ(PairWave(three, 3).size(), 1u);
}

TEST(ArenaTest, NeighboursMeetAndWhoWaitedLongestIsPaired) {
  EXPECT_THAT(PairWave({{1, 1}, {2, 2}, {3, 3}, {4, 4}}, 4),
              UnorderedElementsAre(Pairing{1, 2}, Pairing{3, 4}));
  EXPECT_THAT(PairWave({{1, 1, kNobody, 3}, {2, 2}, {3, 3, kNobody, 1}}, 3),
              ElementsAre(Pairing{1, 3}));
  std::vector<ArenaWaiting> many;
  for (int i = 0; i < 205; ++i) many.push_back({i, i});
  EXPECT_EQ(PairWave(many, 205).size(), 102u);
}

TEST(LadderTest, ChallengesAndPlaces) {
  Ladder ladder(30);
  std::iota(ladder.begin(), ladder.end(), 1);
  EXPECT_TRUE(MayChallenge(ladder, 12, 2));
  EXPECT_FALSE(MayChallenge(ladder, 12, 1));
  EXPECT_FALSE(MayChallenge(ladder, 2, 12));
  EXPECT_FALSE(MayChallenge(ladder, 30, 29));
  Ladder small = {1, 2, 3, 4};
  ChallengeWon(small, 3, 1, LadderMove::kSwap);
  EXPECT_THAT(small, ElementsAre(1, 4, 3, 2));
  ChallengeWon(small, 3, 0, LadderMove::kAbove);
  EXPECT_THAT(small, ElementsAre(2, 1, 4, 3));
  Inactive(small, 0, 29);
  EXPECT_THAT(small, ElementsAre(2, 1, 4, 3));
  Inactive(small, 0, 30);
  EXPECT_THAT(small, ElementsAre(1, 2, 4, 3));
  Inactive(small, 3, 45);
  EXPECT_THAT(small, ElementsAre(1, 2, 4, 3));
  Inactive(small, 1, 60);
  EXPECT_THAT(small, ElementsAre(1, 4, 3));
}

TEST(TablesTest, Sizes) {
  EXPECT_THAT(TableSizes(8, 4, 3), ElementsAre(4, 4));
  EXPECT_THAT(TableSizes(9, 4, 3), ElementsAre(3, 3, 3));
  EXPECT_THAT(TableSizes(10, 4, 3), ElementsAre(4, 3, 3));
  EXPECT_THAT(TableSizes(11, 4, 3), ElementsAre(4, 4, 3));
  EXPECT_THAT(TableSizes(13, 4, 3), ElementsAre(4, 3, 3, 3));
  EXPECT_THAT(TableSizes(5, 4, 3), ElementsAre(3));
  EXPECT_THAT(TableSizes(5, 4, 2), ElementsAre(3, 2));
  EXPECT_THAT(TableSizes(6, 4, 2), ElementsAre(3, 3));
  EXPECT_THAT(TableSizes(2, 4, 3), IsEmpty());
  EXPECT_THAT(TableSizes(4, 3, 3), ElementsAre(3));
}

TEST(TablesTest, PointsHaveTheSameMeanAtEverySize) {
  EXPECT_THAT(TablePoints2({1, 2, 3, 4}), ElementsAre(12, 8, 4, 0));
  EXPECT_THAT(TablePoints2({3, 1, 2}), ElementsAre(0, 12, 6));
  EXPECT_THAT(TablePoints2({2, 1}), ElementsAre(0, 12));
  EXPECT_THAT(TablePoints2({1, 1, 3, 4}), ElementsAre(10, 10, 4, 0));
  EXPECT_THAT(TablePoints2({1, 2, 2, 2}), ElementsAre(12, 4, 4, 4));
}

// Twelve players at three full tables: the least cost of all ways to seat them.
int64_t LeastCost(const std::vector<TableEntrant>& entrants, std::vector<int> left, int size) {
  if (left.empty()) return 0;
  int64_t least = INT64_MAX;
  const int first = left[0];
  const int n = static_cast<int>(left.size());
  for (int mask = 0; mask < 1 << (n - 1); ++mask) {
    if (__builtin_popcount(static_cast<unsigned>(mask)) != size - 1) continue;
    std::vector<int> table = {first};
    std::vector<int> rest;
    for (int i = 1; i < n; ++i) ((mask >> (i - 1)) & 1 ? table : rest).push_back(left[i]);
    const int64_t cost =
        CostOfTable(entrants, table, size) + LeastCost(entrants, std::move(rest), size);
    least = std::min(least, cost);
  }
  return least;
}

TEST(TablesTest, SeatingIsNearTheBest) {
  std::mt19937_64 random(3);
  int64_t found = 0;
  int64_t best = 0;
  std::vector<TableEntrant> entrants(12);
  for (int round = 0; round < 5; ++round) {
    const TableRound seated = SeatTables(entrants, 4, 3, 1);
    ASSERT_EQ(seated.tables.size(), 3u);
    std::vector<int> all(12);
    std::iota(all.begin(), all.end(), 0);
    for (const auto& table : seated.tables) found += CostOfTable(entrants, table, 4);
    best += LeastCost(entrants, all, 4);
    std::set<int> seats;
    for (const auto& table : seated.tables) {
      ++entrants[table[0]].first_seats;
      for (const int player : table) {
        EXPECT_TRUE(seats.insert(player).second);
        entrants[player].points2 += static_cast<int>(random() % 4) * 4;
        for (const int other : table) {
          if (other != player) entrants[player].met.push_back(other);
        }
      }
    }
    EXPECT_EQ(seats.size(), 12u);
  }
  EXPECT_LE(found, best + best / 4 + 10);
}

TEST(TablesTest, ByesGoAround) {
  std::vector<TableEntrant> entrants(5);
  for (int round = 0; round < 5; ++round) {
    const TableRound seated = SeatTables(entrants, 4, 3, 9);
    ASSERT_EQ(seated.byes.size(), 2u);
    for (const int player : seated.byes) ++entrants[player].byes;
  }
  for (const TableEntrant& entrant : entrants) EXPECT_EQ(entrant.byes, 2);
}

}  // namespace
}  // namespace astragal::algorithms
