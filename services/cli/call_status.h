// From what the wire says of a failed call to an absl::Status that keeps all of it.
//
// The reason word and its details become the payloads that services/base reads: "astragal/reason"
// and "astragal/KEY". A word that this program's list lacks (a newer server's) stays readable.
// Pure.
#ifndef ASTRAGAL_SERVICES_CLI_CALL_STATUS_H_
#define ASTRAGAL_SERVICES_CLI_CALL_STATUS_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace astragal::cli {

// `details` holds a serialized google.rpc.Status, or nothing. Bytes that are none are left aside:
// the code and the message are still true.
absl::Status DecodeStatus(int code, std::string_view message, const std::string& details);

// The reason word; "" when the status has none.
std::string ReasonWordOf(const absl::Status& status);
// How long the server wants a client to wait before it tries again.
std::optional<absl::Duration> RetryDelayOf(const absl::Status& status);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_CALL_STATUS_H_
