// Days as people type them.
#ifndef ASTRAGAL_SERVICES_CLI_DAY_H_
#define ASTRAGAL_SERVICES_CLI_DAY_H_

#include <google/protobuf/timestamp.pb.h>

#include <string>

#include "absl/status/status.h"

namespace astragal::cli {

// The begin of a day (UTC) like 2026-11-30, or an instant as RFC 3339 has it. INVALID_ARGUMENT.
absl::Status ReadDay(const std::string& typed, google::protobuf::Timestamp& time);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_DAY_H_
