// The Dutch system against positions that two unrelated programs pair alike, with sides and
// without.
#include "services/algorithms/pairing/dutch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/algorithms/pairing/trf.h"
#include "tests/services/algorithms/pairing/files.h"

namespace astragal::algorithms {
namespace {

// As the reference files have it: a board a line.
std::string PairsText(const Crosstable& table, bool sides) {
  const SwissField field(table, sides);
  const auto pairs = PairDutch(field);
  if (!pairs.ok()) return std::string(pairs.status().message());
  std::string text;
  for (const Pairing& board : BoardsOf(field, *pairs)) {
    const int second = board.second == kNobody ? 0 : table.players[board.second].number;
    text += std::to_string(table.players[board.first].number) + " " + std::to_string(second) + "\n";
  }
  return text;
}

TEST(DutchTest, PairsAsTheReferenceDoes) {
  int positions = 0;
  for (const std::string& name : tests::DataNames("swiss", ".trf")) {
    const auto file = ParseTrf(tests::ReadData("swiss/" + name + ".trf"));
    ASSERT_TRUE(file.ok()) << name << ": " << file.status();
    if (file->table.players.size() > 500) continue;  // see the campaign
    for (const bool sides : {true, false}) {
      const std::string pairs = "swiss/" + name + (sides ? ".pairs" : ".colourless.pairs");
      const std::string expected =
          tests::HasData(pairs) ? tests::ReadData(pairs) : "No valid pairing exists.";
      EXPECT_EQ(PairsText(file->table, sides), expected) << name << (sides ? "" : ", no sides");
      ++positions;
    }
  }
  EXPECT_GE(positions, 62);
}

TEST(DutchTest, NobodyIsPairedWhenNobodyIsThere) {
  const SwissField field(Crosstable(), true);
  const auto pairs = PairDutch(field);
  ASSERT_TRUE(pairs.ok());
  EXPECT_TRUE(pairs->empty());
}

TEST(DutchTest, GoesOnOnlyWhileItMay) {
  Crosstable table;
  table.players.resize(8);
  int asked = 0;
  const auto pairs = PairDutch(SwissField(table, false), [&asked] {
    ++asked;
    return absl::DeadlineExceededError("late");
  });
  EXPECT_EQ(pairs.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace astragal::algorithms
