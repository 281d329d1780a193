#include "services/base/clock.h"

#include <gtest/gtest.h>

#include <chrono>

namespace astragal::base {
namespace {

int64_t WallMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

TEST(ManualClock, MovesWhenTold) {
  ManualClock clock({1'000});
  EXPECT_EQ(clock.Now(), Instant{1'000});
  clock.Advance(25);
  EXPECT_EQ(clock.Now(), Instant{1'025});
  clock.Advance(-5);
  EXPECT_EQ(clock.Now(), Instant{1'020});
  EXPECT_LT(Instant{1}, Instant{2});
}

TEST(DatabaseClock, IsTheWallClockUntilTheDatabaseSpeaks) {
  const DatabaseClock clock;
  const int64_t before = WallMicros();
  const int64_t now = clock.Now().micros;
  // Generous: a busy machine may stop between the readings.
  EXPECT_NEAR(static_cast<double>(now), static_cast<double>(before), 10e6);
  EXPECT_LE(clock.Now(), clock.Now());
}

TEST(DatabaseClock, TakesTheMiddleOfTheRoundTrip) {
  DatabaseClock clock;
  // The database's clock is an hour ahead and the answer took two seconds.
  const int64_t steady = DatabaseClock::SteadyMicros();
  const int64_t hour = int64_t{3'600} * 1'000'000;
  clock.Observe({steady + hour}, steady - 1'000'000, steady + 1'000'000);
  const int64_t ahead = clock.Now().micros - DatabaseClock::SteadyMicros();
  EXPECT_NEAR(static_cast<double>(ahead), static_cast<double>(hour), 1e6);
  // It may be set back: the clock follows.
  clock.Observe({steady - hour}, steady, steady);
  EXPECT_LT(clock.Now().micros, steady);
}

}  // namespace
}  // namespace astragal::base
