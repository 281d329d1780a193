// A store of games whose logs may be packed: reads them as if they were not.
//
// Whatever reads events through it (replays, lists, proofs, verification, records) need not know
// which form a log has. A packed log is unpacked by replaying it on its rules, so that reading it
// can fail as a replay can (RULESET_VERSION_UNAVAILABLE, REPLAY_MISMATCH), and with LOG_ARCHIVED
// where it is in a file. Of its events only the creation bears its request stamp: who asks for the
// answer to a repeated request of a game whose log is packed gets what anybody gets who comes after
// the end.
//
// The last few unpacked logs are kept, since readers come in pages: that saves replaying them, not
// asking the store whether they are there still. Borrows everything; thread-safe.
#ifndef ASTRAGAL_SERVICES_CORE_PACKED_STORE_H_
#define ASTRAGAL_SERVICES_CORE_PACKED_STORE_H_

#include <deque>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "plugins/host/catalog.h"
#include "services/base/mutex.h"
#include "storage/game_store.h"
#include "storage/packed_logs.h"

namespace astragal::core {

class PackedStore : public storage::GameStore {
 public:
  static constexpr size_t kKept = 16;  // unpacked logs

  PackedStore(storage::GameStore& store, storage::PackedLogs& logs, const host::Catalog& catalog)
      : store_(store), logs_(logs), catalog_(catalog) {}

  absl::StatusOr<std::vector<storage::EventRecord>> Events(base::GameId id, uint32_t after,
                                                           size_t limit) override;

  absl::StatusOr<storage::CommitReport> Commit(
      absl::Span<const storage::GameCommit> batch) override {
    return store_.Commit(batch);
  }
  absl::StatusOr<storage::StoredGame> Load(base::GameId id) override { return store_.Load(id); }
  absl::StatusOr<std::vector<storage::StoredLog>> Logs(
      absl::Span<const base::GameId> games) override {
    return store_.Logs(games);
  }
  absl::StatusOr<std::optional<storage::EventRecord>> FindRequest(
      base::GameId game, base::PlayerId player, base::RequestId request) override {
    return store_.FindRequest(game, player, request);
  }
  absl::StatusOr<std::optional<base::GameId>> FindCreated(base::PlayerId player,
                                                          base::RequestId request) override {
    return store_.FindCreated(player, request);
  }
  absl::StatusOr<std::vector<storage::HeadMark>> Heads(
      absl::Span<const base::GameId> games) override {
    return store_.Heads(games);
  }
  absl::StatusOr<std::vector<base::GameId>> TakeDue(base::Instant until, size_t limit) override {
    return store_.TakeDue(until, limit);
  }
  absl::StatusOr<std::vector<storage::Outage>> Beat(base::Instant known_until) override {
    return store_.Beat(known_until);
  }
  absl::StatusOr<std::vector<storage::GameSummary>> List(const storage::GameFilter& filter,
                                                         base::GameId before,
                                                         size_t limit) override {
    return store_.List(filter, before, limit);
  }

 private:
  using Log = std::shared_ptr<const std::vector<storage::EventRecord>>;

  // Null: the log is not packed.
  absl::StatusOr<Log> Unpack(base::GameId id) ABSL_LOCKS_EXCLUDED(mutex_);
  Log Kept(base::GameId id) ABSL_LOCKS_EXCLUDED(mutex_);

  storage::GameStore& store_;
  storage::PackedLogs& logs_;
  const host::Catalog& catalog_;
  base::Mutex mutex_;
  std::deque<Log> kept_ ABSL_GUARDED_BY(mutex_);  // the latest first
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_PACKED_STORE_H_
