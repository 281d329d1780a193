// Instants as they arrive. Pure functions.
#ifndef ASTRAGAL_SERVICES_RPC_INSTANTS_H_
#define ASTRAGAL_SERVICES_RPC_INSTANTS_H_

#include <google/protobuf/timestamp.pb.h>

#include <algorithm>
#include <cstdint>

#include "services/base/clock.h"

namespace astragal::rpc {

// A message may hold any numbers; what is outside the years 1 to 9999, which the type allows, is
// the nearest instant inside them.
inline base::Instant ReadInstant(const google::protobuf::Timestamp& time) {
  constexpr int64_t kFirst = -62'135'596'800;
  constexpr int64_t kLast = 253'402'300'799;
  return {std::clamp<int64_t>(time.seconds(), kFirst, kLast) * 1'000'000 + time.nanos() / 1'000};
}

}  // namespace astragal::rpc

#endif  // ASTRAGAL_SERVICES_RPC_INSTANTS_H_
