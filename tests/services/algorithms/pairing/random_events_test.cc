// Random events of 4 to 200 players with byes, forfeits, withdrawals and draws: every round keeps
// the hard rules, and pairing it again gives the same pairs.
//
// ASTRAGAL_EVENTS events (a few dozen unless it says more: deploy/test --long events), from
// ASTRAGAL_SEED.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "services/algorithms/pairing/explain.h"
#include "services/algorithms/pairing/fast.h"
#include "services/algorithms/pairing/trf.h"
#include "tests/services/algorithms/pairing/events.h"
#include "tests/services/algorithms/pairing/files.h"

namespace astragal::algorithms {
namespace {

uint64_t Setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

using Engine = absl::StatusOr<std::vector<Pairing>> (*)(const SwissField&);
absl::StatusOr<std::vector<Pairing>> Dutch(const SwissField& field) { return PairDutch(field); }
absl::StatusOr<std::vector<Pairing>> Fast(const SwissField& field) { return PairFast(field); }

void CheckHardRules(const SwissField& field, const std::vector<Pairing>& pairs) {
  std::set<int> paired;
  int byes = 0;
  for (const Pairing& pair : pairs) {
    EXPECT_TRUE(paired.insert(pair.first).second);
    if (pair.second == kNobody) {
      ++byes;
      EXPECT_TRUE(field[pair.first].may_have_bye);
      continue;
    }
    EXPECT_TRUE(paired.insert(pair.second).second);
    EXPECT_TRUE(field.MayMeet(pair.first, pair.second));
  }
  EXPECT_EQ(paired.size(), static_cast<size_t>(field.size()));
  EXPECT_EQ(byes, field.size() % 2);
}

// The stored round, by way of a file, is paired again.
void CheckAgain(const Crosstable& table, bool sides, Engine engine,
                const std::vector<Pairing>& boards) {
  const auto text = FormatTrf({table, {}, "", {}, {}});
  ASSERT_TRUE(text.ok());
  const auto read = ParseTrf(*text);
  ASSERT_TRUE(read.ok()) << read.status();
  const SwissField field(read->table, sides);
  const auto again = engine(field);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(BoardsOf(field, *again), boards);
}

void PlayEvent(uint64_t seed) {
  std::mt19937_64 random(seed);
  // Small events are many: they get stuck, float far and run out of byes.
  const int largest = random() % 8 == 0 ? 200 : random() % 2 == 0 ? 40 : 12;
  const int players = 4 + static_cast<int>(random() % static_cast<uint64_t>(largest - 3));
  const int rounds = 3 + static_cast<int>(random() % 7);
  const bool sides = random() % 2 == 0;
  const Engine engine = random() % 4 == 0 ? Fast : Dutch;
  tests::Event event(random(), players, {static_cast<int>(random() % 40), 3, 3, 1});
  event.table().rounds_planned = rounds;
  event.table().first_side = Side::kFirst;
  for (int round = 0; round < rounds; ++round) {
    event.Announce();
    const SwissField field(event.table(), sides);
    const auto pairs = engine(field);
    if (!pairs.ok()) {
      // Refused: then somebody stays alone in any largest pairing.
      EXPECT_EQ(pairs.status().code(), absl::StatusCode::kFailedPrecondition);
      EXPECT_FALSE(LeftAlone(field).empty());
      return;
    }
    CheckHardRules(field, *pairs);
    const std::vector<Pairing> boards = BoardsOf(field, *pairs);
    if (round % 3 == 2) CheckAgain(event.table(), sides, engine, boards);
    event.Play(boards);
  }
}

TEST(RandomEventsTest, KeepTheRulesAndPairTheSameAgain) {
  const uint64_t events = Setting("ASTRAGAL_EVENTS", 40);
  const uint64_t seed = Setting("ASTRAGAL_SEED", 1);
  for (uint64_t i = 0; i < events; ++i) {
    SCOPED_TRACE("ASTRAGAL_SEED=" + std::to_string(seed + i) + " ASTRAGAL_EVENTS=1");
    PlayEvent(seed + i);
    if (HasFailure()) return;
  }
}

// A thousand players: too long for every run.
TEST(RandomEventsTest, TheLargestReferencePositionIsPaired) {
  if (Setting("ASTRAGAL_EVENTS", 0) == 0) GTEST_SKIP() << "with ASTRAGAL_EVENTS only";
  const auto file = ParseTrf(tests::ReadData("swiss/synth_n1000_r04.trf"));
  ASSERT_TRUE(file.ok());
  for (const bool sides : {true, false}) {
    const SwissField field(file->table, sides);
    const auto pairs = PairDutch(field);
    ASSERT_TRUE(pairs.ok());
    std::string text;
    for (const Pairing& board : BoardsOf(field, *pairs)) {
      text += std::to_string(board.first + 1) + " " + std::to_string(board.second + 1) + "\n";
    }
    EXPECT_EQ(text, tests::ReadData(sides ? "swiss/synth_n1000_r04.pairs"
                                          : "swiss/synth_n1000_r04.colourless.pairs"));
  }
}

}  // namespace
}  // namespace astragal::algorithms
