// What history needs of the store beyond games and their events: walks over all games, oldest
// first, and what imported records said beyond what a game is.
//
// On PostgreSQL. Owns nothing but a reference to the pool; thread-safe. All functions block and
// fail with STORE_UNAVAILABLE, having changed nothing.
#ifndef ASTRAGAL_STORAGE_HISTORY_STORE_H_
#define ASTRAGAL_STORAGE_HISTORY_STORE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "services/base/clock.h"
#include "services/base/ids.h"
#include "storage/game_search.h"
#include "storage/pool.h"

namespace astragal::storage {

struct HistoryFilter {
  enum Which : uint8_t {
    kEnded,       // public ones
    kEverything,  // running, unlisted and private ones too; the rest but ended_until is not looked
                  // at
    kForArchive,  // as kEverything, but only those whose logs are packed
  };
  Which which = kEnded;
  std::optional<std::string> ruleset;
  std::optional<base::PlayerId> player;
  base::Instant ended_until{INT64_MAX};  // left out; of a game that runs: its last event
};

// What it reads pages and extras with; the tests read their plans.
std::vector<Statement> HistoryStatements();

class HistoryStore {
 public:
  static constexpr size_t kMaxListed = 1'000;

  explicit HistoryStore(Pool& pool) : pool_(pool) {}

  // Games whose logs are not archived: ids above `after` (nil: from the oldest), ascending, at most
  // `limit` (<= kMaxListed).
  absl::StatusOr<std::vector<base::GameId>> GamesAfter(const HistoryFilter& filter,
                                                       base::GameId after, size_t limit);
  // How many those are in all; it reads an index from there to its end.
  absl::StatusOr<uint64_t> CountAfter(const HistoryFilter& filter, base::GameId after);

  // See game_search.h.
  absl::StatusOr<FoundGames> Find(const GameSearch& search, base::GameId before, size_t limit) {
    return FindGames(pool_, search, before, limit);
  }

  // A JSON text, in place of an earlier one.
  absl::Status KeepExtras(base::GameId game, const std::string& extras);
  // Of those of these games (<= kMaxListed) that have any.
  absl::StatusOr<std::map<base::GameId, std::string>> Extras(absl::Span<const base::GameId> games);

 private:
  Pool& pool_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_HISTORY_STORE_H_
