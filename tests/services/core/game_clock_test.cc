// What each kind of clock takes for a turn, and when time is up.
#include "services/core/game_clock.h"

#include <gtest/gtest.h>

#include "services/base/status.h"

namespace astragal::core {
namespace {

using base::Instant;
using storage::ClockKind;
using storage::ClockPolicy;

constexpr Instant At(int64_t ms) { return {1'700'000'000'000'000 + ms * 1'000}; }

storage::GameTerms Terms(ClockPolicy policy) {
  storage::GameTerms terms;
  terms.clock = policy;
  return terms;
}

struct Turn {
  const char* name;
  ClockPolicy policy;
  int64_t took_ms;
  int64_t reserve_after_ms;
  int64_t deadline_ms;  // from the turn's start
};

class OneTurn : public testing::TestWithParam<Turn> {};

TEST_P(OneTurn, CostsWhatThePolicySays) {
  const Turn& turn = GetParam();
  GameClock clock = NewClock(Terms(turn.policy), 2);
  RunClock(clock, 0, At(0));
  EXPECT_EQ(DeadlineOf(turn.policy, clock), At(turn.deadline_ms));
  EXPECT_FALSE(InFirstTurn(turn.policy, clock));
  StopClock(turn.policy, clock, At(turn.took_ms));
  EXPECT_EQ(clock.reserve_us[0], turn.reserve_after_ms * 1'000);
  EXPECT_EQ(clock.reserve_us[1], turn.policy.reserve_ms * 1'000) << "the other's stood still";
  EXPECT_EQ(DeadlineOf(turn.policy, clock), std::nullopt);
}

constexpr ClockPolicy kDelay{ClockKind::kDelay, 60'000, 8'000, 0};
constexpr ClockPolicy kBronstein{ClockKind::kBronstein, 60'000, 8'000, 0};
constexpr ClockPolicy kFischer{ClockKind::kFischer, 60'000, 8'000, 0};
constexpr ClockPolicy kPerTurn{ClockKind::kPerTurn, 0, 20'000, 0};

INSTANTIATE_TEST_SUITE_P(Kinds, OneTurn,
                         testing::Values(Turn{"DelayWithin", kDelay, 5'000, 60'000, 68'000},
                                         Turn{"DelayBeyond", kDelay, 11'000, 57'000, 68'000},
                                         Turn{"BronsteinWithin", kBronstein, 5'000, 60'000, 60'000},
                                         Turn{"BronsteinBeyond", kBronstein, 11'000, 57'000,
                                              60'000},
                                         Turn{"FischerWithin", kFischer, 5'000, 63'000, 60'000},
                                         Turn{"FischerBeyond", kFischer, 11'000, 57'000, 60'000},
                                         Turn{"FischerToTheEnd", kFischer, 70'000, 0, 60'000},
                                         Turn{"PerTurn", kPerTurn, 19'000, 0, 20'000}),
                         [](const testing::TestParamInfo<Turn>& turn) { return turn.param.name; });

TEST(GameClock, TheFirstTurnIsFreeInItsWindow) {
  const ClockPolicy policy{ClockKind::kFischer, 60'000, 8'000, 30'000};
  GameClock clock = NewClock(Terms(policy), 2);
  RunClock(clock, 1, At(0));
  EXPECT_TRUE(InFirstTurn(policy, clock));
  EXPECT_EQ(DeadlineOf(policy, clock), At(30'000));
  StopClock(policy, clock, At(29'000));
  EXPECT_EQ(clock.reserve_us[1], 60'000'000) << "neither taken nor added";
  RunClock(clock, 1, At(40'000));
  EXPECT_FALSE(InFirstTurn(policy, clock));
  EXPECT_EQ(DeadlineOf(policy, clock), At(100'000));
}

TEST(GameClock, CreditIsNotCounted) {
  GameClock clock = NewClock(Terms(kDelay), 2);
  RunClock(clock, 0, At(0));
  clock.credit_us = 90'000'000;
  EXPECT_EQ(DeadlineOf(kDelay, clock), At(68'000 + 90'000));
  const ClockReading reading = ReadClock(kDelay, clock, 0, At(95'000));
  EXPECT_EQ(reading.reserve_us, 60'000'000);
  EXPECT_EQ(reading.turn_us, 3'000'000);
  StopClock(kDelay, clock, At(100'000));
  EXPECT_EQ(clock.reserve_us[0], 58'000'000);
  EXPECT_EQ(clock.credit_us, 0);
}

TEST(GameClock, AMatchClockGoesOn) {
  storage::GameTerms terms = Terms(kDelay);
  terms.reserves_ms = {1'000, 2'000};
  const GameClock clock = NewClock(terms, 2);
  EXPECT_EQ(clock.reserve_us, (std::vector<int64_t>{1'000'000, 2'000'000}));
}

TEST(GameClock, WithoutAClockNothingRuns) {
  GameClock clock = NewClock(Terms({}), 3);
  RunClock(clock, 2, At(0));
  EXPECT_EQ(clock.running, -1);
  EXPECT_EQ(DeadlineOf({}, clock), std::nullopt);
  EXPECT_TRUE(FaceOf({}, clock, At(5)).seats.empty());
}

TEST(ClockPolicy, Bounds) {
  const struct {
    const char* name;
    ClockPolicy policy;
    const char* field;  // nullptr: good
  } cases[] = {
      {"none", {}, nullptr},
      {"delay", kDelay, nullptr},
      {"three days a turn", {ClockKind::kPerTurn, 0, 3 * 86'400'000, 0}, nullptr},
      {"no kind", {ClockKind::kNone, 60'000, 0, 0}, "clock_policy.kind"},
      {"no reserve", {ClockKind::kFischer, 0, 8'000, 0}, "clock_policy.reserve_ms"},
      {"reserve per turn", {ClockKind::kPerTurn, 1'000, 8'000, 0}, "clock_policy.reserve_ms"},
      {"no time for a turn", {ClockKind::kPerTurn, 0, 999, 0}, "clock_policy.increment_ms"},
      {"negative", {ClockKind::kDelay, 60'000, -1, 0}, "clock_policy.increment_ms"},
      {"for years", {ClockKind::kDelay, kMaxReserveMs + 1, 0, 0}, "clock_policy.reserve_ms"},
      {"window", {ClockKind::kDelay, 60'000, 0, kMaxFirstTurnMs + 1}, "clock_policy.first_turn_ms"},
  };
  for (const auto& [name, policy, field] : cases) {
    const absl::Status status = CheckClockPolicy(policy);
    EXPECT_EQ(status.ok(), field == nullptr) << name;
    if (field != nullptr) {
      EXPECT_EQ(base::DetailsOf(status)["field"], field) << name;
    }
  }
}

}  // namespace
}  // namespace astragal::core
