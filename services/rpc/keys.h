// What requests say about keys. Pure functions; any thread.
#ifndef ASTRAGAL_SERVICES_RPC_KEYS_H_
#define ASTRAGAL_SERVICES_RPC_KEYS_H_

#include <google/protobuf/repeated_field.h>
#include <google/protobuf/timestamp.pb.h>

#include <string_view>

#include "absl/status/statusor.h"
#include "services/base/clock.h"
#include "services/core/rights.h"

namespace astragal::rpc {

// The years 1 to 9999, as the type documents; beyond them microseconds would overflow. BAD_FIELD.
absl::StatusOr<base::Instant> ReadTime(const google::protobuf::Timestamp& time,
                                       std::string_view field);

// Numbers of v1.KeyScope; reading is always among them. BAD_FIELD for one that is unknown.
absl::StatusOr<core::Scopes> ReadScopes(const google::protobuf::RepeatedField<int>& scopes);

}  // namespace astragal::rpc

#endif  // ASTRAGAL_SERVICES_RPC_KEYS_H_
