// What concerns players, on PostgreSQL. Contract and failures: affair_store.h. Owns nothing but a
// reference to the pool; thread-safe.
#ifndef ASTRAGAL_STORAGE_PG_AFFAIR_STORE_H_
#define ASTRAGAL_STORAGE_PG_AFFAIR_STORE_H_

#include <vector>

#include "storage/affair_store.h"
#include "storage/pool.h"

namespace astragal::storage {

// Statements; the tests read their plans.
extern const Statement kGamesOf;       // $1 players, $2 most, $3 lowest id of what may have ended
extern const Statement kProposalsOf;   // $1 players, $2 most, $3 lowest id of what may have ended
extern const Statement kRatingNewsOf;  // $1 players, $2 most, $3 since

class PgAffairStore : public AffairStore {
 public:
  explicit PgAffairStore(Pool& pool) : pool_(pool) {}

  absl::StatusOr<std::vector<GameMark>> GamesOf(absl::Span<const base::PlayerId> players,
                                                size_t most, base::Instant since) override;
  absl::StatusOr<std::vector<ProposalMark>> ProposalsOf(absl::Span<const base::PlayerId> players,
                                                        size_t most, base::Instant since) override;
  absl::StatusOr<std::vector<RatingNews>> RatingNewsOf(absl::Span<const base::PlayerId> players,
                                                       size_t most, base::Instant since) override;
  absl::StatusOr<std::vector<StoredGame>> LoadGames(absl::Span<const base::GameId> games) override;

 private:
  Pool& pool_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_PG_AFFAIR_STORE_H_
