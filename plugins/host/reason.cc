#include "plugins/host/reason.h"

#include "absl/strings/cord.h"
#include "absl/types/optional.h"

namespace astragal::host {
namespace {

absl::StatusCode CodeOf(absl::string_view reason) {
  if (reason == kIllegalAction || reason == kGameOver) {
    return absl::StatusCode::kFailedPrecondition;
  }
  if (reason == kBadNotation || reason == kBadOption) return absl::StatusCode::kInvalidArgument;
  return absl::StatusCode::kInternal;
}

std::string PayloadOf(const absl::Status& status, absl::string_view url) {
  const absl::optional<absl::Cord> payload = status.GetPayload(url);
  return payload ? std::string(*payload) : std::string();
}

}  // namespace

absl::Status ReasonError(absl::string_view reason, absl::string_view message,
                         absl::string_view field) {
  absl::Status status(CodeOf(reason), message);
  status.SetPayload(kReasonPayload, absl::Cord(reason));
  if (!field.empty()) status.SetPayload(kFieldPayload, absl::Cord(field));
  return status;
}

std::string ReasonOf(const absl::Status& status) { return PayloadOf(status, kReasonPayload); }

std::string FieldOf(const absl::Status& status) { return PayloadOf(status, kFieldPayload); }

}  // namespace astragal::host
