#include "services/cli/wire.h"

#include "absl/strings/str_cat.h"
#include "services/cli/call_status.h"
#include "services/cli/channel.h"

namespace astragal::cli {
namespace {

// A restarted server is found again within a second.
constexpr int kReconnectFirstMs = 100;
constexpr int kReconnectMostMs = 1'000;

// A failure of the connection itself says nothing about where it looked.
absl::Status WithPlace(const absl::Status& status, const std::string& server) {
  const bool unnamed = status.code() == absl::StatusCode::kUnavailable ||
                       status.code() == absl::StatusCode::kDeadlineExceeded;
  if (!unnamed || !ReasonWordOf(status).empty()) return status;
  return absl::Status(status.code(),
                      absl::StrCat("no answer from ", server, " (", status.message(), ")"));
}

}  // namespace

std::shared_ptr<grpc::Channel> Connect(const std::string& server) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kReconnectFirstMs);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kReconnectFirstMs);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kReconnectMostMs);
  return OpenChannel(server, arguments);
}

void Identify(grpc::ClientContext& context, const std::string& key) {
  if (!key.empty()) context.AddMetadata("authorization", "Bearer " + key);
}

absl::Status StatusFrom(const grpc::Status& status, const std::string& server) {
  return WithPlace(
      DecodeStatus(status.error_code(), status.error_message(), status.error_details()), server);
}

}  // namespace astragal::cli
