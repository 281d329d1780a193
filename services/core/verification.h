// Checks of stored games: the proof of their dice, the replay of their log on the build that played
// it, and the comparison with another build.
//
// All functions block on the store and read one game; any thread may call them. Nothing is changed.
#ifndef ASTRAGAL_SERVICES_CORE_VERIFICATION_H_
#define ASTRAGAL_SERVICES_CORE_VERIFICATION_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "services/algorithms/fairness_proof.h"
#include "services/core/game_state.h"
#include "services/core/world.h"

namespace astragal::core {

// The proof of a game's dice. NOT_FOUND, also for a game that `viewer` may not see;
// GAME_STILL_RUNNING; RULESET_VERSION_UNAVAILABLE, REPLAY_MISMATCH.
absl::StatusOr<algorithms::FairnessProof> ProofOf(const World& world, PlayerId viewer, GameId game);

struct Verification {
  uint32_t events = 0;  // replayed and found right
  uint32_t throws_checked = 0;
  std::string build;        // it was replayed on
  bool same_build = false;  // that wrote the last event
  bool over = false;        // the log has an end
  // The first difference; empty: none.
  std::string difference;
  uint32_t sequence = 0;  // of it; 0: of the game as a whole

  bool verified() const { return difference.empty(); }
};

// Replays the whole log and compares every hash, the stored head with the log's end, and, once the
// game is over, every throw with the published secret. A difference is an answer. NOT_FOUND,
// RULESET_VERSION_UNAVAILABLE, STORE_UNAVAILABLE.
absl::StatusOr<Verification> VerifyGame(const World& world, GameId game);

// Whether a game that must be over bears an audit: DATA_LOSS names the first difference, and else
// as VerifyGame.
absl::Status AuditGame(const World& world, GameId game);

struct Comparison {
  uint32_t events = 0;  // compared
  uint32_t sequence = 0;
  std::string what;  // empty: no difference
  std::string one;
  std::string other;
};

// Plays the log of `game` on its own rules and on `other` side by side, and says what a player
// would see first. `own` is the build of the game's rules to use.
absl::StatusOr<Comparison> CompareRules(const World& world, GameId game,
                                        const std::shared_ptr<const host::Ruleset>& own,
                                        const std::shared_ptr<const host::Ruleset>& other);

// The very build that wrote the game's last event where it is loaded, or else the preferred one of
// its rules version. RULESET_VERSION_UNAVAILABLE.
absl::StatusOr<std::shared_ptr<const host::Ruleset>> BuildOf(const host::Catalog& catalog,
                                                             const storage::StoredGame& game);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_VERIFICATION_H_
