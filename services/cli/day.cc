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
  const int64_t seconds = absl::ToUnixSeconds(read);  // rounded down
  time.set_seconds(seconds);
  time.set_nanos(
      static_cast<int32_t>(absl::ToInt64Nanoseconds(read - absl::FromUnixSeconds(seconds))));
  return absl::OkStatus();
}

}  // namespace astragal::cli
