#include "services/rpc/status.h"

#include <array>
#include <cstdlib>
#include <map>
#include <string>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "services/base/crypto.h"
#include "services/base/log.h"
#include "services/base/random.h"
#include "services/base/status.h"

namespace astragal::rpc {
namespace {

using base::Reason;
using Details = std::map<std::string, std::string>;

void AddRetry(const Details& details, google::rpc::Status& out) {
  const auto found = details.find("retry_after_ms");
  if (found == details.end()) return;
  const int64_t ms = std::strtoll(found->second.c_str(), nullptr, 10);
  google::rpc::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(ms / 1000);
  retry.mutable_retry_delay()->set_nanos(static_cast<int32_t>(ms % 1000 * 1'000'000));
  out.add_details()->PackFrom(retry);
}

void AddField(const Details& details, const std::string& message, google::rpc::Status& out) {
  const auto field = details.find("field");
  if (field == details.end()) return;
  google::rpc::BadRequest bad;
  auto* violation = bad.add_field_violations();
  violation->set_field(field->second);
  violation->set_description(message);
  out.add_details()->PackFrom(bad);
}

void AddByCode(const base::ReasonInfo& info, const std::string& message, const Details& details,
               google::rpc::Status& out) {
  const auto subject = details.find("subject");
  const std::string about = subject == details.end() ? std::string() : subject->second;
  if (info.code == absl::StatusCode::kResourceExhausted) {
    google::rpc::QuotaFailure quota;
    auto* violation = quota.add_violations();
    violation->set_subject(about);
    violation->set_description(message);
    out.add_details()->PackFrom(quota);
  } else if (info.code == absl::StatusCode::kFailedPrecondition) {
    google::rpc::PreconditionFailure failure;
    auto* violation = failure.add_violations();
    violation->set_type(std::string(info.word));
    violation->set_subject(about);
    violation->set_description(message);
    out.add_details()->PackFrom(failure);
  }
}

// The log has the whole story under this name; a client can quote it.
std::string ReportIncident(const absl::Status& status, const base::ReasonInfo& info) {
  base::SystemRandom random;
  std::array<uint8_t, 6> bytes{};
  random.Fill(bytes);
  std::string incident = base::Hex(base::AsView(bytes));
  base::Log(base::Severity::kError, "a call failed and it is not the caller's fault",
            {{"incident", incident},
             {"reason", std::string(info.word)},
             {"why", std::string(status.message())}});
  return incident;
}

}  // namespace

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  const Reason known = base::ReasonOf(status);
  const Reason reason = known == Reason::kUnspecified ? Reason::kInternal : known;
  const base::ReasonInfo& info = base::InfoOf(reason);
  // What went wrong inside is for the log: clients get the reason alone.
  const bool ours = info.code == absl::StatusCode::kInternal;
  const std::string message =
      ours ? "something is wrong on the server" : std::string(status.message());

  google::rpc::Status out;
  out.set_code(static_cast<int32_t>(info.code));
  out.set_message(message);
  google::rpc::ErrorInfo error;
  error.set_reason(std::string(info.word));
  error.set_domain("astragal");
  Details details = ours ? Details{} : base::DetailsOf(status);
  if (ours || info.code == absl::StatusCode::kDataLoss) {
    details["incident"] = ReportIncident(status, info);
  }
  error.mutable_metadata()->insert(details.begin(), details.end());
  out.add_details()->PackFrom(error);
  if (info.code == absl::StatusCode::kInvalidArgument) AddField(details, message, out);
  AddByCode(info, message, details, out);
  AddRetry(details, out);
  return {static_cast<grpc::StatusCode>(info.code), message, out.SerializeAsString()};
}

}  // namespace astragal::rpc
