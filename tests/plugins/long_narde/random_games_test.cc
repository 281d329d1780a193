// Whole random games of every preset: nothing gets stuck, lost or out of bounds.
// ASTRAGAL_RANDOM_GAMES sets the number of games per preset, ASTRAGAL_SEED the seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/plugins/long_narde/game.h"

namespace astragal::long_narde {
namespace {

constexpr uint32_t kListed = 64;

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Tally {
  uint64_t games = 0;
  uint64_t steps = 0;
  uint64_t longest = 0;
  uint32_t widest = 0;
  uint64_t won[2] = {};
  uint64_t drawn = 0;
  uint64_t points = 0;
};

Position StartOf(std::string_view preset) {
  const astragal_about& about = *Table().about;
  std::array<int64_t, kOptionCount> values{};
  for (uint32_t i = 0; i < kOptionCount; ++i) values[i] = about.options[i].default_value;
  for (uint32_t i = 0; i < about.preset_count; ++i) {
    if (about.presets[i].name != preset) continue;
    for (uint32_t k = 0; k < about.presets[i].setting_count; ++k) {
      values[about.presets[i].settings[k].option] = about.presets[i].settings[k].value;
    }
    return StartWith(values);
  }
  ADD_FAILURE() << "no preset " << preset;
  return StartWith(values);
}

void ExpectAllCheckers(const Position& position) {
  astragal_piece pieces[kListed];
  const uint32_t count = Table().pieces(&position, pieces, kListed);
  ASSERT_LE(count, Table().about->max_pieces);
  int total[2] = {};
  for (uint32_t i = 0; i < count; ++i) total[pieces[i].seat] += pieces[i].count;
  ASSERT_EQ(total[kWhite], kCheckers);
  ASSERT_EQ(total[kBlack], kCheckers);
}

// One throw or action of a random player, everything about it checked.
void Step(Position& position, RandomEngine& random, Tally& tally) {
  int64_t actions[kListed];
  const int actor = Table().actor(&position);
  const uint32_t count = Table().actions(&position, actions, kListed);
  ASSERT_LE(count, Table().about->max_actions);
  int64_t action = 0;
  if (actor == ASTRAGAL_CHANCE) {
    ASSERT_EQ(count, 0u);
    action = RandomThrow(position, random);
  } else {
    ASSERT_GE(count, 1u) << "stuck";
    ASSERT_TRUE(std::is_sorted(actions, actions + count, std::less_equal<int64_t>()));
    action = actions[random() % count];
  }
  ASSERT_LE(Table().effects(&position, actor, action, nullptr, 0), Table().about->max_effects);
  astragal_error error = {sizeof(error), {}, {}};
  ASSERT_EQ(Table().apply(&position, actor, action, &error), ASTRAGAL_OK) << error.message;
  ASSERT_EQ(Table().check(&position, &error), ASTRAGAL_OK) << error.message;
  ASSERT_NO_FATAL_FAILURE(ExpectAllCheckers(position));
  tally.widest = std::max(tally.widest, count);
}

void PlayGame(const Position& start, RandomEngine& random, Tally& tally) {
  Position position = start;
  uint64_t length = 0;
  for (; Table().actor(&position) != ASTRAGAL_OVER; ++length) {
    ASSERT_LT(length, Table().about->max_game_actions);
    ASSERT_NO_FATAL_FAILURE(Step(position, random, tally)) << Format(position);
  }
  astragal_seat_result results[2] = {};
  Table().result(&position, results);
  const bool is_draw = results[0].place == results[1].place;
  ASSERT_EQ(results[0].place + results[1].place, is_draw ? 2 : 3);
  ++tally.games;
  tally.steps += length;
  tally.longest = std::max(tally.longest, length);
  tally.points += static_cast<uint64_t>(results[0].points + results[1].points);
  ++(is_draw ? tally.drawn : tally.won[results[0].place == 1 ? kWhite : kBlack]);
}

class PresetGames : public ::testing::TestWithParam<const char*> {};

TEST_P(PresetGames, EndWithEveryChecker) {
  const uint64_t games = FromEnvironment("ASTRAGAL_RANDOM_GAMES", 500);
  const uint64_t seed = FromEnvironment("ASTRAGAL_SEED", 1);
  RandomEngine random(seed);
  const Position start = StartOf(GetParam());
  Tally tally;
  while (tally.games < games) {
    ASSERT_NO_FATAL_FAILURE(PlayGame(start, random, tally))
        << "ASTRAGAL_SEED=" << seed << ", game " << tally.games;
  }
  const auto share = [&](uint64_t of) {
    return static_cast<double>(of) / static_cast<double>(games);
  };
  std::printf(
      "long_narde %s: %llu games from seed %llu, %.1f steps each, longest %llu, widest list %u, "
      "%.3f points, won %llu %llu, drawn %llu\n",
      GetParam(), static_cast<unsigned long long>(games), static_cast<unsigned long long>(seed),
      share(tally.steps), static_cast<unsigned long long>(tally.longest), tally.widest,
      share(tally.points), static_cast<unsigned long long>(tally.won[kWhite]),
      static_cast<unsigned long long>(tally.won[kBlack]),
      static_cast<unsigned long long>(tally.drawn));
}

INSTANTIATE_TEST_SUITE_P(Presets, PresetGames,
                         ::testing::Values("standard", "federation", "azerbaijani", "three_points"),
                         [](const auto& test) { return std::string(test.param); });

TEST(PresetGames, NameEveryPreset) { EXPECT_EQ(Table().about->preset_count, 4u); }

}  // namespace
}  // namespace astragal::long_narde
