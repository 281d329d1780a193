// The proof of a game's dice (see algorithms/fairness_proof.h), gathered while its log is walked.
//
// Functions on values; any thread may call them.
#ifndef ASTRAGAL_SERVICES_CORE_DICE_PROOF_H_
#define ASTRAGAL_SERVICES_CORE_DICE_PROOF_H_

#include "absl/status/status.h"
#include "services/algorithms/fairness_proof.h"
#include "services/core/game_state.h"

namespace astragal::core {

// What is known from the game's creation on.
algorithms::FairnessProof BeginProof(const GameState& state);
// Each event of the log, in order: takes its throw, if it is one.
void AddEvent(const EventRecord& event, algorithms::FairnessProof& proof);
// Seats and secret. `end` is over, `last` its last event. DATA_LOSS when that cannot be read.
absl::Status EndProof(const GameState& end, const EventRecord& last,
                      algorithms::FairnessProof& proof);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_DICE_PROOF_H_
