// The store of matches: reading only, because a match is written by the commit that creates its
// first game (GameCommit::match) and is its games from then on. Same contract as GameStore:
// blocking, thread-safe, STORE_UNAVAILABLE.
#ifndef ASTRAGAL_STORAGE_MATCH_STORE_H_
#define ASTRAGAL_STORAGE_MATCH_STORE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "storage/game_store.h"
#include "storage/records.h"

namespace astragal::storage {

// A match, and what its first game says of all of them.
struct StoredMatch {
  MatchRecord record;
  std::string ruleset;
  uint32_t rules_version = 0;
  Visibility visibility = Visibility::kPublic;

  friend bool operator==(const StoredMatch&, const StoredMatch&) = default;
};

struct MatchGame {
  base::MatchId match;
  uint16_t number = 0;  // in the match, from 1
  GameSummary game;
};

class MatchStore {
 public:
  // Most matches of one answer, and most games of one match.
  static constexpr size_t kMaxListed = 1'000;
  static constexpr size_t kMaxGames = 2'000;

  virtual ~MatchStore() = default;

  // NOT_FOUND when there is none.
  virtual absl::StatusOr<StoredMatch> GetMatch(base::MatchId id) = 0;
  // The games of these matches (at most kMaxListed of them): by match, then number.
  virtual absl::StatusOr<std::vector<MatchGame>> GamesOf(
      absl::Span<const base::MatchId> matches) = 0;
  // Matches of this player, newest first, ids below `before` (nil: from the start), at most
  // `limit`. Public ones only, unless `with_hidden`.
  virtual absl::StatusOr<std::vector<StoredMatch>> ListMatches(base::PlayerId player,
                                                               bool with_hidden,
                                                               base::MatchId before,
                                                               size_t limit) = 0;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_MATCH_STORE_H_
