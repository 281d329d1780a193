// From requests of LobbyService to what core asks for. Pure.
#ifndef ASTRAGAL_SERVICES_LOBBY_NOUNS_H_
#define ASTRAGAL_SERVICES_LOBBY_NOUNS_H_

#include "absl/status/statusor.h"
#include "astragal/v1/lobby_service.pb.h"
#include "services/core/lobby.h"

namespace astragal::lobby {

// BAD_FIELD, NOT_FOUND for an opponent's id that cannot be one.
absl::StatusOr<core::NewProposal> Read(const v1::CreateSeekRequest& request);
absl::StatusOr<core::NewProposal> Read(const v1::CreateChallengeRequest& request);
absl::StatusOr<core::NewProposal> Read(const v1::CreateTicketRequest& request);

}  // namespace astragal::lobby

#endif  // ASTRAGAL_SERVICES_LOBBY_NOUNS_H_
