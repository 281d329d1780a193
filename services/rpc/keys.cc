#include "services/rpc/keys.h"

#include "services/rpc/call.h"

namespace astragal::rpc {

absl::StatusOr<base::Instant> ReadTime(const google::protobuf::Timestamp& time,
                                       std::string_view field) {
  constexpr int64_t kFirst = -62'135'596'800;
  constexpr int64_t kLast = 253'402'300'799;
  const bool good = time.seconds() >= kFirst && time.seconds() <= kLast && time.nanos() >= 0 &&
                    time.nanos() < 1'000'000'000;
  if (!good) return BadField(field, "is no time of the years 1 to 9999");
  return base::Instant{time.seconds() * 1'000'000 + time.nanos() / 1000};
}

absl::StatusOr<core::Scopes> ReadScopes(const google::protobuf::RepeatedField<int>& scopes) {
  uint32_t bits = core::Scopes::Of().bits();
  for (const int number : scopes) {
    if (number < 1 || number > static_cast<int>(core::kScopeNames.size())) {
      return BadField("scopes", "names a scope that there is not");
    }
    bits |= 1U << (number - 1);
  }
  return core::Scopes(bits);
}

}  // namespace astragal::rpc
