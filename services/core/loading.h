// How a stored game comes into memory to be played: its state, its dice, the build that plays it.
//
// Functions without state; reading blocks on the store.
#ifndef ASTRAGAL_SERVICES_CORE_LOADING_H_
#define ASTRAGAL_SERVICES_CORE_LOADING_H_

#include "absl/status/statusor.h"
#include "services/algorithms/dice.h"
#include "services/core/game_state.h"
#include "services/core/live_game.h"
#include "services/core/world.h"

namespace astragal::core {

// The state after the last event of the log, which its head must agree with. NOT_FOUND,
// RULESET_VERSION_UNAVAILABLE, STORE_UNAVAILABLE, REPLAY_MISMATCH.
absl::StatusOr<GameState> ReadState(const World& world, GameId id);

// Where a game's throws come from, with the stored secret, which the service's key opens. A game
// that is over draws nothing any more: it has no secret here, so that it can be read without the
// key. INTERNAL when the secret does not open.
absl::StatusOr<algorithms::DiceSource> OpenDice(const World& world, const GameState& state);

// The state as the build plays it that is preferred now: the operator may have loaded another one,
// or retired the last of the game's rules version, since the game came into memory.
// RULESET_VERSION_UNAVAILABLE; RULESET_FAULT when that build does not know the position.
absl::StatusOr<StatePtr> OnPreferredBuild(const World& world, StatePtr state);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_LOADING_H_
