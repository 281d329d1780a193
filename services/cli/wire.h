// How calls are made: one channel, the caller's key, and what is worth repeating again and again
// until time is up. Internal to the clients (client.cc, rating_client.cc).
#ifndef ASTRAGAL_SERVICES_CLI_WIRE_H_
#define ASTRAGAL_SERVICES_CLI_WIRE_H_

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "services/cli/client.h"
#include "services/cli/retry.h"

namespace astragal::cli {

std::shared_ptr<grpc::Channel> Connect(const std::string& server);
void Identify(grpc::ClientContext& context, const std::string& key);
// With the server's name where nothing answered.
absl::Status StatusFrom(const grpc::Status& status, const std::string& server);

template <typename Request>
concept Mutation = requires(Request request) {
  request.mutable_request_id();
};

// Gives a mutation a request id, unless it has one, and repeats what can be repeated until
// options.timeout is over. `attempt` is how long one try may take.
template <typename Stub, typename Request, typename Response>
absl::StatusOr<Response> CallUnary(const Client::Options& options, base::Random& random, Stub& stub,
                                   grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                                const Request&, Response*),
                                   Request request, absl::Duration attempt) {
  if constexpr (Mutation<Request>) {
    if (request.request_id().empty()) request.set_request_id(NewRequestId(random));
  }
  Backoff backoff(random);
  const absl::Time end = absl::Now() + options.timeout;
  for (;;) {
    grpc::ClientContext context;
    Identify(context, options.key);
    context.set_deadline(absl::ToChronoTime(std::min(end, absl::Now() + attempt)));
    Response response;
    absl::Status status = StatusFrom((stub.*method)(&context, request, &response), options.server);
    if (status.ok()) return response;
    const absl::Duration wait = backoff.Next(status);
    if (!IsWorthRepeating(status) || absl::Now() + wait >= end) return status;
    if (options.on_repeat) options.on_repeat(status);
    absl::SleepFor(wait);
  }
}

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_WIRE_H_
