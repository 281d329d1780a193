// All matches: creates them, starts their next games, and keeps those that watch them up to date.
//
// A match is its games: nothing about it lives here but who watches it. The next game is created
// under a request that follows from the match and its number (next_game.h), so of all nodes and
// players that start it at once exactly one does, and all learn which it is. It is started by the
// process that ended the game before it; if that died in between, by whoever looks next.
//
// Thread-safe. Methods marked (blocks) read the store on the caller's thread. Must live until the
// scheduler has stopped.
#ifndef ASTRAGAL_SERVICES_CORE_MATCHES_H_
#define ASTRAGAL_SERVICES_CORE_MATCHES_H_

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "services/base/mutex.h"
#include "services/core/games.h"
#include "services/core/match_state.h"
#include "services/core/match_terms.h"
#include "services/core/match_watch.h"
#include "storage/match_store.h"

namespace astragal::core {

class Matches {
 public:
  // How often watched matches are compared with the store.
  static constexpr int64_t kPollMs = 500;
  // How often the start of a game is tried again when the store is away, and after how long at
  // first; each time twice as long.
  static constexpr int kMaxRounds = 6;
  static constexpr int64_t kRetryMs = 50;

  using Done = std::function<void(absl::StatusOr<MatchPtr>)>;

  Matches(Games& games, storage::MatchStore& store) : games_(games), store_(store) {}

  // Creates a match of the players of `first` and that game in one commit, under its request.
  // `done` runs exactly once, on the scheduler if it succeeds. BAD_FIELD, and what Games::Create
  // says.
  void Create(CreateGame first, const MatchTerms& terms, Done done);
  // The match as it stands (blocks). NOT_FOUND, also for one that `viewer` may not see.
  absl::StatusOr<MatchPtr> Read(base::MatchId id, PlayerId viewer);
  // The same, once a game that is due has been started (blocks; `done` runs exactly once).
  void Get(base::MatchId id, PlayerId viewer, Done done);
  // Starts game `number` (0: the next one) unless it has started (blocks; `done` runs exactly
  // once). MATCH_OVER, GAME_STILL_RUNNING, BAD_FIELD.
  void StartNext(const MatchPtr& match, uint32_t number, Done done);
  // Newest first, below `before` (blocks).
  absl::StatusOr<std::vector<MatchPtr>> List(PlayerId player, PlayerId viewer, base::MatchId before,
                                             size_t limit);

  // Starts watching (blocks). NOT_FOUND.
  absl::StatusOr<std::shared_ptr<MatchWatch>> StartWatch(base::MatchId id, PlayerId viewer,
                                                         MatchWatch::Wake wake);

  // See World::on_match_game_over.
  void OnGameOver(const GameState& game);
  // Compares watched matches with the store, tells what is new, and starts games that somebody else
  // should have (blocks). PollForEver does so every kPollMs.
  void Poll();
  void PollForEver();

 private:
  using Watches = std::vector<std::weak_ptr<MatchWatch>>;

  // Starts the next game (blocks); `done` gets the match with it, on the scheduler.
  void Start(const MatchPtr& match, const Done& done);
  // Reads the match, tells its watchers, and starts a game that is due; again if the store is away.
  void MoveOn(base::MatchId id, int round);
  void MoveOnLater(base::MatchId id, int round, const absl::Status& why);
  void Publish(const MatchPtr& match) ABSL_LOCKS_EXCLUDED(mutex_);
  // One watch of each watched match; forgets matches that nobody watches.
  std::vector<std::shared_ptr<MatchWatch>> Watched() ABSL_LOCKS_EXCLUDED(mutex_);

  Games& games_;
  storage::MatchStore& store_;

  base::Mutex mutex_;
  std::map<base::MatchId, Watches> watches_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_MATCHES_H_
