// Clocks as they are typed and shown.
#include "services/cli/clock_text.h"

#include <gtest/gtest.h>

namespace astragal::cli {
namespace {

TEST(ClockText, ReadsPolicies) {
  const struct {
    const char* text;
    v1::ClockKind kind;
    int64_t reserve_ms;
    int64_t increment_ms;
  } cases[] = {
      {"delay:14m+8s", v1::CLOCK_KIND_DELAY, 840'000, 8'000},
      {"bronstein:6m+12", v1::CLOCK_KIND_BRONSTEIN, 360'000, 12'000},
      {"fischer:90s+500ms", v1::CLOCK_KIND_FISCHER, 90'000, 500},
      {"fischer:1h", v1::CLOCK_KIND_FISCHER, 3'600'000, 0},
      {"turn:3d", v1::CLOCK_KIND_PER_TURN, 0, 259'200'000},
  };
  for (const auto& [text, kind, reserve_ms, increment_ms] : cases) {
    const auto policy = ReadClockPolicy(text);
    ASSERT_TRUE(policy.ok()) << policy.status();
    EXPECT_EQ(policy->kind(), kind) << text;
    EXPECT_EQ(policy->reserve_ms(), reserve_ms) << text;
    EXPECT_EQ(policy->increment_ms(), increment_ms) << text;
  }
}

TEST(ClockText, RefusesWhatIsNone) {
  for (const char* text :
       {"", "5m+3s", "slow:5m", "delay:", "delay:5x+1s", "delay:5m+", "turn:5s+1s", "turn:-5s",
        "delay:99999999999999999999s", "fischer:5m +3s"}) {
    const auto policy = ReadClockPolicy(text);
    EXPECT_TRUE(absl::IsInvalidArgument(policy.status())) << text;
  }
}

TEST(ClockText, ShowsWhatIsLeft) {
  EXPECT_EQ(RemainingText(0), "0:00.0");
  EXPECT_EQ(RemainingText(7'450), "0:07.4");
  EXPECT_EQ(RemainingText(59'999), "0:59");
  EXPECT_EQ(RemainingText(543'000), "9:03");
  EXPECT_EQ(RemainingText(3'723'000), "1:02:03");
  EXPECT_EQ(RemainingText(187'200'000), "2d 4:00:00");
  v1::SeatClock clock;
  clock.set_reserve_ms(840'000);
  clock.set_turn_ms(8'000);
  EXPECT_EQ(SeatClockText(clock), "14:00 +0:08.0");
}

}  // namespace
}  // namespace astragal::cli
