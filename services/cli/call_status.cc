#include "services/cli/call_status.h"

#include <array>
#include <charconv>

#include "absl/strings/cord.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "services/base/status.h"

namespace astragal::cli {
namespace {

constexpr std::string_view kReasonUrl = "astragal/reason";
constexpr std::string_view kDetailUrl = "astragal/";
constexpr std::string_view kRetryKey = "retry_after_ms";

absl::string_view Absl(std::string_view text) { return {text.data(), text.size()}; }

void Put(absl::Status& status, const std::string& key, const std::string& value) {
  status.SetPayload(Absl(std::string(kDetailUrl) + key), absl::Cord(Absl(value)));
}

// One function for each kind of detail; each leaves details of another kind alone.
void ReadErrorInfo(const google::protobuf::Any& any, absl::Status& status) {
  google::rpc::ErrorInfo info;
  if (!any.UnpackTo(&info)) return;
  for (const auto& [key, value] : info.metadata()) Put(status, key, value);
  status.SetPayload(Absl(kReasonUrl), absl::Cord(Absl(info.reason())));
}

void ReadRetryInfo(const google::protobuf::Any& any, absl::Status& status) {
  google::rpc::RetryInfo info;
  if (!any.UnpackTo(&info)) return;
  const int64_t ms = info.retry_delay().seconds() * 1'000 + info.retry_delay().nanos() / 1'000'000;
  Put(status, std::string(kRetryKey), std::to_string(ms));
}

void ReadBadRequest(const google::protobuf::Any& any, absl::Status& status) {
  google::rpc::BadRequest bad;
  if (!any.UnpackTo(&bad)) return;
  std::string fields;
  for (const auto& violation : bad.field_violations()) {
    if (!fields.empty()) fields += ", ";
    fields += violation.field();
  }
  Put(status, "field", fields);
}

void ReadQuotaFailure(const google::protobuf::Any& any, absl::Status& status) {
  google::rpc::QuotaFailure quota;
  if (!any.UnpackTo(&quota) || quota.violations().empty()) return;
  Put(status, "limit", quota.violations(0).description());
}

constexpr std::array kReaders = {ReadErrorInfo, ReadRetryInfo, ReadBadRequest, ReadQuotaFailure};

}  // namespace

absl::Status DecodeStatus(int code, std::string_view message, const std::string& details) {
  absl::Status status(static_cast<absl::StatusCode>(code), Absl(message));
  google::rpc::Status wire;
  if (status.ok() || !wire.ParseFromString(details)) return status;
  for (const google::protobuf::Any& any : wire.details()) {
    for (const auto& reader : kReaders) reader(any, status);
  }
  return status;
}

std::string ReasonWordOf(const absl::Status& status) {
  const auto payload = status.GetPayload(Absl(kReasonUrl));
  return payload ? std::string(*payload) : std::string();
}

std::optional<absl::Duration> RetryDelayOf(const absl::Status& status) {
  const auto details = base::DetailsOf(status);
  const auto found = details.find(std::string(kRetryKey));
  if (found == details.end()) return std::nullopt;
  int64_t ms = 0;
  const char* end = found->second.data() + found->second.size();
  if (std::from_chars(found->second.data(), end, ms).ptr != end || ms < 0) return std::nullopt;
  return absl::Milliseconds(ms);
}

}  // namespace astragal::cli
