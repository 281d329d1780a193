// From requests of MatchService to what core asks for, and from matches to protos. Pure.
#ifndef ASTRAGAL_SERVICES_MATCH_NOUNS_H_
#define ASTRAGAL_SERVICES_MATCH_NOUNS_H_

#include "absl/status/statusor.h"
#include "astragal/v1/match_service.pb.h"
#include "services/core/games.h"
#include "services/core/match_state.h"
#include "services/core/match_terms.h"
#include "services/rpc/nouns.h"

namespace astragal::match {

struct NewMatch {
  core::CreateGame first;
  core::MatchTerms terms;
};

// BAD_FIELD. Who creates it is nobody: the operator is no player.
absl::StatusOr<NewMatch> Read(const v1::CreateMatchRequest& request);

v1::Match ToProto(const core::MatchState& match, const rpc::Names& names);

}  // namespace astragal::match

#endif  // ASTRAGAL_SERVICES_MATCH_NOUNS_H_
