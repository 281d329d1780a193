// All games of this process: finds or loads the live one, creates new ones, and keeps watched ones
// up with what other processes do. The door through which services reach games.
//
// Owns the live games: those in use, and a bounded number of idle ones. Thread-safe. Methods marked
// (blocks) read the store on the caller's thread; the others may be called on a gRPC thread. Must
// live until the scheduler has stopped: work that is queued there refers to it.
#ifndef ASTRAGAL_SERVICES_CORE_GAMES_H_
#define ASTRAGAL_SERVICES_CORE_GAMES_H_

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "services/base/mutex.h"
#include "services/core/commit_queue.h"
#include "services/core/live_game.h"
#include "services/core/watch.h"
#include "services/core/world.h"

namespace astragal::core {

struct CreateGame {
  PlayerId player;
  RequestId request;
  Bytes32 body_hash{};
  std::string ruleset;
  uint32_t rules_version = 0;  // 0: the newest
  std::string preset;          // "": standard
  std::vector<std::pair<std::string, std::string>> options;
  std::optional<int> seat;        // the creator's; unset: none
  std::vector<PlayerId> players;  // instead of `seat`: who sits where; nil: free
  storage::GameTerms terms;
  bool invite_contributions = false;  // see NewGame
  // Proposals of the lobby that become this game: all of them, or there is none
  // (PROPOSAL_CLOSED).
  std::vector<base::ProposalId> takes;
  std::optional<storage::MatchRecord> match;  // that begins with it
};

class Games {
 public:
  // Games kept in memory beyond those in use; the longest unused goes first.
  static constexpr size_t kMaxLoaded = 20'000;
  // How often watched games are compared with the store, deadlines are looked at, and this node
  // says that it lives.
  static constexpr int64_t kPollMs = 500;
  // How much later than the node that has the game in memory any other looks at its deadline.
  static constexpr int64_t kSweepAfterMs = 1'000;
  // Deadlines looked at in one round.
  static constexpr size_t kMaxDue = 256;

  using Done = LiveGame::Done;

  explicit Games(const World& world) : world_(world), queue_(world.store, world.scheduler) {}

  // BAD_OPTION, BAD_FIELD, NOT_FOUND, RULESET_VERSION_UNAVAILABLE, REQUEST_ID_REUSED.
  void Create(CreateGame create, Done done);
  // What Create would make of this, without storing it: its reasons, or the facts (the id, the
  // secret and what follows from it are of no use).
  absl::StatusOr<storage::GameFacts> Preview(const CreateGame& create);
  // The answer that this creation got before (blocks); `if_unknown` when there was none.
  // REQUEST_ID_REUSED.
  absl::StatusOr<CommandResult> CreatedBefore(const CreateGame& create,
                                              const absl::Status& if_unknown);
  // Loads the game if it must, on the scheduler. `done` runs exactly once.
  void Submit(GameId id, Command command, Done done);

  // The game's state, as good as the store's (blocks). NOT_FOUND, also for a game that `viewer`
  // (nil: somebody unknown) may not see.
  absl::StatusOr<StatePtr> Get(GameId id, PlayerId viewer);
  // The live game (blocks). NOT_FOUND.
  absl::StatusOr<std::shared_ptr<LiveGame>> Find(GameId id);
  // Starts watching a game (blocks); see Watch::Start and Get.
  absl::StatusOr<std::shared_ptr<Watch>> StartWatch(GameId id, PlayerId viewer,
                                                    std::optional<uint32_t> after,
                                                    Watch::Wake wake);

  // Compares all watched games with the store and delivers what is new (blocks). A notification
  // from the database may ask for it sooner than Poll would.
  void PollWatched();
  // Says that this node lives, looks at due deadlines, and polls (blocks). PollForEver does so
  // every kPollMs.
  void Poll();
  void PollForEver();

  const World& world() const { return world_; }
  CommitQueue::Totals commit_totals() const { return queue_.totals(); }

 private:
  std::shared_ptr<LiveGame> FindLoaded(GameId id) ABSL_LOCKS_EXCLUDED(mutex_);
  std::shared_ptr<LiveGame> Keep(std::shared_ptr<LiveGame> game) ABSL_LOCKS_EXCLUDED(mutex_);
  std::shared_ptr<LiveGame> DropOne() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SweepDeadlines();
  absl::StatusOr<NewGame> Prepare(const CreateGame& create, Bytes32& secret,
                                  const std::shared_ptr<const host::Ruleset>& ruleset);
  absl::StatusOr<Plan> PlanNew(const CreateGame& create, Bytes32& secret);
  void OnCreated(const CreateGame& create, const Plan& plan, const Bytes32& secret,
                 const absl::StatusOr<storage::CommitOutcome>& outcome, const Done& done);
  // Answers, on the scheduler, what this request was answered with before, or else `if_unknown`.
  void AnswerFromStore(const CreateGame& create, const absl::Status& if_unknown, const Done& done);
  absl::StatusOr<std::shared_ptr<const host::Ruleset>> RulesetFor(const CreateGame& create) const;

  const World world_;
  CommitQueue queue_;

  mutable base::Mutex mutex_;
  std::list<std::shared_ptr<LiveGame>> games_ ABSL_GUARDED_BY(mutex_);  // last used first
  absl::flat_hash_map<GameId, std::list<std::shared_ptr<LiveGame>>::iterator> by_id_
      ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<GameId, std::weak_ptr<LiveGame>> watched_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_GAMES_H_
