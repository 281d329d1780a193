// A tournament in stages: what the first one leaves to the next.
//
// The next stage is a tournament of its own. It is made once the first is finished, under a request
// that follows from the first one's id, so that every node that tries makes the same one; then the
// first one's log says which it is (kNextStageCreated). Whoever is killed in between, or is slower
// than another, finds what is there already. Later corrections of the first stage change nothing in
// the next. Pure; any thread may call these.
#ifndef ASTRAGAL_SERVICES_CORE_TOURNAMENTS_NEXT_STAGE_H_
#define ASTRAGAL_SERVICES_CORE_TOURNAMENTS_NEXT_STAGE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "services/core/tournaments/command.h"

namespace astragal::core {

// Who goes on, the best first: the first of the standings who have not left, at most as many as the
// terms say. Whom nothing tells apart goes on in the order of the standings.
std::vector<base::PlayerId> QualifiersOf(const TournamentState& state);
// Whether it is finished and its next stage is still to be made.
bool OwesNextStage(const TournamentState& state);
// On what terms the next stage is held. Nobody can register: it is full, and asks for an invitation
// that does not exist.
TournamentTerms NextStageTerms(const TournamentState& state, base::Instant now);
// The request that makes it.
base::RequestId NextStageRequest(TournamentId first);
// What `made`, a next stage with nothing but its first entry, must have behind that: registration
// opens, the roles of the first stage, and the qualifiers, seeded in their order.
absl::StatusOr<TournamentPlan> FillNextStage(const TournamentState& first,
                                             const TournamentState& made, base::Instant now);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_NEXT_STAGE_H_
