// Geometry, trays, counters, throws, result, concession, mirror.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/plugins/patolli/driver.h"
#include "tests/support/golden.h"

namespace astragal::patolli_test {
namespace {

std::vector<astragal_place> Places(const Bytes& position) {
  std::vector<astragal_place> places(Table().about->max_places);
  const uint32_t count =
      Table().places(position.get(), places.data(), static_cast<uint32_t>(places.size()));
  EXPECT_EQ(count, places.size());
  return places;
}

std::set<int> Marked(const std::vector<astragal_place>& places, uint32_t mark) {
  std::set<int> ids;
  for (const astragal_place& place : places) {
    if (place.marks & mark) ids.insert(place.id);
  }
  return ids;
}

TEST(Places, SpecialSquaresOfTheSheet) {
  const auto places = Places(FromText("red throws"));
  EXPECT_EQ(Marked(places, ASTRAGAL_MARK_CENTRE), (std::set<int>{0, 15, 30, 45}));
  EXPECT_EQ(Marked(places, ASTRAGAL_MARK_EXTRA), (std::set<int>{7, 8, 22, 23, 37, 38, 52, 53}));
  EXPECT_EQ(Marked(places, ASTRAGAL_MARK_PENALTY), (std::set<int>{5, 10, 20, 25, 35, 40, 50, 55}));
  EXPECT_EQ(Marked(places, ASTRAGAL_MARK_START), (std::set<int>{0, 30}));
  EXPECT_EQ(Marked(places, ASTRAGAL_MARK_HOME), (std::set<int>{1, 29, 31, 59, 62, 63}));
  const auto fourth = Places(FromText("red throws; wedge_ranks=fourth start_square=arm_inner"));
  EXPECT_EQ(Marked(fourth, ASTRAGAL_MARK_PENALTY), (std::set<int>{4, 11, 19, 26, 34, 41, 49, 56}));
  EXPECT_EQ(Marked(fourth, ASTRAGAL_MARK_START), (std::set<int>{1, 31}));
  EXPECT_EQ(Marked(fourth, ASTRAGAL_MARK_HOME), (std::set<int>{0, 2, 30, 32, 62, 63}));
  EXPECT_EQ(Marked(Places(FromText("red throws; wedge_ranks=both")), ASTRAGAL_MARK_PENALTY).size(),
            16u);
}

// Consecutive squares touch, and no two places overlap.
TEST(Places, TheTrackIsOneCycle) {
  const auto places = Places(FromText("red throws"));
  for (size_t k = 0; k < 60; ++k) {
    const astragal_place& here = places[k];
    const astragal_place& next = places[(k + 1) % 60];
    EXPECT_EQ(here.id, static_cast<int>(k));
    EXPECT_EQ(std::abs(here.x - next.x) + std::abs(here.y - next.y), 1000) << k;
  }
  for (const astragal_place& a : places) {
    for (const astragal_place& b : places) {
      if (a.id >= b.id) continue;
      const bool apart = 2 * std::abs(a.x - b.x) >= a.width + b.width ||
                         2 * std::abs(a.y - b.y) >= a.height + b.height;
      EXPECT_TRUE(apart) << a.id << " and " << b.id;
    }
  }
  // Anticlockwise: the west arm comes first, then the south arm.
  EXPECT_EQ(places[7].x, 500);
  EXPECT_EQ(places[7].y, 7500);
  EXPECT_EQ(places[22].x, 7500);
  EXPECT_EQ(places[22].y, 15500);
  EXPECT_EQ(places[53].x, 7500);
  EXPECT_EQ(places[53].y, 500);
}

TEST(Views, OfAPosition) {
  const Bytes position = FromText(
      "red plays 3; red anticlockwise hand 3 on 12 off 2; green anticlockwise on 45 "
      "coins -21; purse=25");
  std::map<std::pair<int, int>, int> stands;
  for (const astragal_piece& piece : Pieces(position)) {
    stands[{piece.place, piece.seat}] = piece.count;
  }
  EXPECT_EQ(stands, (std::map<std::pair<int, int>, int>{
                        {{12, 0}, 1}, {{15, 1}, 1}, {{60, 0}, 3}, {{61, 1}, 5}, {{62, 0}, 2}}));
  EXPECT_EQ(Counter(position, "pot", -1), 41);
  EXPECT_EQ(Counter(position, "coins", 1), -21);
  EXPECT_EQ(Counter(position, "in_hand", 0), 3);
  EXPECT_EQ(Counter(position, "borne_off", 0), 2);
  EXPECT_EQ(Counter(position, "direction", 1), 1);
  EXPECT_EQ(Counter(position, "purse_left", 1), 4);
  astragal_throw thrown{};
  ASSERT_EQ(Table().throws(position.get(), &thrown, 1), 1u);
  EXPECT_EQ(thrown.value, 3);
  EXPECT_EQ(thrown.used, 0);
  astragal_concession concession{};
  for (int seat = 0; seat < 2; ++seat) {
    ASSERT_EQ(Table().concession(position.get(), seat, &concession), ASTRAGAL_OK);
    EXPECT_EQ(concession.fewest, 1);
    EXPECT_EQ(concession.most, 1);
  }
}

TEST(Views, OfAFinishedGame) {
  const Bytes end = Play(FromText("green plays 1; green clockwise on 58 off 5"), "58/home");
  EXPECT_EQ(Table().actor(end.get()), ASTRAGAL_OVER);
  EXPECT_TRUE(Actions(end).empty());
  EXPECT_EQ(Table().chances(end.get()), -1);
  astragal_seat_result results[2] = {};
  Table().result(end.get(), results);
  EXPECT_EQ(results[0].place, 2);
  EXPECT_EQ(results[0].points, 0);
  EXPECT_EQ(results[1].place, 1);
  EXPECT_EQ(results[1].points, 1);
  astragal_concession concession{};
  EXPECT_EQ(Table().concession(end.get(), 0, &concession), ASTRAGAL_REFUSED);
}

TEST(Board, LooksLikeThis) {
  std::string boards;
  for (const char* text :
       {"red throws", "red opens against 3; first_player=highest_throw",
        "red plays 3; red anticlockwise on 7 12 50 off 1; green clockwise on 2 15 20 coins -27",
        "green won; red clockwise on 5 10 coins -30; green anticlockwise off 6 coins 30; "
        "purse=100 wedge_ranks=both wedge_amount=3 middle_attack=off"}) {
    const Bytes position = FromText(text);
    boards += ToText(position) + "\n\n" + Board(position) + "\n";
  }
  tests::ExpectGolden(boards, "tests/plugins/patolli/golden/boards.txt");
}

TEST(Mirror, CommutesWithApply) {
  const auto* mirror =
      static_cast<const astragal_mirror*>(Table().extension(ASTRAGAL_EXTENSION_MIRROR));
  ASSERT_NE(mirror, nullptr);
  const auto mirrored = [mirror](const Bytes& position) {
    Bytes other;
    mirror->position(position.get(), other.get());
    return other;
  };
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    Bytes position = Start(RandomOptions(random));
    while (Table().actor(position.get()) != ASTRAGAL_OVER) {
      const Bytes before = position;
      const auto [actor, action] = RandomStep(position, random);
      const int other = actor == ASTRAGAL_CHANCE ? actor : mirror->seat(before.get(), actor);
      ASSERT_EQ(Apply(mirrored(before), other, mirror->action(before.get(), actor, action)),
                mirrored(position));
      ASSERT_EQ(mirrored(mirrored(position)), position);
      ASSERT_EQ(Table().evaluate(mirrored(position).get(), 1), Table().evaluate(position.get(), 0));
    }
  }
}

}  // namespace
}  // namespace astragal::patolli_test
