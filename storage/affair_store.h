// What concerns players: which games they are in and which proposals are theirs, asked for many
// players at once. Same contract as GameStore: blocking, thread-safe, STORE_UNAVAILABLE.
//
// Marks say little about much, so that they can be compared twice a second; Load says much about
// what has changed.
#ifndef ASTRAGAL_STORAGE_AFFAIR_STORE_H_
#define ASTRAGAL_STORAGE_AFFAIR_STORE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "storage/records.h"

namespace astragal::storage {

struct GameMark {
  uint32_t player = 0;  // index in what was asked, from 0
  base::GameId game;
  uint32_t sequence = 0;  // of its last event

  friend bool operator==(const GameMark&, const GameMark&) = default;
};

struct ProposalMark {
  uint32_t player = 0;  // index in what was asked, from 0
  base::ProposalId proposal;
  bool open = false;  // as it is stored: one that has expired may still say so

  friend bool operator==(const ProposalMark&, const ProposalMark&) = default;
};

// The last recomputation of a pool that changed a rating of a player.
struct RatingNews {
  uint32_t player = 0;  // index in what was asked, from 0
  std::string pool;
  uint8_t seats = 2;  // as PoolRecord
  int32_t revision = 0;
  int64_t first_order = 0;  // the first match that counts otherwise
  int64_t players = 0;      // whose standing differs, in the whole pool
  base::Instant at;
  double before = 0;  // as stored; 0: he had no rating
  double after = 0;

  friend bool operator==(const RatingNews&, const RatingNews&) = default;
};

class AffairStore {
 public:
  // Most players, or games, of one call.
  static constexpr size_t kMaxAsked = 1'000;

  virtual ~AffairStore() = default;

  // Games that have not ended in which a player holds a seat, and those created after `since` that
  // have: of each player the `most` newest of either, in any order.
  virtual absl::StatusOr<std::vector<GameMark>> GamesOf(absl::Span<const base::PlayerId> players,
                                                        size_t most, base::Instant since) = 0;
  // Open proposals that have not expired, and those made after `since` that are not open any more:
  // of each player the `most` newest of either that he made, and as many challenges to him, in any
  // order.
  virtual absl::StatusOr<std::vector<ProposalMark>> ProposalsOf(
      absl::Span<const base::PlayerId> players, size_t most, base::Instant since) = 0;
  // Recomputations after `since`: of each player those of the `most` pools in which the newest
  // were, newest first.
  virtual absl::StatusOr<std::vector<RatingNews>> RatingNewsOf(
      absl::Span<const base::PlayerId> players, size_t most, base::Instant since) = 0;
  // Those of these games that exist, in any order.
  virtual absl::StatusOr<std::vector<StoredGame>> LoadGames(
      absl::Span<const base::GameId> games) = 0;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_AFFAIR_STORE_H_
