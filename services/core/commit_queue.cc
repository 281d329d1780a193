#include "services/core/commit_queue.h"

#include <chrono>
#include <utility>

#include "services/base/status.h"

namespace astragal::core {

absl::Status CommitQueue::Add(storage::GameCommit commit, Done done) {
  const base::MutexLock lock(mutex_);
  if (waiting_.size() >= kMaxWaiting) {
    return base::Error(base::Reason::kMailboxFull, "too many commits wait for the database")
        .RetryAfterMs(200);
  }
  if (!draining_) {
    if (absl::Status posted = scheduler_.Post([this] { Drain(); }); !posted.ok()) return posted;
    draining_ = true;
  }
  waiting_.push_back({std::move(commit), std::move(done)});
  return absl::OkStatus();
}

void CommitQueue::Drain() {
  for (std::vector<Waiting> batch = TakeBatch(); !batch.empty(); batch = TakeBatch()) {
    const absl::StatusOr<storage::CommitReport> report = Store(batch);
    const bool handed_on = HandOn();
    Tell(batch, report);
    if (handed_on) return;
  }
}

std::vector<CommitQueue::Waiting> CommitQueue::TakeBatch() {
  const base::MutexLock lock(mutex_);
  std::vector<Waiting> batch;
  while (!waiting_.empty() && batch.size() < storage::GameStore::kMaxBatch) {
    batch.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  if (batch.empty()) {
    draining_ = false;
  } else {
    ++totals_.batches;
    totals_.commits += batch.size();
  }
  return batch;
}

// Whether what waits, if anything, is another thread's: the database need not wait for callbacks.
bool CommitQueue::HandOn() {
  const base::MutexLock lock(mutex_);
  draining_ = !waiting_.empty();
  return !draining_ || scheduler_.Post([this] { Drain(); }).ok();
}

absl::StatusOr<storage::CommitReport> CommitQueue::Store(std::vector<Waiting>& batch) {
  std::vector<storage::GameCommit> commits;
  commits.reserve(batch.size());
  for (Waiting& waiting : batch) commits.push_back(std::move(waiting.commit));
  const auto begun = std::chrono::steady_clock::now();
  absl::StatusOr<storage::CommitReport> report = store_.Commit(commits);
  const auto took = std::chrono::steady_clock::now() - begun;
  const base::MutexLock lock(mutex_);
  totals_.micros +=
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  return report;
}

void CommitQueue::Tell(const std::vector<Waiting>& batch,
                       const absl::StatusOr<storage::CommitReport>& report) {
  for (size_t i = 0; i < batch.size(); ++i) {
    if (report.ok()) {
      batch[i].done(report->outcomes[i]);
    } else {
      batch[i].done(report.status());
    }
  }
}

CommitQueue::Totals CommitQueue::totals() const {
  const base::MutexLock lock(mutex_);
  Totals totals = totals_;
  totals.waiting = waiting_.size();
  return totals;
}

}  // namespace astragal::core
