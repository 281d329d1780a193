// The throws of stored games, for tests of chance.
//
// Blocks on the store; any thread may call it.
#ifndef ASTRAGAL_SERVICES_CORE_THROW_COUNTS_H_
#define ASTRAGAL_SERVICES_CORE_THROW_COUNTS_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "services/algorithms/throw_statistics.h"
#include "services/core/game_state.h"
#include "services/core/world.h"

namespace astragal::core {

// One for each kind of throw of the ruleset.
std::vector<algorithms::ThrowStatistics> NewThrowStatistics(const host::Ruleset& ruleset);

// Adds the throws of a game, which is of this rules version, to `kinds`. Those of one player (not
// nil) are told by replaying the game: the throw itself says whose it is.
// STORE_UNAVAILABLE, NOT_FOUND, RULESET_VERSION_UNAVAILABLE, REPLAY_MISMATCH.
absl::Status AddThrows(const World& world, GameId game, PlayerId player,
                       std::vector<algorithms::ThrowStatistics>& kinds);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_THROW_COUNTS_H_
