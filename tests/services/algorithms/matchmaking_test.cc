// Who is paired with whom, and when.
#include "services/algorithms/matchmaking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>
#include <string>

namespace astragal::algorithms {
namespace {

using Pairs = std::vector<std::pair<size_t, size_t>>;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr base::Instant kNow{1'000'000'000'000};

base::PlayerId Player(uint8_t number) {
  base::IdBytes bytes{};
  bytes[15] = number;
  return base::PlayerId(bytes);
}

WaitingPlayer Waits(uint8_t number, int32_t rating, int64_t waited_ms, uint8_t last_opponent = 0) {
  return {Player(number), Player(last_opponent), rating, {kNow.micros - waited_ms * 1'000}};
}

TEST(RatingWindow, WidensInStepsAndIsAnyInTheEnd) {
  const std::pair<int64_t, int64_t> windows[] = {
      {-5, 100},     {0, 100},      {4'999, 100},        {5'000, 150},          {9'999, 150},
      {10'000, 200}, {59'999, 650}, {60'000, INT64_MAX}, {3'600'000, INT64_MAX}};
  for (const auto& [waited_ms, window] : windows) EXPECT_EQ(RatingWindow(waited_ms), window);
}

struct Case {
  std::string name;
  std::vector<WaitingPlayer> waiting;
  Pairs pairs;
};

TEST(PairPlayers, AsTheCriteriaSay) {
  const std::vector<Case> cases = {
      {"nobody", {}, {}},
      {"alone", {Waits(1, 1500, 90'000)}, {}},
      {"two alike", {Waits(1, 1500, 10), Waits(2, 1500, 0)}, {{0, 1}}},
      {"at the edge of the first window", {Waits(1, 1500, 10), Waits(2, 1600, 0)}, {{0, 1}}},
      {"beyond it", {Waits(1, 1500, 10), Waits(2, 1601, 0)}, {}},
      {"the longer waiting one's window counts",
       {Waits(1, 1500, 5'000), Waits(2, 1650, 0)},
       {{0, 1}}},
      {"anybody after a minute", {Waits(1, 500, 60'000), Waits(2, 2900, 0)}, {{0, 1}}},
      {"the nearest rating", {Waits(1, 1500, 10), Waits(2, 1590, 9), Waits(3, 1520, 8)}, {{0, 2}}},
      {"of equal ones the oldest",
       {Waits(1, 1500, 10), Waits(2, 1450, 9), Waits(3, 1550, 8)},
       {{0, 1}}},
      {"the oldest chooses first",
       {Waits(1, 1500, 10), Waits(2, 1510, 9), Waits(3, 1511, 8), Waits(4, 1480, 7)},
       {{0, 1}, {2, 3}}},
      {"never himself", {Waits(1, 1500, 90'000), Waits(1, 1500, 0)}, {}},
      {"one who waits twice plays once",
       {Waits(1, 1500, 30), Waits(1, 1500, 20), Waits(2, 1500, 10), Waits(3, 1500, 0)},
       {{0, 2}}},
      {"two who just played, and nobody else",
       {Waits(1, 1500, 10, 2), Waits(2, 1500, 0)},
       {{0, 1}}},
      {"two who just played, while another waits",
       {Waits(1, 1500, 10, 2), Waits(2, 1500, 9), Waits(3, 1580, 8)},
       {{0, 2}}},
      {"the younger one remembers it",
       {Waits(1, 1500, 10), Waits(2, 1500, 9, 1), Waits(3, 1580, 8)},
       {{0, 2}}},
      {"two who just played, while one out of reach waits",
       {Waits(1, 1500, 14'999, 2), Waits(2, 1500, 9), Waits(3, 2900, 8)},
       {}},
      {"and after a while all the same",
       {Waits(1, 1500, 15'000, 2), Waits(2, 1500, 9), Waits(3, 2900, 8)},
       {{0, 1}}},
      {"a clock that went back makes nobody patient",
       {Waits(1, 1500, -5'000), Waits(2, 1700, -9'000)},
       {}},
  };
  for (const Case& each : cases)
    EXPECT_EQ(PairPlayers(each.waiting, kNow), each.pairs) << each.name;
}

TEST(PairPlayers, KeepsItsPromisesForAnyCrowd) {
  std::mt19937 random(20261);
  std::cout << "seed 20261\n";
  for (int round = 0; round < 300; ++round) {
    std::vector<WaitingPlayer> waiting;
    int64_t waited_ms = 90'000;
    for (size_t i = 0; i < random() % 40; ++i) {
      waited_ms = std::max<int64_t>(0, waited_ms - static_cast<int64_t>(random() % 9'000));
      waiting.push_back(Waits(static_cast<uint8_t>(1 + random() % 25),
                              static_cast<int32_t>(1000 + random() % 1000), waited_ms,
                              static_cast<uint8_t>(random() % 25)));
    }
    const Pairs pairs = PairPlayers(waiting, kNow);
    EXPECT_EQ(PairPlayers(waiting, kNow), pairs) << "every node must want the same";
    std::set<base::PlayerId> seen;
    for (const auto& [older, younger] : pairs) {
      ASSERT_LT(older, younger);
      EXPECT_TRUE(seen.insert(waiting[older].player).second);
      EXPECT_TRUE(seen.insert(waiting[younger].player).second);
      const int64_t waited = (kNow.micros - waiting[older].since.micros) / 1'000;
      EXPECT_LE(std::abs(waiting[older].rating - waiting[younger].rating), RatingWindow(waited));
    }
    // Who has waited for a minute is left over only if nobody else is.
    std::set<base::PlayerId> left;
    bool patient_left = false;
    for (const WaitingPlayer& player : waiting) {
      if (seen.contains(player.player)) continue;
      left.insert(player.player);
      patient_left |= kNow.micros - player.since.micros >= kAnyAfterMs * 1'000;
    }
    if (patient_left) {
      EXPECT_EQ(left.size(), 1u) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace astragal::algorithms
