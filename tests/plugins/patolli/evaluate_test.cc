// The estimate: in its bounds, certain at the end, and good enough to play by.
#include <gtest/gtest.h>

#include <random>

#include "tests/plugins/patolli/driver.h"

namespace astragal::patolli_test {
namespace {

int64_t Greedy(const Bytes& position, int seat) {
  int64_t best = -1;
  int best_value = -1;
  for (const int64_t action : Actions(position)) {
    const Bytes after = Apply(position, seat, action);
    const int value = Table().evaluate(after.get(), seat);
    if (value <= best_value) continue;
    best = action;
    best_value = value;
  }
  return best;
}

// Seat that wins when `greedy` plays by the estimate and the other one at random.
int Winner(const Bytes& start, int greedy, std::mt19937_64& random) {
  Bytes position = start;
  while (Table().actor(position.get()) != ASTRAGAL_OVER) {
    const int actor = Table().actor(position.get());
    if (actor == greedy) {
      position = Apply(position, actor, Greedy(position, actor));
    } else {
      RandomStep(position, random);
    }
  }
  astragal_seat_result results[2] = {};
  Table().result(position.get(), results);
  return results[0].place == 1 ? 0 : 1;
}

TEST(Evaluate, GreedyBeatsRandom) {
  const int games = static_cast<int>(FromEnvironment("ASTRAGAL_RANDOM_GAMES", 1000));
  const uint64_t seed = FromEnvironment("ASTRAGAL_SEED", 11);
  for (const char* preset : {"standard", "bell"}) {
    std::mt19937_64 random(seed);
    int won = 0;
    for (int game = 0; game < games; ++game) {
      if (Winner(Start(PresetValues(preset)), game % 2, random) == game % 2) ++won;
    }
    std::printf("%s: greedy won %d of %d against random, seed %llu\n", preset, won, games,
                static_cast<unsigned long long>(seed));
    EXPECT_GT(won, games * 6 / 10);
  }
}

TEST(Evaluate, BoundsAndEnds) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random(seed);
    Bytes position = Start(RandomOptions(random));
    while (Table().actor(position.get()) != ASTRAGAL_OVER) {
      for (int seat = 0; seat < 2; ++seat) {
        const int value = Table().evaluate(position.get(), seat);
        ASSERT_GT(value, 0);
        ASSERT_LT(value, 1000);
      }
      RandomStep(position, random);
    }
    EXPECT_EQ(Table().evaluate(position.get(), 0) + Table().evaluate(position.get(), 1), 1000);
    astragal_seat_result results[2] = {};
    Table().result(position.get(), results);
    EXPECT_EQ(Table().evaluate(position.get(), 0), results[0].place == 1 ? 1000 : 0);
  }
}

}  // namespace
}  // namespace astragal::patolli_test
