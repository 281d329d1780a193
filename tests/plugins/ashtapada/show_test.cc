// Geometry, pieces, throws, counters, the text board, the mirror and the estimate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "plugins/ashtapada/geometry.h"
#include "tests/plugins/ashtapada/driver.h"
#include "tests/support/golden.h"

namespace astragal::ashtapada_test {
namespace {

using ::testing::ElementsAre;

std::vector<astragal_place> AllPlaces(const Position& position) {
  std::vector<astragal_place> places(Table().about->max_places);
  places.resize(Table().places(&position, places.data(), Table().about->max_places));
  return places;
}

TEST(Geometry, RoutesAreWalks) {
  for (int box = 0; box < 2; ++box) {
    std::set<int> keeps;
    for (int seat = 0; seat < 4; ++seat) {
      const auto& route = ashtapada::kRoutes.square[box][seat];
      std::set<int> squares;
      for (int k = 0; k < ashtapada::kRouteLength; ++k) {
        squares.insert(route[k]);
        EXPECT_EQ(ashtapada::IsMarkedSquare(route[k]), ashtapada::IsMarkedIndex(k));
        if (k == 0) continue;
        const int files = std::abs(route[k] % 8 - route[k - 1] % 8);
        const int ranks = std::abs(route[k] / 8 - route[k - 1] / 8);
        EXPECT_EQ(files + ranks, 1) << "seat " << seat << " index " << k;
      }
      EXPECT_EQ(squares.size(), 61u);
      keeps.insert(route[60]);
      for (int other = 0; other < 4; ++other) {
        if (other == seat) continue;
        EXPECT_EQ(ashtapada::kRoutes.index[box][other][route[60]], ashtapada::kNowhere);
      }
    }
    EXPECT_EQ(keeps.size(), 4u);
  }
}

TEST(Geometry, ExamplesOfTheSheet) {
  const Position position = FromText("throw=south");
  EXPECT_EQ(position.SquareOf(0, 9), position.SquareOf(1, 23));
  EXPECT_EQ(position.SquareOf(0, 12), position.SquareOf(1, 26));
  EXPECT_EQ(position.SquareOf(0, 7), position.SquareOf(1, 21));
}

TEST(Geometry, MarksAndTrays) {
  const Position position = FromText("throw=south players=4");
  std::map<std::string, astragal_place> by_label;
  int safe = 0;
  int trays = 0;
  for (const astragal_place& place : AllPlaces(position)) {
    by_label[place.label] = place;
    safe += (place.marks & ASTRAGAL_MARK_SAFE) != 0 ? 1 : 0;
    trays += place.shape == ASTRAGAL_SHAPE_TRAY ? 1 : 0;
  }
  EXPECT_EQ(safe, 16);
  EXPECT_EQ(trays, 8);
  EXPECT_EQ(by_label["E1"].marks, ASTRAGAL_MARK_SAFE | ASTRAGAL_MARK_START);
  EXPECT_EQ(by_label["E1"].seat, 0);
  EXPECT_EQ(by_label["D5"].marks, ASTRAGAL_MARK_SAFE | ASTRAGAL_MARK_HOME | ASTRAGAL_MARK_CENTRE);
  EXPECT_EQ(by_label["D5"].seat, 2);
  EXPECT_EQ(by_label["A8"].marks, ASTRAGAL_MARK_SAFE);
  EXPECT_EQ(by_label["B1"].marks, 0u);
  EXPECT_EQ(by_label["A8"].x, 500);
  EXPECT_EQ(by_label["A8"].y, 500);
}

TEST(Geometry, PlacesDoNotOverlap) {
  const std::vector<astragal_place> places = AllPlaces(FromText("throw=south players=4"));
  for (size_t i = 0; i < places.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const bool apart =
          std::abs(places[i].x - places[j].x) * 2 >= places[i].width + places[j].width ||
          std::abs(places[i].y - places[j].y) * 2 >= places[i].height + places[j].height;
      EXPECT_TRUE(apart) << places[i].id << " and " << places[j].id;
    }
  }
}

TEST(Show, PiecesAreOrderedAndComplete) {
  const Position position = FromText("throw=south south=7,7,keep north=21,off,off");
  std::vector<astragal_piece> pieces(Table().about->max_pieces);
  pieces.resize(Table().pieces(&position, pieces.data(), Table().about->max_pieces));
  std::vector<std::string> texts;
  int last = -1;
  for (const astragal_piece& piece : pieces) {
    EXPECT_GE(piece.place * 4 + piece.seat, last);
    last = piece.place * 4 + piece.seat;
    texts.push_back(std::to_string(piece.count) + " " + Table().about->seat_names[piece.seat] +
                    " " + PlaceName(position, piece.place));
  }
  EXPECT_THAT(texts, ElementsAre("1 south D4", "2 south H5", "1 north H5", "1 south south hand",
                                 "1 north north hand", "2 north north off"));
}

TEST(Show, ThrowsLeftAndUsed) {
  const Position position = FromText("play=south left=1+8 used=4 south=5");
  std::vector<astragal_throw> throws(Table().about->max_throws);
  throws.resize(Table().throws(&position, throws.data(), Table().about->max_throws));
  ASSERT_EQ(throws.size(), 3u);
  EXPECT_EQ(throws[0].value, 1);
  EXPECT_EQ(throws[1].value, 8);
  EXPECT_EQ(throws[1].used, 0);
  EXPECT_EQ(throws[2].value, 4);
  EXPECT_EQ(throws[2].used, 1);
}

TEST(Show, Counters) {
  const Position position = FromText("play=south left=1+8 south=5,keep,off north=off");
  std::vector<astragal_counter> counters(Table().about->max_counters);
  counters.resize(Table().counters(&position, counters.data(), Table().about->max_counters));
  std::vector<std::string> texts;
  for (const astragal_counter& counter : counters) {
    texts.push_back(std::string(counter.name) + " " + std::to_string(counter.seat) + " " +
                    std::to_string(counter.value));
  }
  EXPECT_THAT(texts, ElementsAre("throws_left -1 2", "hand 0 1", "keep 0 1", "borne_off 0 1",
                                 "steps_to_go 0 119", "hand 1 3", "keep 1 0", "borne_off 1 1",
                                 "steps_to_go 1 186"));
}

TEST(Show, Boards) {
  std::string boards;
  for (const char* text :
       {"throw=south", "play=south left=1+2+8 used=4 acted captured south=5*,8,8 north=26,26,keep",
        "play=west left=1+3 players=4 pieces=8 south=7,7,7,12,keep west=14,14,19 north=21,26,off "
        "east=0,0,5,12",
        "order=north thrown=south:8,west:out players=3", "over south=off,off,off,off place=south:1",
        "play=south left=1*9+4*7+8*7 pick=8x2 south=4,8,8,50"}) {
    boards += std::string(text) + "\n" + Board(FromText(text)) + "\n";
  }
  tests::ExpectGolden(boards, "tests/plugins/ashtapada/golden/boards.txt");
}

const astragal_mirror& Mirror() {
  return *static_cast<const astragal_mirror*>(Table().extension(ASTRAGAL_EXTENSION_MIRROR));
}

TEST(Mirror, CommutesWithEveryStep) {
  const uint64_t seed = FromEnvironment("ASTRAGAL_SEED", 5);
  SCOPED_TRACE("ASTRAGAL_SEED=" + std::to_string(seed));
  Random random(seed);
  for (int game = 0; game < 60; ++game) {
    Position position = Start(RandomOptions(random));
    while (position.option[ashtapada::kFirstPlayer] != 0 && position.option[0] == 2 &&
           position.option[ashtapada::kFirstPlayer] % 2 == 0) {
      position = Start(RandomOptions(random));
    }
    for (int step = 0; step < 400 && Table().actor(&position) != ASTRAGAL_OVER; ++step) {
      const Position before = position;
      const auto [actor, action] = RandomStep(position, random);
      Position mirrored;
      Mirror().position(&before, &mirrored);
      ASSERT_TRUE(IsPosition(mirrored)) << ToText(before) << "\n" << ToText(mirrored);
      const int seat = actor < 0 ? actor : Mirror().seat(&before, actor);
      const Position after = Apply(mirrored, seat, Mirror().action(&before, actor, action));
      Position expected;
      Mirror().position(&position, &expected);
      ASSERT_EQ(std::memcmp(&after, &expected, sizeof(Position)), 0) << ToText(before) << "\n"
                                                                     << ToText(after) << "\n"
                                                                     << ToText(expected);
      Position back;
      Mirror().position(&expected, &back);
      ASSERT_EQ(std::memcmp(&back, &position, sizeof(Position)), 0);
    }
  }
}

TEST(Evaluate, KnowsProgressSafetyAndTheEnd) {
  const auto value = [](const char* text, int seat) {
    const Position position = FromText(text);
    return Table().evaluate(&position, seat);
  };
  EXPECT_EQ(value("throw=south", 0), 500);
  EXPECT_GT(value("throw=south south=20", 0), value("throw=south south=17", 0));
  EXPECT_GT(value("throw=south south=20 north=1", 0), value("throw=south south=19 north=1", 0));
  EXPECT_GT(value("throw=south south=keep", 0), value("throw=south south=59", 0));
  EXPECT_GT(value("throw=south south=off", 0), value("throw=south south=keep", 0));
  EXPECT_EQ(value("over south=off,off,off,off place=south:1", 0), 1000);
  EXPECT_EQ(value("over south=off,off,off,off place=south:1", 1), 0);
  EXPECT_EQ(value("throw=south players=4 place=west:4", 2), 0);
}

// Plays the action whose position after it is best for the seat; the first of several.
int64_t GreedyAction(const Position& position, int seat) {
  int64_t best = -1;
  int best_value = -1;
  for (const int64_t action : Actions(position)) {
    const Position after = Apply(position, seat, action);
    const int value = Table().evaluate(&after, seat);
    if (value <= best_value) continue;
    best_value = value;
    best = action;
  }
  return best;
}

TEST(Evaluate, GreedyBeatsRandom) {
  const uint64_t games = FromEnvironment("ASTRAGAL_ASHTAPADA_GREEDY_GAMES", 100);
  const uint64_t seed = FromEnvironment("ASTRAGAL_SEED", 11);
  SCOPED_TRACE("ASTRAGAL_SEED=" + std::to_string(seed));
  Random random(seed);
  uint64_t won = 0;
  for (uint64_t game = 0; game < games; ++game) {
    const int greedy = static_cast<int>(game % 2);
    Position position = Start(OptionValues({}));
    while (Table().actor(&position) != ASTRAGAL_OVER) {
      if (Table().actor(&position) == greedy) {
        position = Apply(position, greedy, GreedyAction(position, greedy));
      } else {
        RandomStep(position, random);
      }
    }
    won += Results(position)[greedy].place == 1 ? 1 : 0;
  }
  std::printf("greedy won %llu of %llu games against random\n",
              static_cast<unsigned long long>(won), static_cast<unsigned long long>(games));
  EXPECT_GT(won * 100, games * 85);
}

}  // namespace
}  // namespace astragal::ashtapada_test
