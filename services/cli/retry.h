// Which failures a repeat of the same call can cure, and how long to wait before it. Every mutation
// carries its request id, so a repeat never acts twice.
#ifndef ASTRAGAL_SERVICES_CLI_RETRY_H_
#define ASTRAGAL_SERVICES_CLI_RETRY_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "services/base/random.h"

namespace astragal::cli {

// True for an unreachable, busy or draining server, and for a call whose outcome is not known
// because time or the connection ended first.
bool IsWorthRepeating(const absl::Status& status);

// Waits that grow from 100 ms to 2 s, each shortened at random by up to a half, so that many
// clients do not come back at once. A value; not thread-safe.
class Backoff {
 public:
  static constexpr absl::Duration kFirst = absl::Milliseconds(100);
  static constexpr absl::Duration kMost = absl::Seconds(2);

  explicit Backoff(base::Random& random) : random_(random) {}
  // The wait before the next repeat: at least what the server asks for in `status`.
  absl::Duration Next(const absl::Status& status);
  void Reset() { next_ = kFirst; }

 private:
  base::Random& random_;
  absl::Duration next_ = kFirst;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_RETRY_H_
