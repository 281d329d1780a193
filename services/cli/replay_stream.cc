#include "services/cli/replay_stream.h"

#include <cstdint>

#include "absl/time/clock.h"
#include "services/base/random.h"
#include "services/cli/retry.h"

namespace astragal::cli {
namespace {

constexpr int kTries = 12;

}  // namespace

absl::Status StreamReplay(Context& context, v1::StreamReplayRequest request,
                          const std::function<bool(const v1::StreamReplayResponse&)>& take) {
  base::SystemRandom random;
  Backoff backoff(random);
  uint32_t taken = 0;
  for (int tries = 1;; ++tries) {
    StreamStop stop;
    const absl::Status status =
        context.Anonymous().Stream(request, stop, [&](const v1::StreamReplayResponse& step) {
          if (step.event().sequence() <= taken) return true;
          taken = step.event().sequence();
          tries = 0;
          backoff.Reset();
          return take(step);
        });
    if (status.ok() || !IsWorthRepeating(status) || tries == kTries) return status;
    absl::SleepFor(backoff.Next(status));
    // With the last one again: behind the end there is nothing to ask for.
    if (taken > 0) request.set_from_sequence(taken);
  }
}

}  // namespace astragal::cli
