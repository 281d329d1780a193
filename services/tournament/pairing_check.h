// Why a round of a Swiss tournament is paired as it is, whether it keeps the rules, and whether it
// is what its engine pairs. All by the tournament as it was when this round (from 0) had just been
// paired (`then`), so that later corrections change nothing. They fill in everything but the round.
// Pure but for the clock; any thread may call them.
#ifndef ASTRAGAL_SERVICES_TOURNAMENT_PAIRING_CHECK_H_
#define ASTRAGAL_SERVICES_TOURNAMENT_PAIRING_CHECK_H_

#include "absl/status/status.h"
#include "astragal/v1/tournament_service.pb.h"
#include "services/base/clock.h"
#include "services/core/tournaments/state.h"

namespace astragal::tournament {

// Nothing when no Swiss system paired it.
absl::Status ExplainRound(const core::TournamentState& then, size_t round,
                          v1::ExplainPairingResponse& response);
// Pairs it again, for at most 20 seconds. TOURNAMENT_STATE when no Swiss system paired it.
absl::Status CheckRound(const core::TournamentState& then, size_t round, const base::Clock& clock,
                        v1::CheckPairingResponse& response);

}  // namespace astragal::tournament

#endif  // ASTRAGAL_SERVICES_TOURNAMENT_PAIRING_CHECK_H_
