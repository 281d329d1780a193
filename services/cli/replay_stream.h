// The replay of a game, as one stream even when servers go down meanwhile: it goes on after the
// last event that came.
#ifndef ASTRAGAL_SERVICES_CLI_REPLAY_STREAM_H_
#define ASTRAGAL_SERVICES_CLI_REPLAY_STREAM_H_

#include <functional>

#include "absl/status/status.h"
#include "astragal/v1/history_service.pb.h"
#include "services/cli/context.h"

namespace astragal::cli {

// Calls `take` with each event once and in order, until it returns false. Blocks; gives up after a
// dozen tries in a row that brought no event, which takes about twenty seconds.
absl::Status StreamReplay(Context& context, v1::StreamReplayRequest request,
                          const std::function<bool(const v1::StreamReplayResponse&)>& take);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_REPLAY_STREAM_H_
