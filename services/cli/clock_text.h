// Clocks as a person types and reads them. Pure.
#ifndef ASTRAGAL_SERVICES_CLI_CLOCK_TEXT_H_
#define ASTRAGAL_SERVICES_CLI_CLOCK_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "astragal/v1/game.pb.h"

namespace astragal::cli {

// KIND:RESERVE+INCREMENT, for example "delay:14m+8s", "bronstein:6m+12s", "fischer:5m+3s", or
// "turn:20s" and "turn:3d". A time is a number with d, h, m, s or ms; a bare number is seconds.
// INVALID_ARGUMENT says what is wrong and how it is written.
absl::StatusOr<v1::ClockPolicy> ReadClockPolicy(std::string_view text);
absl::StatusOr<int64_t> ReadDurationMs(std::string_view text);

// "9:03", "1:02:03", "2d 4:00:00"; tenths below ten seconds: "0:07.4".
std::string RemainingText(int64_t ms);
// The clocks of a game, seat by seat: "14:00", with "+0:08" of a turn that is still free.
std::string SeatClockText(const v1::SeatClock& clock);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_CLOCK_TEXT_H_
