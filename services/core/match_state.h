// A match as its games say it is: what was stored, and the score that follows from it.
//
// A plain value; pure functions, but for ReadMatch; any thread may call them.
#ifndef ASTRAGAL_SERVICES_CORE_MATCH_STATE_H_
#define ASTRAGAL_SERVICES_CORE_MATCH_STATE_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "services/algorithms/match_score.h"
#include "storage/match_store.h"

namespace astragal::core {

enum class MatchStage : uint8_t {
  kPlaying,  // a game has not ended
  kDue,      // the next game is to be started
  kWaiting,  // the last game was called off: the next one is started when a player asks for it
  kOver,
};

struct MatchState {
  storage::StoredMatch match;
  std::vector<storage::MatchGame> games;  // in order
  algorithms::MatchScore score;

  MatchStage Stage() const;
  // Grows with every change that watchers are told of.
  uint64_t Version() const;
};

using MatchPtr = std::shared_ptr<const MatchState>;

MatchState MatchFrom(storage::StoredMatch match, std::vector<storage::MatchGame> games);
// As it stands in the store (blocks). NOT_FOUND.
absl::StatusOr<MatchPtr> ReadMatch(storage::MatchStore& store, base::MatchId id);

algorithms::MatchRules RulesOf(const storage::MatchRecord& match);
// A game that is over, by player of the match.
algorithms::PlayedGame PlayedOf(const storage::MatchRecord& match,
                                const storage::GameSummary& game);
// The seat of this player (by index in the match) in `game`; 0 when there is none.
size_t SeatIn(const storage::GameSummary& game, base::PlayerId player);
// The last game with a result.
const storage::GameSummary* LastCounted(const MatchState& match);

// Whether a match exists for this player (nil: somebody unknown).
bool MaySee(const storage::StoredMatch& match, base::PlayerId viewer);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_MATCH_STATE_H_
