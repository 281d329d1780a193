// A match of several games as ratings see it: rated as one, when its last game has ended.
//
// Pure, but for ReadRatedMatch, which blocks on the store; any thread may call these.
#ifndef ASTRAGAL_SERVICES_CORE_RATED_MATCH_H_
#define ASTRAGAL_SERVICES_CORE_RATED_MATCH_H_

#include <vector>

#include "absl/status/statusor.h"
#include "services/core/match_state.h"

namespace astragal::core {

struct MatchForRating {
  bool over = false;
  bool exempt = false;  // from the rule against farming: a tournament paired it
  std::vector<base::PlayerId> players;
  std::vector<int32_t> places;       // 1 is best, shared by equals
  int32_t length = 1;                // points that it went to
  base::Instant finished_at;         // the end of the game that decided it
  std::vector<base::GameId> played;  // the games that count
};

// Only a fixed number of games ranks those behind the winner: elsewhere they share the second
// place, as whoever is behind plays to win and not for points. A best-of and a number of games
// count as a match to as many points as are more than half of the games.
MatchForRating RatedMatchOf(const MatchState& match);

// NOT_FOUND, STORE_UNAVAILABLE.
absl::StatusOr<MatchForRating> ReadRatedMatch(storage::MatchStore& store, base::MatchId id);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_RATED_MATCH_H_
