// The store of tournaments on PostgreSQL. Contract and failures: tournament_store.h. Owns nothing
// but a reference to the pool; thread-safe.
#ifndef ASTRAGAL_STORAGE_PG_TOURNAMENT_STORE_H_
#define ASTRAGAL_STORAGE_PG_TOURNAMENT_STORE_H_

#include <vector>

#include "storage/pool.h"
#include "storage/tournament_store.h"

namespace astragal::storage {

class PgTournamentStore : public TournamentStore {
 public:
  explicit PgTournamentStore(Pool& pool) : pool_(pool) {}

  absl::StatusOr<TournamentId> Create(const TournamentHead& head,
                                      const TournamentEntry& first) override;
  absl::StatusOr<bool> Append(const TournamentHead& head, uint32_t seen,
                              absl::Span<const TournamentEntry> entries) override;
  absl::Status Schedule(TournamentId id, uint32_t version,
                        std::optional<base::Instant> due_at) override;
  absl::StatusOr<std::vector<TournamentId>> TakeDue(int64_t lease_ms, size_t limit) override;
  absl::StatusOr<TournamentHead> GetHead(TournamentId id) override;
  absl::StatusOr<std::vector<TournamentEntry>> ReadLog(TournamentId id, uint32_t after,
                                                       size_t limit) override;
  absl::StatusOr<std::vector<TournamentHead>> List(uint8_t status, TournamentId before,
                                                   size_t limit) override;

 private:
  Pool& pool_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_PG_TOURNAMENT_STORE_H_
