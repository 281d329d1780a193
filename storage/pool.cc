#include "storage/pool.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "storage/failures.h"

namespace astragal::storage {

using std::chrono::milliseconds;

Pool::Pool(Options options) : options_(std::move(options)), jitter_(std::random_device()()) {
  watchdog_ = std::thread([this] { Watch(); });
}

Pool::~Pool() {
  {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    stopped_.notify_all();
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_ == idle_.size(); });
  }
  watchdog_.join();
}

Pool::Counts Pool::counts() const {
  std::lock_guard lock(mutex_);
  return {open_, idle_.size()};
}

absl::StatusOr<Rows> Pool::Read(const Statement& statement, const Params& params) {
  absl::StatusOr<Rows> rows = RunOnce(statement, params);
  for (int tries = 1; tries < kMaxTries; ++tries) {
    const Failure failure = FailureOf(rows.status());
    if (failure != Failure::kInDoubt && failure != Failure::kTryAgain) break;
    rows = RunOnce(statement, params);
  }
  // A statement that changes nothing leaves no doubt.
  if (FailureOf(rows.status()) == Failure::kInDoubt) {
    return Unavailable("the connection to the store broke");
  }
  return rows;
}

absl::StatusOr<Rows> Pool::Write(const Statement& statement, const Params& params) {
  absl::StatusOr<Rows> rows = RunOnce(statement, params);
  for (int tries = 1; tries < kMaxTries; ++tries) {
    if (FailureOf(rows.status()) != Failure::kTryAgain) break;
    rows = RunOnce(statement, params);
  }
  return rows;
}

absl::StatusOr<Rows> Pool::RunOnce(const Statement& statement, const Params& params) {
  absl::StatusOr<std::unique_ptr<Connection>> connection = Take();
  if (!connection.ok()) return connection.status();
  absl::StatusOr<Rows> rows = (*connection)->Run(statement, params);
  if (!rows.ok() && options_.log) {
    options_.log(absl::StrCat("storage: ", statement.name, ": ", WordsOf(rows.status())));
  }
  GiveBack(*std::move(connection));
  return rows;
}

absl::StatusOr<std::unique_ptr<Connection>> Pool::Take() {
  std::unique_lock lock(mutex_);
  const Steady::time_point give_up = Steady::now() + milliseconds(options_.wait_ms);
  while (!stopping_) {
    if (!idle_.empty()) {
      std::unique_ptr<Connection> connection = std::move(idle_.back());
      idle_.pop_back();
      if (connection->usable()) {
        busy_[connection.get()] = Steady::now();
        return connection;
      }
      --open_;
      continue;
    }
    if (open_ < options_.size) {
      const auto pause =
          std::chrono::duration_cast<milliseconds>(next_attempt_ - Steady::now()).count();
      if (failures_ > 0 && pause > 0) return Unavailable("the store cannot be reached", pause);
      ++open_;
      lock.unlock();
      absl::StatusOr<std::unique_ptr<Connection>> connection = Connect();
      lock.lock();
      NoteConnected(connection.status());
      if (!connection.ok()) return Unavailable("the store cannot be reached");
      busy_[connection->get()] = Steady::now();
      return connection;
    }
    if (changed_.wait_until(lock, give_up) == std::cv_status::timeout) {
      return Unavailable("all connections to the store are busy");
    }
  }
  return Unavailable("the store is closing");
}

absl::StatusOr<std::unique_ptr<Connection>> Pool::Connect() {
  if (options_.before_connect) {
    if (absl::Status ready = options_.before_connect(); !ready.ok()) return ready;
  }
  return Connection::Open(options_.connection);
}

void Pool::NoteConnected(const absl::Status& status) {
  if (status.ok()) {
    if (failures_ > 0 && options_.log) options_.log("storage: the database is back");
    failures_ = 0;
    return;
  }
  --open_;
  const int64_t longest = std::min(kMaxBackoffMs, kFirstBackoffMs << std::min(failures_, 10));
  next_attempt_ = Steady::now() + milliseconds(std::uniform_int_distribution<int64_t>(
                                      longest / 2, longest)(jitter_));
  if (failures_++ == 0 && options_.log) {
    options_.log(absl::StrCat("storage: the database cannot be reached: ", WordsOf(status)));
  }
  changed_.notify_all();
}

void Pool::GiveBack(std::unique_ptr<Connection> connection) {
  std::unique_ptr<Connection> thrown_away;  // closed after the lock
  std::lock_guard lock(mutex_);
  busy_.erase(connection.get());
  if (connection->usable() && !stopping_) {
    idle_.push_back(std::move(connection));
  } else {
    thrown_away = std::move(connection);
    --open_;
  }
  changed_.notify_all();
}

void Pool::Watch() {
  const milliseconds limit(options_.connection.statement_timeout_ms + kHangGraceMs);
  std::unique_lock lock(mutex_);
  while (!stopping_ || !busy_.empty()) {
    stopped_.wait_for(lock, milliseconds(500));
    for (const auto& [connection, since] : busy_) {
      if (Steady::now() - since > limit) connection->Interrupt();
    }
  }
}

}  // namespace astragal::storage
