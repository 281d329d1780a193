// Very long series, in which a move is put together step by step, and the quota of forgo=none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <string>
#include <vector>

#include "plugins/ashtapada/moves.h"
#include "plugins/ashtapada/quota.h"
#include "tests/plugins/ashtapada/driver.h"
#include "tests/plugins/ashtapada/slow_rules.h"

namespace astragal::ashtapada_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

using ::testing::Not;

const char kLong[] = "play=south left=1*9+4*7+8*7 south=4,8,8,50";

TEST(Steps, BeginOnlyWhenTheListWouldBeTooLong) {
  const Position full = FromText("play=south left=1*7+3+4*3+8*7 south=4,8,8,50 pieces=5");
  EXPECT_EQ(full.left.Parts() - 1, ashtapada::kMaxListedParts);
  EXPECT_THAT(Moves(full), Not(Contains("pick H2")));
  const Position longer = FromText("play=south left=1*8+3+4*3+8*7 south=4,8,8,50 pieces=5");
  EXPECT_THAT(Moves(longer),
              ElementsAre("enter", "pick H2", "pick H6", "pick H6 twins", "pick F4"));
}

TEST(Steps, UpToSeventeenThrowsAreListed) {
  int fewest = ashtapada::kSeriesCap;
  ashtapada::ThrowSet set{};
  const auto each = [](uint8_t& count, int most, auto&& visit) {
    for (count = 0; count <= most; ++count) visit();
    count = 0;
  };
  each(set[0], 64, [&] {
    each(set[3], 64, [&] {
      each(set[4], 64, [&] {
        each(set[1], 1, [&] {
          if (set.Parts() - 1 > ashtapada::kMaxListedParts) fewest = std::min(fewest, set.Size());
        });
      });
    });
  });
  EXPECT_EQ(fewest, 18);
}

TEST(Steps, AMoveIsPutTogether) {
  const Position picked = Play(FromText(kLong), "pick H6 twins");
  EXPECT_EQ(ToText(picked), "play=south left=1*9+4*7+8*7 pick=8x2 south=4,8,8,50 north=-");
  EXPECT_THAT(Moves(picked), ElementsAre("add 1", "add 4", "add 8"));
  EXPECT_EQ(PlayRefusal(picked, "go"), "The throws that you added do not make a legal move.");
  EXPECT_EQ(PlayRefusal(picked, "enter"), "Finish the move first: add throws, then go.");
  const Position added = Play(Play(picked, "add 8"), "add 1");
  EXPECT_THAT(Moves(added), ElementsAre("add 1", "add 4", "add 8", "go"));
  EXPECT_THAT(PlayEffects(added, "go"), ElementsAre("move south H6>A8", "move south H6>A8"));
  EXPECT_EQ(ToText(Play(added, "go")),
            "play=south left=1*8+4*7+8*6 used=1+8 acted south=4,17*,17*,50 north=-");
}

TEST(Steps, AddingStopsAtTheKeep) {
  Position picked = Play(FromText(kLong), "pick F4");
  picked = Play(picked, "add 8");
  EXPECT_THAT(Moves(picked), ElementsAre("add 1", "go"));
  picked = Play(Play(picked, "add 1"), "add 1");
  EXPECT_THAT(Moves(picked), ElementsAre("go"));
  EXPECT_EQ(PlayRefusal(picked, "add 1"), "With this throw the piece has no legal move.");
}

TEST(Steps, HalfMovesNeedTwo) {
  const Position position = Play(FromText(std::string(kLong) + " twin_move=half"), "pick H6 twins");
  const Position one = Play(position, "add 1");
  EXPECT_THAT(Moves(one), ElementsAre("add 1", "add 4", "add 8"));
  EXPECT_THAT(Moves(Play(one, "add 1")), Contains("go"));
}

TEST(Steps, LeavingTakesTheMoveBack) {
  const Position picked =
      Play(Play(FromText(std::string(kLong) + " players=3"), "pick H2"), "add 4");
  EXPECT_EQ(ToText(Leave(picked, 1)),
            "play=south left=1*9+4*7+8*7 south=4,8,8,50 west=- north=- place=north:3 players=3");
}

TEST(Steps, AllMovesOfAPieceCanBePutTogether) {
  // Every sum that the throws can make from 4, and no other, is reached by steps.
  const Position start = FromText("play=south left=1*9+4*7+8*7 south=4 north=15 marked_box=block");
  std::set<std::string> seen;
  std::set<int> ends;
  std::vector<Position> open = {Play(start, "pick H2")};
  while (!open.empty()) {
    const Position position = open.back();
    open.pop_back();
    if (!seen.insert(ToText(position)).second) continue;
    ASSERT_TRUE(IsPosition(position)) << ToText(position);
    ASSERT_FALSE(Actions(position).empty()) << ToText(position);
    for (const std::string& move : Moves(position)) {
      const Position after = Play(position, move);
      if (move != "go") {
        open.push_back(after);
        continue;
      }
      for (const uint8_t piece : after.PiecesOf(0)) ends.insert(ashtapada::IndexOf(piece));
    }
  }
  ends.erase(-1);
  // North's 15 is C8, no marked box; all of 5 .. 60 but what 9 ones, fours and eights cannot make.
  std::set<int> expected;
  for (int ones = 0; ones <= 9; ++ones) {
    for (int fours = 0; fours <= 7; ++fours) {
      for (int eights = 0; eights <= 7; ++eights) {
        const int to = 4 + ones + 4 * fours + 8 * eights;
        if (to > 4 && to <= 60) expected.insert(to);
      }
    }
  }
  EXPECT_EQ(ends, expected);
}

TEST(Steps, StrictStepsLeadToAFullMove) {
  // 84 + 9 steps of throws, 56 to go: what is picked must still use as many throws as possible.
  const Position start = FromText("play=south left=1*9+4*7+8*7 south=4,off,off,off forgo=none");
  const int most = SlowMostThrows(Observe(start));
  EXPECT_EQ(ashtapada::Quota(start).most(), most);
  Random random(7);
  for (int game = 0; game < 20; ++game) {
    Position position = Play(start, "pick H2");
    while (Table().actor(&position) == 0 && position.pick_size != 0) {
      const Position before = position;
      RandomStep(position, random);
      if (position.pick_size == 0) {
        EXPECT_EQ(before.picked.Size(), most);
      }
    }
  }
}

// ---- The quota.

void SortPieces(Position& position, int seat) {
  const std::span<const uint8_t> pieces = position.PiecesOf(seat);
  std::vector<uint8_t> sorted(pieces.begin(), pieces.end());
  std::sort(sorted.begin(), sorted.end());
  std::copy(sorted.begin(), sorted.end(), position.piece[seat]);
}

TEST(Quota, AgreesWithTryingEverything) {
  const uint64_t seed = FromEnvironment("ASTRAGAL_SEED", 20240611);
  SCOPED_TRACE("ASTRAGAL_SEED=" + std::to_string(seed));
  Random random(seed);
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  const uint64_t wanted = FromEnvironment("ASTRAGAL_ASHTAPADA_POSITIONS", 500);
  uint64_t compared = 0;
  while (compared < wanted) {
    std::vector<int64_t> options = RandomOptions(random);
    options[ashtapada::kForgo] = ashtapada::kNone;
    options[ashtapada::kFirstPlayer] = 1;
    options[ashtapada::kPieces] = draw(2, 4);
    Position position = Start(options);
    position.phase = ashtapada::kActing;
    // Close to the keep, in stacks, so that twins, exact landings and bearing off matter.
    const int centre = draw(0, 60);
    for (int i = 0; i < position.PieceCount(); ++i) {
      const int kind = draw(0, 9);
      const int index = kind < 6   ? std::clamp(centre + draw(-2, 3), 0, 60)
                        : kind < 7 ? -1
                        : kind < 8 ? 60
                                   : draw(45, 61);
      const bool moved = index > 0 && index <= 60 && draw(0, 9) == 0;
      position.piece[0][i] = ashtapada::PieceAt(index, moved);
      position.piece[1][i] = ashtapada::PieceAt(draw(-1, 59));
    }
    position.flags = ashtapada::kActed;
    SortPieces(position, 0);
    SortPieces(position, 1);
    for (int i = draw(1, 5); i > 0; --i) ++position.left[std::vector<int>{0, 0, 3, 4}[draw(0, 3)]];
    ++position.left[draw(1, 2)];
    if (!IsPosition(position)) continue;
    ++compared;
    const SlowGame game = Observe(position);
    ASSERT_EQ(ashtapada::Quota(position).most(), SlowMostThrows(game)) << ToText(position);
    ASSERT_EQ(Actions(position).size(), SlowActions(game).size()) << ToText(position);
  }
}

// The worst that can be set up: many kinds of throws, eight pieces, everything blocked or twinned.
struct Extreme {
  const char* name;
  const char* position;
};
const Extreme kExtremes[] = {
    {"Twins",
     "play=south left=1*21+4*21+8*21+2 south=1,1,4,4,8,8,11,11 north=14,17,20,21,24,27,0,3 "
     "pieces=8 forgo=none marked_box=block twin_move=half triplets=as_twins"},
    {"Spread",
     "play=south left=1*21+4*21+8*21+3 south=1,2,4,5,8,9,11,12 north=14,17,20,21,24,27,0,3 "
     "pieces=8 forgo=none marked_box=block"},
    {"OneStack",
     "play=south left=1*21+4*21+8*21+2 south=1,1,1,1,1,1,1,1 north=14,17,20,21,24,27,0,3 "
     "pieces=8 forgo=none marked_box=block twin_move=half triplets=as_twins"},
    {"Hand",
     "play=south left=1*21+4*21+8*21+2 south=1 north=17,20,21,24,27,0,3,6 "
     "pieces=8 forgo=none marked_box=block twin_move=half triplets=as_twins"},
    {"Keep",
     "play=south left=1*31+4*16+8*16+3 south=50,50,52,52,56,56,60,60 north=0,3 "
     "pieces=8 forgo=none twin_move=half triplets=as_twins"},
};
class LongestSeries : public ::testing::TestWithParam<Extreme> {};

TEST_P(LongestSeries, AreListedInNoTime) {
  const Position position = FromText(GetParam().position);
  std::vector<int64_t> actions(Table().about->max_actions);
  const std::clock_t start = std::clock();
  const uint32_t count =
      Table().actions(&position, actions.data(), static_cast<uint32_t>(actions.size()));
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_GT(count, 0u);
  std::printf("%s: %.3f s\n", GetParam().name, took);
  // Tens of milliseconds; a sanitizer's build takes longer.
  EXPECT_LT(took, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Quota, LongestSeries, ::testing::ValuesIn(kExtremes),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace astragal::ashtapada_test
