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

struct LagCase {
  const char* name;
  ClockPolicy policy;
  int64_t measured_ms;
  int64_t took_ms;
  int64_t turn_given_ms;  // before, in this turn
  int64_t game_given_ms;  // before, that included
  int64_t credit_ms;
};

class Lags : public testing::TestWithParam<LagCase> {};

TEST_P(Lags, AreGivenBackWithinBounds) {
  const LagCase& lag = GetParam();
  GameClock clock = NewClock(Terms(lag.policy), 2);
  RunClock(clock, 1, At(0));
  clock.lag_us = {9'000'000, (lag.game_given_ms - lag.turn_given_ms) * 1'000};
  GiveLagBack(clock, lag.turn_given_ms * 1'000);
  EXPECT_EQ(clock.lag_us[1], lag.game_given_ms * 1'000);
  const int64_t credit = LagCredit(lag.policy, clock, lag.measured_ms * 1'000, At(lag.took_ms));
  EXPECT_EQ(credit, lag.credit_ms * 1'000);
  const std::optional<Instant> deadline = DeadlineOf(lag.policy, clock);
  GiveLagBack(clock, credit);
  EXPECT_EQ(DeadlineOf(lag.policy, clock)->micros, deadline->micros + credit);
  EXPECT_EQ(LagCredit(lag.policy, clock, lag.measured_ms * 1'000, At(lag.took_ms)), 0)
      << "once a turn";
  EXPECT_EQ(clock.lag_us[0], 9'000'000) << "the other seat's";
  StopClock(lag.policy, clock, At(lag.took_ms));
  EXPECT_EQ(clock.turn_lag_us, 0);
  EXPECT_EQ(clock.lag_us[1], (lag.game_given_ms + lag.credit_ms) * 1'000);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Lags,
    testing::Values(LagCase{"Measured", kFischer, 300, 5'000, 0, 0, 300},
                    LagCase{"Nothing", kFischer, 0, 5'000, 0, 0, 0},
                    LagCase{"ASecondATurn", kFischer, 3'000, 5'000, 0, 0, 1'000},
                    LagCase{"NotTwice", kFischer, 300, 5'000, 300, 300, 0},
                    LagCase{"MoreThanBefore", kFischer, 500, 5'000, 300, 300, 200},
                    LagCase{"HalfAMinuteAGame", kFischer, 800, 5'000, 0, 29'700, 300},
                    LagCase{"NoMore", kFischer, 800, 5'000, 0, 30'000, 0},
                    LagCase{"NotMoreThanItTook", kFischer, 300, 200, 0, 0, 200},
                    LagCase{"FreeTime", kDelay, 300, 8'000, 0, 0, 0},
                    LagCase{"PartlyFree", kDelay, 300, 8'100, 0, 0, 100},
                    LagCase{"BeyondFree", kDelay, 300, 11'000, 0, 0, 300},
                    LagCase{"PerTurnInTime", kPerTurn, 300, 19'000, 0, 0, 0},
                    LagCase{"PerTurnLate", kPerTurn, 300, 20'200, 0, 0, 200}),
    [](const testing::TestParamInfo<LagCase>& lag) { return lag.param.name; });

TEST(GameClock, ATurnCostsItsLagLess) {
  GameClock clock = NewClock(Terms(kFischer), 2);
  RunClock(clock, 0, At(0));
  GiveLagBack(clock, 400'000);
  StopClock(kFischer, clock, At(5'000));
  EXPECT_EQ(clock.reserve_us[0], (60'000 - 5'000 + 400 + 8'000) * 1'000);
  RunClock(clock, 1, At(5'000));
  GameClock still = NewClock(Terms(kFischer), 2);
  GiveLagBack(still, 400'000);
  EXPECT_EQ(still, NewClock(Terms(kFischer), 2)) << "nobody's clock runs";
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
