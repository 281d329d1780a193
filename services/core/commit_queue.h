// Many games' events in one transaction: the only way events reach the store.
//
// Live games hand in what they want stored; as soon as the last commit has returned, everything
// that is ready goes out as the next batch. No timer: a lone commit goes at once, a busy service
// batches by itself. Owns nothing but its queue; thread-safe. Callbacks run on the scheduler, those
// of one batch one after another, while the database has the next batch already. Nothing taken is
// forgotten: its callback runs exactly once.
#ifndef ASTRAGAL_SERVICES_CORE_COMMIT_QUEUE_H_
#define ASTRAGAL_SERVICES_CORE_COMMIT_QUEUE_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/clock.h"
#include "services/base/mutex.h"
#include "services/base/scheduler.h"
#include "storage/game_store.h"

namespace astragal::core {

class CommitQueue {
 public:
  // Commits waiting for their batch; more are refused with MAILBOX_FULL.
  static constexpr size_t kMaxWaiting = 16'384;

  using Done = std::function<void(absl::StatusOr<storage::CommitOutcome>)>;

  // The references must outlive the queue and everything handed in.
  CommitQueue(storage::GameStore& store, base::Scheduler& scheduler)
      : store_(store), scheduler_(scheduler) {}

  // A failure of the store reaches `done` as the store gave it. Of one game at most one commit may
  // be under way at a time. MAILBOX_FULL, DRAINING: the commit was not taken and `done` will not
  // run.
  absl::Status Add(storage::GameCommit commit, Done done) ABSL_LOCKS_EXCLUDED(mutex_);

  // Batches and commits so far, how long the batches took, and what waits: for metrics.
  struct Totals {
    uint64_t batches = 0;
    uint64_t commits = 0;
    uint64_t micros = 0;
    size_t waiting = 0;
  };
  Totals totals() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Waiting {
    storage::GameCommit commit;
    Done done;
  };

  void Drain() ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<Waiting> TakeBatch() ABSL_LOCKS_EXCLUDED(mutex_);
  bool HandOn() ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<storage::CommitReport> Store(std::vector<Waiting>& batch)
      ABSL_LOCKS_EXCLUDED(mutex_);
  static void Tell(const std::vector<Waiting>& batch,
                   const absl::StatusOr<storage::CommitReport>& report);

  storage::GameStore& store_;
  base::Scheduler& scheduler_;
  mutable base::Mutex mutex_;
  std::deque<Waiting> waiting_ ABSL_GUARDED_BY(mutex_);
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  Totals totals_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_COMMIT_QUEUE_H_
