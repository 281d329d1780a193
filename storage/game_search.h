// Finding games that have ended, by what they were. A page costs the same however many games there
// are: it walks along one index, newest first, over at most kMaxWalked games, and a page that found
// little says where to go on.
#ifndef ASTRAGAL_STORAGE_GAME_SEARCH_H_
#define ASTRAGAL_STORAGE_GAME_SEARCH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/connection.h"
#include "storage/game_store.h"
#include "storage/pool.h"

namespace astragal::storage {

// Everything that is set must fit. Public games only, unless with_hidden.
struct GameSearch {
  std::optional<base::PlayerId> player;    // holds a seat
  std::optional<base::PlayerId> opponent;  // holds one, too
  std::optional<int32_t> place;            // of the player in the result, from 1
  bool with_hidden = false;                // of the player: unlisted and private games too
  std::optional<std::string> ruleset;
  std::vector<std::optional<int64_t>> options;  // in the ruleset's order; unset ones do not matter
  std::optional<Ending> ending;
  std::optional<base::Instant> ended_from;   // included
  std::optional<base::Instant> ended_until;  // left out
  std::optional<uint32_t> least_events;
  std::optional<uint32_t> most_events;
  std::optional<std::vector<base::MatchId>> matches;  // belongs to one of these
};

struct FoundGames {
  std::vector<GameSummary> games;     // newest first
  std::optional<base::GameId> go_on;  // below this one; unset: that was all
};

// Ids below `before` (nil: from the newest), at most `limit` (<= 1,000). Blocks; STORE_UNAVAILABLE.
inline constexpr int64_t kMaxWalked = 2'000;
absl::StatusOr<FoundGames> FindGames(Pool& pool, const GameSearch& search, base::GameId before,
                                     size_t limit);

// The tests read their plans.
std::vector<Statement> SearchStatements();

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_GAME_SEARCH_H_
