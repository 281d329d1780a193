// Round robins against the handbook's tables; the engine for big fields; Swiss to N losses;
// checking and explaining rounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "services/algorithms/pairing/explain.h"
#include "services/algorithms/pairing/fast.h"
#include "services/algorithms/pairing/round_robin.h"
#include "services/algorithms/pairing/trf.h"
#include "tests/services/algorithms/pairing/events.h"
#include "tests/services/algorithms/pairing/files.h"

namespace astragal::algorithms {
namespace {

using testing::ElementsAre;

TEST(RoundRobinTest, TablesEqualTheHandbook) {
  const auto tables = nlohmann::json::parse(tests::ReadData("berger_tables.json"))["tables"];
  int compared = 0;
  for (const auto& [size, rounds] : tables.items()) {
    const int players = std::stoi(size);
    const int rest = players + players % 2;  // of an odd number, the number after the last
    const auto made = RoundRobin(players);
    ASSERT_EQ(made.size(), rounds.size()) << size;
    for (size_t round = 0; round < rounds.size(); ++round) {
      ASSERT_EQ(made[round].size(), rounds[round].size()) << size;
      for (size_t board = 0; board < rounds[round].size(); ++board) {
        int first = rounds[round][board][0];
        int second = rounds[round][board][1];
        if (players % 2 != 0 && first == rest) std::swap(first, second);
        const bool alone = players % 2 != 0 && second == rest;
        const Pairing expected{first - 1, alone ? kNobody : second - 1};
        EXPECT_EQ(made[round][board], expected) << size << ", round " << round + 1;
      }
    }
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

TEST(RoundRobinTest, EverybodyMeetsEverybodyWithFairSides) {
  for (const int players : {2, 3, 10, 33, 200}) {
    for (const bool twice : {false, true}) {
      std::set<std::pair<int, int>> met;
      std::vector<int> balance(static_cast<size_t>(players), 0);
      for (const auto& round : RoundRobin(players, {twice, twice})) {
        std::set<int> there;
        for (const Pairing& board : round) {
          EXPECT_TRUE(there.insert(board.first).second);
          if (board.second == kNobody) continue;
          EXPECT_TRUE(there.insert(board.second).second);
          EXPECT_TRUE(met.insert({board.first, board.second}).second);
          ++balance[board.first];
          --balance[board.second];
        }
        EXPECT_EQ(there.size(), static_cast<size_t>(players));
      }
      EXPECT_EQ(met.size(), static_cast<size_t>(players * (players - 1) / (twice ? 1 : 2)));
      for (const int difference : balance) EXPECT_LE(std::abs(difference), twice ? 0 : 1);
    }
  }
  EXPECT_TRUE(RoundRobin(1).empty());
  EXPECT_THAT(SnakeGroups(7, 3), ElementsAre(0, 1, 2, 2, 1, 0, 0));
}

int64_t Gaps(const SwissField& field, const std::vector<Pairing>& pairs) {
  int64_t gaps = 0;
  for (const Pairing& pair : pairs) {
    if (pair.second != kNobody) gaps += field[pair.first].score - field[pair.second].score;
  }
  return gaps;
}

// The bigger engine may pair others, but not with wider gaps than the exact one has.
TEST(FastTest, GapsAreAsSmallAsTheRulesLetThem) {
  int64_t fast_gaps = 0;
  int64_t dutch_gaps = 0;
  for (const uint64_t seed : {1, 2, 3, 4}) {
    tests::Event event(seed, 61 + static_cast<int>(seed));
    for (int round = 0; round < 7; ++round) {
      const SwissField field(event.table(), false);
      const auto fast = PairFast(field);
      const auto dutch = PairDutch(field);
      ASSERT_TRUE(fast.ok() && dutch.ok());
      fast_gaps += Gaps(field, *fast);
      dutch_gaps += Gaps(field, *dutch);
      event.Play(BoardsOf(field, *dutch));
    }
  }
  EXPECT_LE(fast_gaps, dutch_gaps + dutch_gaps / 10);
}

TEST(FastTest, RefusesOnlyWhatCannotBe) {
  Crosstable table;
  table.players.resize(4);
  for (int i = 0; i < 4; ++i) table.players[i].number = i + 1;
  table.forbidden.push_back({{0, 1}, 1, 9});
  table.forbidden.push_back({{0, 2}, 1, 9});
  const auto only = PairFast(SwissField(table, false), {.window = 1});
  ASSERT_TRUE(only.ok());
  EXPECT_THAT(*only, testing::UnorderedElementsAre(Pairing{0, 3}, Pairing{1, 2}));
  table.forbidden.push_back({{0, 3}, 1, 9});
  const SwissField field(table, false);
  EXPECT_EQ(PairFast(field).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(LeftAlone(field), testing::Contains(0));
}

// Plays on until one is left, whatever happens.
TEST(ToLossesTest, EndsWithOne) {
  for (const int losses : {2, 3}) {
    for (const int players : {2, 3, 16, 33, 64}) {
      tests::Event event(static_cast<uint64_t>(players), players);
      int rounds = 0;
      for (;; ++rounds) {
        const auto pairs = PairToLosses(event.table(), losses);
        ASSERT_TRUE(pairs.ok()) << pairs.status();
        if (pairs->empty()) break;
        event.Play(*pairs);
        ASSERT_LT(rounds, 40) << players << " players to " << losses;
      }
      int left = 0;
      for (const int lost : LossesOf(event.table())) left += lost < losses;
      EXPECT_EQ(left, 1) << players << " players to " << losses;
    }
  }
}

TEST(ExplainTest, RoundsOfTheReferenceArePairedByTheRules) {
  const auto file = ParseTrf(tests::ReadData("swiss/race_n014_r04.trf"));
  ASSERT_TRUE(file.ok());
  for (int round = 1; round <= file->table.rounds_played; ++round) {
    const RoundCheck check = CheckRound(file->table, round, true);
    EXPECT_TRUE(check.Same()) << "round " << round;
    EXPECT_TRUE(check.faults.empty()) << check.faults[0];
  }
}

TEST(ExplainTest, SaysWhatIsWrongWithARound) {
  tests::Event event(5, 6);
  event.Play({{0, 3}, {1, 4}, {2, 5}});
  event.Play({{0, 3}, {4, 1}, {5, 2}});
  const RoundCheck check = CheckRound(event.table(), 2, false);
  EXPECT_FALSE(check.Same());
  EXPECT_THAT(check.faults, testing::Contains("1 and 4 have met before"));
}

TEST(ExplainTest, NotesSayWhyNotTheNaturalOpponent) {
  tests::Event event(5, 4);
  event.Play({{0, 2}, {1, 3}});
  Crosstable table = event.table();
  for (Entrant& player : table.players) player.rounds[0].outcome = Outcome::kDraw;
  const SwissField field(table, false);
  const auto pairs = PairDutch(field);
  ASSERT_TRUE(pairs.ok());
  const std::vector<PairingNote> notes = ExplainPairing(field, *pairs);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].natural, 2);
  EXPECT_EQ(notes[0].reason, PairingReason::kMet);
}

}  // namespace
}  // namespace astragal::algorithms
