#include "services/cli/day.h"

#include "absl/time/time.h"

namespace astragal::cli {

absl::Status ReadDay(const std::string& typed, google::protobuf::Timestamp& time) {
  absl::Time read;
  std::string wrong;
  if (!absl::ParseTime("%Y-%m-%d", typed, absl::UTCTimeZone(), &read, &wrong) &&
      !absl::ParseTime(absl::RFC3339_full, typed, &read, &wrong)) {
    return absl::InvalidArgumentError("\"" + typed + "\" is no day like 2026-11-30: " + wrong);
  }
  time.set_seconds(absl::ToUnixSeconds(read));
  return absl::OkStatus();
}

}  // namespace astragal::cli
