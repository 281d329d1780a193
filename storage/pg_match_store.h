// The store of matches on PostgreSQL. Contract and failures: match_store.h.
//
// Owns nothing but a reference to the pool; thread-safe.
#ifndef ASTRAGAL_STORAGE_PG_MATCH_STORE_H_
#define ASTRAGAL_STORAGE_PG_MATCH_STORE_H_

#include <vector>

#include "storage/match_store.h"
#include "storage/pool.h"

namespace astragal::storage {

class PgMatchStore : public MatchStore {
 public:
  explicit PgMatchStore(Pool& pool) : pool_(pool) {}

  absl::StatusOr<StoredMatch> GetMatch(base::MatchId id) override;
  absl::StatusOr<std::vector<MatchGame>> GamesOf(absl::Span<const base::MatchId> matches) override;
  absl::StatusOr<std::vector<StoredMatch>> ListMatches(base::PlayerId player, bool with_hidden,
                                                       base::MatchId before, size_t limit) override;

 private:
  Pool& pool_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_PG_MATCH_STORE_H_
