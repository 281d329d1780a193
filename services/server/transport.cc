#include "services/server/transport.h"

#include <grpcpp/server_builder.h>

#include <array>

#include "services/base/log.h"

namespace astragal::server {
namespace {

constexpr std::array kLimits = {
    TransportLimit{nullptr, "message_bytes", kMaxMessageBytes,
                   "bytes of a message; longer ones are not even read"},
    TransportLimit{nullptr, "nesting", kMaxNesting,
                   "messages within messages; deeper ones are not read"},
    TransportLimit{GRPC_ARG_MAX_METADATA_SIZE, "metadata_bytes", 8'192,
                   "bytes of a call's metadata"},
    TransportLimit{GRPC_ARG_MAX_CONCURRENT_STREAMS, "streams_per_connection", 2'048,
                   "calls and streams at a time on one connection"},
    TransportLimit{GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, "ping_interval_ms",
                   10'000, "milliseconds between keepalive pings of a client; faster ones are cut"},
    TransportLimit{GRPC_ARG_KEEPALIVE_TIME_MS, "keepalive_ms", 30'000,
                   "milliseconds until the server asks a silent client whether it lives"},
    TransportLimit{GRPC_ARG_KEEPALIVE_TIMEOUT_MS, "keepalive_timeout_ms", 10'000,
                   "milliseconds that its answer may take"},
    TransportLimit{GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, "keepalive_without_calls", 1,
                   "1: also of clients without a call"},
};

// What a client may have compressed its messages with: nothing. A few bytes could stand for
// megabytes, and gRPC unpacks before anything here sees the call.
constexpr std::array kNoCompression = {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP};

}  // namespace

std::span<const TransportLimit> TransportLimits() { return kLimits; }

void SetTransportLimits(grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  for (const grpc_compression_algorithm algorithm : kNoCompression) {
    builder.SetCompressionAlgorithmSupportStatus(algorithm, false);
  }
  for (const TransportLimit& limit : kLimits) {
    if (limit.argument != nullptr) builder.AddChannelArgument(limit.argument, limit.value);
  }
}

void WarnGuest(const Options& options) {
  if (LimitsEnforced(options)) return;
  base::Log(
      base::Severity::kInfo,
      "guest mode: only this machine is served, anybody may make players, and calls are not "
      "limited. Before others are let in: --tls-cert and --tls-key or --behind-proxy, a "
      "database of its own with --database-url, and backups; see README, Beyond this machine");
}

}  // namespace astragal::server
