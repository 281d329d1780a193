// storage::GameStore in memory: what PostgreSQL would keep, with faults that are ordered
// beforehand.
//
// Keeps the rules of the real one: a head moves only from the expected sequence, a request of one
// player is stored once for a game, a commit of several games is judged game by game. Thread-safe;
// hooks and faults are set up before other threads come.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_STORE_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_STORE_H_

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "services/base/clock.h"
#include "storage/game_store.h"

namespace astragal::tests {

// What befalls a whole batch.
enum class BatchFault {
  kNone,
  kAway,         // UNAVAILABLE, nothing stored
  kDoubtStored,  // the connection breaks, and it was stored
  kDoubtLost,    // the connection breaks, and it was not
  kDoubtLate,    // the connection breaks, and it is stored when LandLate is called
};
// What befalls one commit of a batch.
enum class CommitFault { kNone, kBusy, kRejected };

// Ways in which a store would be wrong: whoever checks core must notice them.
enum class StoreBug {
  kNone,
  kNoHeadGuard,      // any expected sequence will do
  kForgetsRequests,  // a request may be stored twice
  kFalseCommit,      // says committed and stores nothing, now and then
};

class SimulatedStore : public storage::GameStore {
 public:
  using Key = std::tuple<base::GameId, base::PlayerId, base::IdBytes>;
  struct Game {
    storage::StoredGame stored;
    std::vector<storage::EventRecord> events;
  };
  // Everything there is: take a copy for a backup, and hand it back to restore it.
  struct Tables {
    std::map<base::GameId, Game> games;
    std::map<Key, uint32_t> requests;  // sequence of the first event
    std::map<std::tuple<base::PlayerId, base::IdBytes>, base::GameId> created;
    std::map<base::MatchId, storage::MatchRecord> matches;
    std::map<std::pair<base::MatchId, uint16_t>, base::GameId> match_games;
  };

  explicit SimulatedStore(const base::Clock& clock, StoreBug bug = StoreBug::kNone)
      : clock_(clock), bug_(bug) {}

  absl::StatusOr<storage::CommitReport> Commit(
      absl::Span<const storage::GameCommit> batch) override;
  absl::StatusOr<storage::StoredGame> Load(base::GameId id) override;
  absl::StatusOr<std::vector<storage::EventRecord>> Events(base::GameId id, uint32_t after,
                                                           size_t limit) override;
  absl::StatusOr<std::vector<storage::StoredLog>> Logs(
      absl::Span<const base::GameId> games) override;
  absl::StatusOr<std::optional<storage::EventRecord>> FindRequest(base::GameId game,
                                                                  base::PlayerId player,
                                                                  base::RequestId request) override;
  absl::StatusOr<std::optional<base::GameId>> FindCreated(base::PlayerId player,
                                                          base::RequestId request) override;
  absl::StatusOr<std::vector<storage::HeadMark>> Heads(
      absl::Span<const base::GameId> games) override;
  absl::StatusOr<std::vector<base::GameId>> TakeDue(base::Instant until, size_t limit) override;
  absl::StatusOr<std::vector<storage::Outage>> Beat(base::Instant known_until) override;
  absl::StatusOr<std::vector<storage::GameSummary>> List(const storage::GameFilter& filter,
                                                         base::GameId before,
                                                         size_t limit) override;

  // Of the lobby that shares the database: whether the proposals of a creation can be taken, and
  // that they are. Under the lock of the games.
  std::function<bool(const storage::GameCommit&)> can_take;
  std::function<void(const storage::GameCommit&)> take;

  // The next `count` batches or commits.
  void Fail(BatchFault fault, int count = 1) {
    batch_faults_.insert(batch_faults_.end(), count, fault);
  }
  void Fail(CommitFault fault, int count = 1) {
    commit_faults_.insert(commit_faults_.end(), count, fault);
  }
  // Asked when nothing is ordered: faults of a simulation.
  std::function<BatchFault()> draw_batch_fault;
  std::function<CommitFault()> draw_commit_fault;
  // Every call answers UNAVAILABLE.
  void SetAway(bool away) { away_ = away; }
  // The answers of reads are lost with this chance.
  std::function<bool()> draw_read_fault;
  // Stores, if they still fit, the commits that kDoubtLate held back.
  void LandLate();
  // Called without the lock: "commit" before a batch is looked at, "committed" after it is stored
  // and before anybody knows, "heads" and "request" after these reads took their answer.
  std::function<void(std::string_view)> hook;

  Tables Backup() const;
  void Restore(Tables tables);
  // Changes what is stored, as a thief would.
  void Tamper(const std::function<void(Tables&)>& change);
  std::vector<storage::EventRecord> Log(base::GameId id) const;
  size_t batches() const;

 private:
  absl::Status Reading();
  void Call(std::string_view where) {
    // A copy: a hook may take itself away.
    if (const auto now = hook) now(where);
  }
  storage::CommitOutcome Judge(const storage::GameCommit& commit);
  void Write(const storage::GameCommit& commit);

  const base::Clock& clock_;
  const StoreBug bug_;
  mutable std::mutex mutex_;
  Tables tables_;
  std::map<base::GameId, base::Instant> leases_;  // of due games, until when
  std::optional<base::Instant> last_beat_;
  std::vector<storage::Outage> outages_;
  std::vector<storage::GameCommit> late_;
  std::vector<BatchFault> batch_faults_;
  std::vector<CommitFault> commit_faults_;
  std::atomic<bool> away_ = false;
  size_t batches_ = 0;
  size_t commits_ = 0;
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_STORE_H_
