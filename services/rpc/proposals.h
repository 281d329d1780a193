// Proposals of the lobby as the protos show them: the lobby's, and in a player's own affairs. Pure
// functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_RPC_PROPOSALS_H_
#define ASTRAGAL_SERVICES_RPC_PROPOSALS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "astragal/v1/lobby.pb.h"
#include "services/core/proposal.h"
#include "services/rpc/nouns.h"

namespace astragal::rpc {

// Only the shape; core judges bounds. BAD_FIELD naming a field below "terms".
absl::StatusOr<core::ProposalTerms> Read(const v1::ProposalTerms& terms);

v1::ProposalTerms ToProto(const core::ProposalTerms& terms);
v1::Proposal ToProto(const core::Proposal& proposal, const Names& names);
// Whose names it shows.
void AddPlayers(const core::Proposal& proposal, std::vector<base::PlayerId>& players);

}  // namespace astragal::rpc

#endif  // ASTRAGAL_SERVICES_RPC_PROPOSALS_H_
