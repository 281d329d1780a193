// Whole random games: nothing gets stuck, lost or out of bounds. ASTRAGAL_RANDOM_GAMES sets the
// number of games per preset, ASTRAGAL_SEED the first seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "tests/plugins/patolli/driver.h"

namespace astragal::patolli_test {
namespace {

struct Tally {
  uint64_t games = 0;
  uint64_t throws = 0;
  uint64_t longest = 0;
  uint64_t won[2] = {};
};

// Coins of both sides and the pot.
struct Coins {
  int64_t side[2] = {};
  int64_t pot = 0;
  bool operator==(const Coins&) const = default;
};

Coins CoinsOf(const Bytes& position) {
  astragal_counter counters[16];
  const uint32_t count = Table().counters(position.get(), counters, 16);
  EXPECT_LE(count, Table().about->max_counters);
  Coins coins;
  for (uint32_t i = 0; i < count; ++i) {
    if (std::string_view(counters[i].name) == "pot") coins.pot = counters[i].value;
    if (std::string_view(counters[i].name) == "coins") {
      coins.side[counters[i].seat] = counters[i].value;
    }
  }
  return coins;
}

// What the effects say has become of the coins.
void Settle(const Bytes& before, int actor, int64_t action, Coins& coins) {
  astragal_effect effects[16];
  const uint32_t count = Table().effects(before.get(), actor, action, effects, 16);
  ASSERT_GE(count, 1u);
  ASSERT_LE(count, Table().about->max_effects);
  for (uint32_t i = 0; i < count; ++i) {
    const astragal_effect& effect = effects[i];
    if (effect.kind == ASTRAGAL_EFFECT_PAY) {
      coins.side[effect.seat] -= effect.amount;
      (effect.to < 0 ? coins.pot : coins.side[effect.to]) += effect.amount;
    }
    if (effect.kind == ASTRAGAL_EFFECT_TAKE) {
      coins.side[effect.seat] += effect.amount;
      coins.pot -= effect.amount;
    }
  }
}

void ExpectAllPieces(const Bytes& position) {
  astragal_piece pieces[16];
  const uint32_t count = Table().pieces(position.get(), pieces, 16);
  ASSERT_LE(count, Table().about->max_pieces);
  int total[2] = {};
  for (uint32_t i = 0; i < count; ++i) {
    total[pieces[i].seat] += pieces[i].count;
    ASSERT_TRUE(i == 0 || pieces[i].place > pieces[i - 1].place);
    ASSERT_TRUE(pieces[i].place >= 60 || pieces[i].count == 1);
  }
  ASSERT_EQ(total[0], 6);
  ASSERT_EQ(total[1], 6);
}

// One throw or action of a random player, everything about it checked.
void Step(Bytes& position, std::mt19937_64& random, Coins& coins, Tally& tally) {
  int64_t actions[8];
  const int actor = Table().actor(position.get());
  const uint32_t count = Table().actions(position.get(), actions, 8);
  int64_t action = 0;
  if (actor == ASTRAGAL_CHANCE) {
    ASSERT_EQ(count, 0u);
    ++tally.throws;
    action = DrawThrow(position, random);
  } else {
    ASSERT_GE(count, 1u);
    ASSERT_LE(count, Table().about->max_actions);
    ASSERT_TRUE(std::is_sorted(actions, actions + count, std::less_equal<int64_t>()));
    action = actions[random() % count];
  }
  ASSERT_NO_FATAL_FAILURE(Settle(position, actor, action, coins));
  astragal_error error{};
  error.struct_size = sizeof(error);
  ASSERT_EQ(Table().apply(position.get(), actor, action, &error), ASTRAGAL_OK) << error.message;
  ASSERT_EQ(Table().check(position.get(), &error), ASTRAGAL_OK) << error.message;
  ASSERT_EQ(CoinsOf(position), coins);
  ASSERT_EQ(coins.side[0] + coins.side[1] + coins.pot, 0);
  ASSERT_NO_FATAL_FAILURE(ExpectAllPieces(position));
}

void PlayGame(const std::vector<int64_t>& options, uint64_t seed, Tally& tally) {
  std::mt19937_64 random(seed);
  Bytes position = Start(options);
  Coins coins = CoinsOf(position);
  const uint64_t thrown_before = tally.throws;
  for (uint64_t steps = 0; Table().actor(position.get()) != ASTRAGAL_OVER; ++steps) {
    ASSERT_LT(steps, Table().about->max_game_actions) << "seed " << seed;
    ASSERT_NO_FATAL_FAILURE(Step(position, random, coins, tally))
        << "seed " << seed << ", " << ToText(position);
  }
  ++tally.games;
  tally.longest = std::max(tally.longest, tally.throws - thrown_before);
  astragal_seat_result results[2] = {};
  Table().result(position.get(), results);
  ASSERT_EQ(results[0].place + results[1].place, 3);
  ASSERT_EQ(results[0].points + results[1].points, 1);
  ++tally.won[results[0].place == 1 ? 0 : 1];
}

void Print(const std::string& name, uint64_t seed, const Tally& tally) {
  std::printf(
      "%s: %llu games from seed %llu, %.1f throws on average, longest %llu, won by red "
      "%llu, green %llu\n",
      name.c_str(), static_cast<unsigned long long>(tally.games),
      static_cast<unsigned long long>(seed),
      static_cast<double>(tally.throws) / static_cast<double>(tally.games),
      static_cast<unsigned long long>(tally.longest), static_cast<unsigned long long>(tally.won[0]),
      static_cast<unsigned long long>(tally.won[1]));
}

class RandomGames : public ::testing::TestWithParam<const char*> {};

TEST_P(RandomGames, EndWithEveryPieceAndCoin) {
  const uint64_t games = FromEnvironment("ASTRAGAL_RANDOM_GAMES", 1000);
  const uint64_t seed = FromEnvironment("ASTRAGAL_SEED", 1);
  Tally tally;
  for (uint64_t game = 0; game < games; ++game) {
    ASSERT_NO_FATAL_FAILURE(PlayGame(PresetValues(GetParam()), seed + game, tally));
  }
  Print(GetParam(), seed, tally);
}

INSTANTIATE_TEST_SUITE_P(Preset, RandomGames, ::testing::Values("standard", "bell"),
                         [](const auto& param) { return std::string(param.param); });

TEST(RandomOptionGames, EndWithEveryPieceAndCoin) {
  const uint64_t games = FromEnvironment("ASTRAGAL_RANDOM_GAMES", 1000) / 2;
  const uint64_t seed = FromEnvironment("ASTRAGAL_SEED", 1);
  std::mt19937_64 random(seed);
  Tally tally;
  for (uint64_t game = 0; game < games; ++game) {
    ASSERT_NO_FATAL_FAILURE(PlayGame(RandomOptions(random), seed + game, tally));
  }
  Print("random options", seed, tally);
}

}  // namespace
}  // namespace astragal::patolli_test
