// A game in memory: takes one command at a time, and shows nothing that is not stored.
//
// Owns the committed state of one game, a bounded mailbox of commands and the list of its watchers.
// There is at most one LiveGame of a game in a process (see Games); other processes may serve
// the same game: the store decides who was first, and a game that was overtaken is brought up to
// date before it judges again. Thread-safe. Commands run on the caller's thread as far as they need
// no store (judging is microseconds), the rest on the scheduler.
//
// Whatever fails leaves the committed state alone: a command is judged on a draft, the draft's
// events are stored, and only then does the draft become the state, do the watchers get the events
// and the caller the answer. If the store does not say whether it stored them, the state is
// forgotten and read again.
#ifndef ASTRAGAL_SERVICES_CORE_LIVE_GAME_H_
#define ASTRAGAL_SERVICES_CORE_LIVE_GAME_H_

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "services/base/mutex.h"
#include "services/core/command.h"
#include "services/core/commit_queue.h"
#include "services/core/game_state.h"
#include "services/core/world.h"

namespace astragal::core {

using StatePtr = std::shared_ptr<const GameState>;
using EventPtr = std::shared_ptr<const EventView>;

// Gets every event of a game, in order, each once. Implemented by Watch.
class EventSink {
 public:
  virtual ~EventSink() = default;
  // Called under the game's lock: must be quick and must not call the game.
  virtual void OnEvents(const std::vector<EventPtr>& events) = 0;
  // The game's state in memory had a gap and the events between are not at hand: nothing more
  // comes.
  virtual void OnLost() = 0;
};

struct CommandResult {
  StatePtr after;
  std::vector<EventPtr> events;  // empty with validate_only
};

class LiveGame : public std::enable_shared_from_this<LiveGame> {
 public:
  // Commands waiting for their turn; more are refused with MAILBOX_FULL.
  static constexpr size_t kMaxMailbox = 64;
  // How often a command is judged again because another node was first.
  static constexpr int kMaxRounds = 8;
  // How long a read may trust the state without asking the store.
  static constexpr int64_t kFreshForMs = 500;

  using Done = std::function<void(absl::StatusOr<CommandResult>)>;

  // Reads the game from the store (blocks). NOT_FOUND, RULESET_VERSION_UNAVAILABLE, DATA_LOSS.
  static absl::StatusOr<std::shared_ptr<LiveGame>> Load(const World& world, CommitQueue& queue,
                                                        GameId id);
  // A game that this process just created and stored.
  LiveGame(const World& world, CommitQueue& queue, GameState state, const Bytes32& secret);

  GameId id() const { return id_; }

  // Judges and stores `command`; `done` runs exactly once, perhaps before this returns. It must be
  // quick: it may run where the next batch of commits waits for it.
  void Submit(Command command, Done done) ABSL_LOCKS_EXCLUDED(mutex_);

  // Looks at the game's deadline, as far as it lies within kTimerMs, when it has come. To be called
  // once, when the game is shared; later deadlines follow by themselves. Farther ones are the
  // sweep's (see Games).
  void KeepTime() ABSL_LOCKS_EXCLUDED(mutex_);
  static constexpr int64_t kTimerMs = 600'000;
  // Ends the game or the turn if its time is up.
  void Expire() ABSL_LOCKS_EXCLUDED(mutex_);

  // The committed state as this process knows it.
  StatePtr state() const ABSL_LOCKS_EXCLUDED(mutex_);
  // True when that state is as good as the store's, less than kFreshForMs old.
  bool IsFresh() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Brings the state up to the store's (blocks) and returns it.
  absl::StatusOr<StatePtr> Refresh() ABSL_LOCKS_EXCLUDED(mutex_);

  // Adds a watcher and returns the state it starts from: it gets every event after that one. The
  // sink is dropped when it is gone.
  StatePtr Subscribe(std::weak_ptr<EventSink> sink) ABSL_LOCKS_EXCLUDED(mutex_);
  bool HasWatchers() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Sinks = std::vector<std::weak_ptr<EventSink>>;
  using DicePtr = std::shared_ptr<const algorithms::DiceSource>;

  struct Pending {
    Command command;
    Done done;
    int rounds = 0;
    // The store was asked whether it knows this request, when the state had this sequence: a
    // refusal that rests on a later state may be of a repeat.
    std::optional<uint32_t> looked_up_at;
  };

  // What a step of the work on current_ came to: the caller was answered and the next command may
  // start, or the work goes on elsewhere (or has already: then current_ may not be touched).
  enum class Step { kFinished, kElsewhere };

  // The network's, to the player whose clock runs, as far as this node knows.
  int64_t MeasuredLag(const GameState& state) const {
    return world_.lag == nullptr ? 0 : world_.lag->Of(PlayerOnClock(state));
  }

  // One command at a time. Exactly one thread works on it at any moment; it starts in Work and
  // whoever is told kFinished goes on there.
  void Work() ABSL_LOCKS_EXCLUDED(mutex_);
  bool TakeNext() ABSL_LOCKS_EXCLUDED(mutex_);
  Step Judge() ABSL_LOCKS_EXCLUDED(mutex_);
  Step Commit(std::shared_ptr<const Plan> plan);
  Step OnStored(const std::shared_ptr<const Plan>& plan,
                const absl::StatusOr<storage::CommitOutcome>& outcome);
  Step CommitLater(std::shared_ptr<const Plan> plan);
  Step JudgeAgain();
  Step LookUpAndJudge();
  Step AnswerFromLog(bool in_doubt);
  Step Finish(absl::StatusOr<CommandResult> result);
  Step OnScheduler(std::function<Step()> step);

  // The answer this request got before; nullopt when the store does not know it (blocks).
  absl::StatusOr<std::optional<CommandResult>> KnownAnswer();
  // Events that the store has and the state has not (blocks).
  absl::Status ReadMissing() ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status ReadAnew() ABSL_LOCKS_EXCLUDED(mutex_);
  void LoseWatchers() ABSL_LOCKS_EXCLUDED(mutex_);
  static void TellLost(const Sinks& lost);
  void TakeOver(GameState state, const std::vector<EventPtr>& events) ABSL_LOCKS_EXCLUDED(mutex_);
  void SetTimer() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnTimer(Instant set_for) ABSL_LOCKS_EXCLUDED(mutex_);

  const World& world_;
  CommitQueue& queue_;
  const GameId id_;

  base::Mutex refresh_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);  // one refresh at a time
  mutable base::Mutex mutex_;
  StatePtr state_ ABSL_GUARDED_BY(mutex_);
  DicePtr dice_ ABSL_GUARDED_BY(mutex_);
  std::optional<Instant> timer_at_ ABSL_GUARDED_BY(mutex_);  // deadline of the timer that runs
  Instant checked_at_ ABSL_GUARDED_BY(mutex_);  // when state_ was known to be the store's
  bool in_doubt_ ABSL_GUARDED_BY(mutex_) = false;
  bool busy_ ABSL_GUARDED_BY(mutex_) = false;
  std::list<Pending> mailbox_ ABSL_GUARDED_BY(mutex_);
  Sinks sinks_ ABSL_GUARDED_BY(mutex_);
  size_t prune_sinks_at_ ABSL_GUARDED_BY(mutex_) = 16;  // forgets those that are gone

  // The command being worked on; only the thread that works on it touches it.
  std::optional<Pending> current_;
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_LIVE_GAME_H_
