// On what terms games are played, from protos and back. Pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_RPC_TERMS_H_
#define ASTRAGAL_SERVICES_RPC_TERMS_H_

#include <string>

#include "absl/status/statusor.h"
#include "astragal/v1/game.pb.h"
#include "astragal/v1/match.pb.h"
#include "services/core/proposal.h"

namespace astragal::rpc {

// Unset is public. BAD_FIELD naming `field`.
absl::StatusOr<storage::Visibility> ReadVisibility(v1::GameVisibility visibility,
                                                   const std::string& field);
// Only the shape; core judges bounds. BAD_FIELD naming a field of `field`.
absl::StatusOr<storage::ClockPolicy> ReadClock(const v1::ClockPolicy& clock,
                                               const std::string& field);
absl::StatusOr<core::MatchTerms> ReadMatch(const v1::MatchTerms& match, const std::string& field);

v1::ClockPolicy ToProto(const storage::ClockPolicy& policy);
v1::MatchTerms ToProto(const core::MatchTerms& match);

}  // namespace astragal::rpc

#endif  // ASTRAGAL_SERVICES_RPC_TERMS_H_
