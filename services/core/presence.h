// Who is connected to a game: every player who watches it with his own key, through any node. Shown
// to those who watch the game, never part of its log.
//
// What this node's own streams say is known at once; what other nodes have is read from the store
// once a second for all games that are watched here, and this node's part is written when it
// changes. Whoever loses his connection and comes back soon, to any node, was never gone.
//
// Owns a list of games that are watched here; thread-safe. Methods marked (blocks) use the store on
// the caller's thread. Must live until the scheduler has stopped, and longer than every Attendance.
#ifndef ASTRAGAL_SERVICES_CORE_PRESENCE_H_
#define ASTRAGAL_SERVICES_CORE_PRESENCE_H_

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "services/base/clock.h"
#include "services/base/ids.h"
#include "services/base/mutex.h"
#include "services/base/scheduler.h"
#include "storage/presence_store.h"

namespace astragal::core {

using base::GameId;
using base::PlayerId;

// Told when others than before are connected to its game. Implemented by streams.
class PresenceViewer {
 public:
  virtual ~PresenceViewer() = default;
  // Must be quick.
  virtual void OnPresence() = 0;
};

class Presence;

// One connection to a game, for as long as it lives. Made by Presence::Attend.
class Attendance {
 public:
  Attendance(Presence& presence, GameId game, PlayerId player)
      : presence_(presence), game_(game), player_(player) {}
  ~Attendance();
  Attendance(const Attendance&) = delete;
  Attendance& operator=(const Attendance&) = delete;

 private:
  Presence& presence_;
  const GameId game_;
  const PlayerId player_;
};

class Presence {
 public:
  // How often other nodes' part is read; how long after a connection was lost its player is gone.
  static constexpr int64_t kPollMs = 1'000;
  static constexpr int64_t kLingerMs = 2'500;
  static constexpr int64_t kSweepEveryMs = 60'000;

  Presence(const base::Clock& clock, base::Scheduler& scheduler, storage::PresenceStore& store)
      : clock_(clock), scheduler_(scheduler), store_(store) {}

  // A connection of `player` to the game; nil: of somebody who only looks on. The viewer is dropped
  // when it is gone.
  std::unique_ptr<Attendance> Attend(GameId game, PlayerId player,
                                     std::weak_ptr<PresenceViewer> viewer)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Who is connected, ascending, as far as is known here: what is watched here is known.
  std::vector<PlayerId> Known(GameId game) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Who is connected, ascending (blocks if the game is not watched here).
  absl::StatusOr<std::vector<PlayerId>> Of(GameId game) ABSL_LOCKS_EXCLUDED(mutex_);

  // Writes what has changed here and reads what has changed elsewhere (blocks).
  void Poll() ABSL_LOCKS_EXCLUDED(mutex_, poll_mutex_);
  void PollForEver();

 private:
  friend class Attendance;
  using Attendee = storage::Attendee;

  // A player connected through this node.
  struct Own {
    int connections = 0;
    base::Instant left_at;  // with none: when the last one ended
    bool written = false;
  };
  struct Game {
    std::map<PlayerId, Own> own;
    std::set<PlayerId> elsewhere;
    std::vector<PlayerId> present;  // both, ascending
    std::vector<std::weak_ptr<PresenceViewer>> viewers;
    size_t connections = 0;  // of players and others
  };
  using Viewers = std::vector<std::shared_ptr<PresenceViewer>>;

  void Leave(GameId game, PlayerId player) ABSL_LOCKS_EXCLUDED(mutex_);
  // Who is to be told that `game` has others present now.
  static Viewers Renew(Game& game);
  static std::vector<PlayerId> PresentIn(const Game& game);
  // Ends what has lingered long enough and forgets games that nobody watches.
  Viewers EndLingering(std::vector<Attendee>& came, std::vector<Attendee>& went)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Write() ABSL_EXCLUSIVE_LOCKS_REQUIRED(poll_mutex_) ABSL_LOCKS_EXCLUDED(mutex_);
  void Read() ABSL_EXCLUSIVE_LOCKS_REQUIRED(poll_mutex_) ABSL_LOCKS_EXCLUDED(mutex_);
  Viewers Learn(const std::vector<GameId>& games, const std::vector<storage::AttendeeRow>& rows)
      ABSL_LOCKS_EXCLUDED(mutex_);
  static void Tell(const Viewers& viewers);

  const base::Clock& clock_;
  base::Scheduler& scheduler_;
  storage::PresenceStore& store_;
  base::Mutex poll_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);  // one look at a time
  base::Instant swept_at_ ABSL_GUARDED_BY(poll_mutex_);
  std::set<Attendee> unwritten_ends_ ABSL_GUARDED_BY(poll_mutex_);
  mutable base::Mutex mutex_;
  absl::flat_hash_map<GameId, Game> games_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_PRESENCE_H_
