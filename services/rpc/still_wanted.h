// Whether somebody still waits for the answer to a call: what long work asks now and then.
#ifndef ASTRAGAL_SERVICES_RPC_STILL_WANTED_H_
#define ASTRAGAL_SERVICES_RPC_STILL_WANTED_H_

#include <grpcpp/server_context.h>

#include <chrono>

#include "absl/status/status.h"

namespace astragal::rpc {

// DEADLINE_EXCEEDED once the call's time is up, CANCELLED once its caller has hung up or is gone.
// Until the call is finished; any thread.
inline absl::Status StillWanted(const grpc::CallbackServerContext& context) {
  if (context.deadline() <= std::chrono::system_clock::now()) {
    return absl::DeadlineExceededError("the time of the call is up");
  }
  if (context.IsCancelled()) return absl::CancelledError("the caller does not wait any longer");
  return absl::OkStatus();
}

}  // namespace astragal::rpc

#endif  // ASTRAGAL_SERVICES_RPC_STILL_WANTED_H_
