#include "services/cli/retry.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "services/base/status.h"
#include "services/cli/call_status.h"

namespace astragal::cli {

bool IsWorthRepeating(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
      return true;
    case absl::StatusCode::kAborted:
    case absl::StatusCode::kCancelled:  // this program cancels no call: a server that went down did
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kInternal:
      // The server itself names a reason; without one it was the connection that broke.
      return ReasonWordOf(status).empty();
    default:
      return base::IsTransient(status);
  }
}

absl::Duration Backoff::Next(const absl::Status& status) {
  std::array<uint8_t, 1> byte{};
  random_.Fill(byte);
  const absl::Duration wait = next_ - next_ * byte[0] / 512;
  next_ = std::min(next_ * 2, kMost);
  return std::max(wait, RetryDelayOf(status).value_or(absl::ZeroDuration()));
}

}  // namespace astragal::cli
