// The next game of a match: what follows from the games before it. Reads the store (blocks) and
// changes nothing; of the same games every node makes the same of it, but for the dice.
#ifndef ASTRAGAL_SERVICES_CORE_NEXT_GAME_H_
#define ASTRAGAL_SERVICES_CORE_NEXT_GAME_H_

#include "absl/status/statusor.h"
#include "services/core/games.h"
#include "services/core/match_state.h"

namespace astragal::core {

// Under which request game `number` of a match is created: base::DeriveRequestId of
// "astragal-match-game-1" | match id | number (u16, little-endian). Whoever starts it, on whatever
// node, uses this one, so that there is one.
RequestId MatchGameRequest(base::MatchId match, uint16_t number);

// Rules, options, terms and the invitation to contribute to the dice are those of the first game.
// Who begins follows from the last game that counts: by the option that says so where the ruleset
// has one, otherwise the players change their seats. With a match clock each player goes on with
// what the last game left, at least with one increment. STORE_UNAVAILABLE,
// RULESET_VERSION_UNAVAILABLE, DATA_LOSS.
absl::StatusOr<CreateGame> NextGame(const World& world, const MatchState& match);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_NEXT_GAME_H_
