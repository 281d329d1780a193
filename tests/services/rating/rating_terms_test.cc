// Names of pools, and profiles that an operator changes.
#include "services/core/rating_terms.h"

#include <gtest/gtest.h>

namespace astragal::core {
namespace {

using storage::ClockKind;
using storage::ClockPolicy;

TEST(SpeedTest, IsByTheSecondsOfAPlayerAndGame) {
  const struct {
    const char* name;
    ClockPolicy clock;
    Speed speed;
  } cases[] = {
      {"no clock", {}, Speed::kDays},
      {"Long Narde to 3 points, blitz: 1 min + 10 s",
       {ClockKind::kDelay, 60'000, 10'000},
       Speed::kBlitz},
      {"just blitz", {ClockKind::kDelay, 599'999, 0}, Speed::kBlitz},
      {"just standard", {ClockKind::kDelay, 600'000, 0}, Speed::kStandard},
      {"Long Narde to 7 points: 14 min + 8 s",
       {ClockKind::kDelay, 840'000, 8'000},
       Speed::kStandard},
      {"30 s a turn", {ClockKind::kPerTurn, 0, 30'000}, Speed::kStandard},
      {"an hour a turn", {ClockKind::kPerTurn, 0, 3'600'000}, Speed::kDays},
      {"a year a turn", {ClockKind::kPerTurn, 0, int64_t{31'536'000'000}}, Speed::kDays},
  };
  for (const auto& [name, clock, speed] : cases) EXPECT_EQ(SpeedOf(clock), speed) << name;
}

host::About SomeRuleset() {
  host::About about;
  about.id = "game";
  host::Option players;
  players.name = "players";
  players.keeps_balance = players.is_seats = true;
  players.default_value = 2;
  host::Option stake;
  stake.name = "stake";
  stake.default_value = 20;
  host::Option prime;
  prime.name = "prime";
  prime.is_choice = true;
  prime.choices = {"none", "ahead"};
  host::Option first;
  first.name = "first";
  first.keeps_balance = true;
  about.options = {players, stake, prime, first};
  return about;
}

TEST(PoolNameTest, NamesWhatChangesTheBalance) {
  const host::About about = SomeRuleset();
  const ClockPolicy clock{ClockKind::kDelay, 840'000, 8'000};
  const struct {
    std::vector<int64_t> options;
    int seats;
    bool bots;
    const char* name;
  } cases[] = {
      {{2, 20, 0, 0}, 2, false, "game/2/standard/human"},
      {{2, 20, 0, 1}, 2, false, "game/2/standard/human"},
      {{3, 20, 0, 0}, 3, true, "game/3-4/standard/bot"},
      {{4, 20, 0, 0}, 4, false, "game/3-4/standard/human"},
      {{2, 30, 1, 0}, 2, false, "game/2/standard/human/stake=30,prime=ahead"},
  };
  for (const auto& [options, seats, bots, name] : cases) {
    EXPECT_EQ(PoolName(about, options, seats, clock, bots).value(), name);
  }
  EXPECT_FALSE(PoolName(about, {2}, 2, clock, false).ok());
}

TEST(RatingProfilesTest, ChangeOneRulesetOrAll) {
  const auto profiles = RatingProfiles::Parse(
      "# what we found\n* tau=0.4\nlong_narde start_deviation=120 fibs=no  # measured\n\n");
  ASSERT_TRUE(profiles.ok()) << profiles.status();
  EXPECT_EQ(profiles->For("long_narde").start.deviation, 120);
  EXPECT_EQ(profiles->For("long_narde").tau, 0.4);
  EXPECT_FALSE(profiles->For("long_narde").fibs);
  EXPECT_EQ(profiles->For("patolli").tau, 0.4);
  EXPECT_TRUE(RatingProfiles().For("long_narde").fibs);
  const auto wrong = RatingProfiles::Parse("* tau=0.4\npatolli tau=9\n");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.status().message().find("line 2"), std::string::npos) << wrong.status();
}

}  // namespace
}  // namespace astragal::core
