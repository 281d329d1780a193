// Who is connected, on PostgreSQL. Contract and failures: presence_store.h. Owns nothing but a
// reference to the pool; thread-safe.
#ifndef ASTRAGAL_STORAGE_PG_PRESENCE_STORE_H_
#define ASTRAGAL_STORAGE_PG_PRESENCE_STORE_H_

#include <string>
#include <utility>
#include <vector>

#include "storage/pool.h"
#include "storage/presence_store.h"

namespace astragal::storage {

// Statements; the tests read their plans.
extern const Statement kWritePresence;  // $1, $2 games and players who came, $3, $4 went, $5 node
extern const Statement kReadPresence;   // $1 games, $2 us after which a node is gone, $3 node
extern const Statement kSweepPresence;  // $1 us after which a node is gone

class PgPresenceStore : public PresenceStore {
 public:
  // `node` as that of PgGameStore, which writes its heartbeat.
  PgPresenceStore(Pool& pool, std::string node) : pool_(pool), node_(std::move(node)) {}

  absl::Status Write(absl::Span<const Attendee> came, absl::Span<const Attendee> went) override;
  absl::StatusOr<std::vector<AttendeeRow>> Read(absl::Span<const base::GameId> games) override;
  absl::Status Sweep() override;

 private:
  Pool& pool_;
  const std::string node_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_PG_PRESENCE_STORE_H_
