// The limits that gRPC itself enforces, and whether anybody but this machine is served.
#ifndef ASTRAGAL_SERVICES_SERVER_TRANSPORT_H_
#define ASTRAGAL_SERVICES_SERVER_TRANSPORT_H_

#include <span>

#include "services/server/options.h"

namespace grpc {
class ServerBuilder;
}  // namespace grpc

namespace astragal::server {

struct TransportLimit {
  const char* argument;  // of the channel; null: set elsewhere
  const char* name;      // as GetServerInfo says it
  int value;
  const char* description;
};

// Longest message that is read at all, so that a somewhat long one (rpc::Calls has the limit) is
// refused with a reason.
inline constexpr int kMaxMessageBytes = 4 * 1024 * 1024;

// What protobuf follows when it reads a message (CodedInputStream::GetDefaultRecursionLimit, which
// a test compares); gRPC refuses with UNIMPLEMENTED what it cannot read.
inline constexpr int kMaxNesting = 100;

std::span<const TransportLimit> TransportLimits();

// The limits, and no compressed messages: they are refused with UNIMPLEMENTED.
void SetTransportLimits(grpc::ServerBuilder& builder);

// A line for the operator in guest mode: what must change before this server faces others.
void WarnGuest(const Options& options);

}  // namespace astragal::server

#endif  // ASTRAGAL_SERVICES_SERVER_TRANSPORT_H_
