// Keeps every player up with his own affairs: a picture for each player whom somebody watches,
// compared with the store twice a second, for all of them together.
//
// Truth is the store, whatever node changed it: nothing here waits for a notification, and one only
// makes the next look come sooner. A look asks which games and proposals there are and how far they
// are, and reads what has changed; so it costs three statements for a thousand players, and two
// more if something happened to any of them. Looks take at most a fifth of the time.
//
// Owns the pictures; thread-safe. Methods marked (blocks) use the store on the caller's thread.
// Must live until the scheduler has stopped.
#ifndef ASTRAGAL_SERVICES_CORE_AFFAIRS_H_
#define ASTRAGAL_SERVICES_CORE_AFFAIRS_H_

#include <atomic>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "services/base/mutex.h"
#include "services/core/affair.h"
#include "services/core/world.h"
#include "storage/affair_store.h"
#include "storage/lobby_store.h"

namespace astragal::core {

// Told when there is a new picture. Implemented by streams.
class AffairViewer {
 public:
  virtual ~AffairViewer() = default;
  // Must be quick.
  virtual void OnAffairs() = 0;
};

class Affairs {
 public:
  // Viewers of one player at a time, on this node; more are refused with RATE_LIMITED.
  static constexpr size_t kMaxViewers = 8;
  // Games of a player, proposals he made, and challenges to him that are followed: the newest.
  static constexpr size_t kMaxGames = 200;
  static constexpr size_t kMaxProposals = 100;
  // What ended lately is remembered for readers who are slow.
  static constexpr size_t kMaxPast = 50;
  // Recomputed pools of a player that are told, and for how long.
  static constexpr size_t kMaxRatingNews = 20;
  static constexpr int64_t kRatingNewsMs = int64_t{30} * 24 * 3600 * 1000;
  // What was made not longer ago than this is told although no look has seen it open.
  static constexpr int64_t kRecentMs = 5'000;
  static constexpr int64_t kPollMs = 500;
  // Between two looks that were hinted at, at least; and four times as long as the last one took.
  static constexpr int64_t kLeastPauseMs = 100;

  Affairs(const World& world, storage::AffairStore& store, storage::LobbyStore& lobby)
      : world_(world), store_(store), lobby_(lobby) {}

  // Adds a viewer, dropped when it is gone, and gives the picture it starts from (blocks).
  absl::StatusOr<AffairPicturePtr> Subscribe(PlayerId player, std::weak_ptr<AffairViewer> viewer)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // The present one; null when nobody watches this player.
  AffairPicturePtr picture(PlayerId player) const ABSL_LOCKS_EXCLUDED(mutex_);

  // Something was stored, here or elsewhere: the next look comes soon. Any thread; quick.
  void Hint() ABSL_LOCKS_EXCLUDED(mutex_);
  // Looks at the affairs of all who are watched (blocks).
  void Poll() ABSL_LOCKS_EXCLUDED(mutex_, poll_mutex_);
  void PollForEver();

 private:
  struct Watched {
    AffairPicturePtr picture;  // null until it was drawn for the first time
    std::vector<std::weak_ptr<AffairViewer>> viewers;
  };
  struct Known {
    PlayerId player;
    AffairPicturePtr picture;  // never null
  };

  absl::StatusOr<std::vector<AffairPicturePtr>> Draw(const std::vector<Known>& known);
  absl::Status Look(const std::vector<Known>& known) ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<Known> Present() ABSL_LOCKS_EXCLUDED(mutex_);
  void Show(PlayerId player, AffairPicturePtr picture) ABSL_LOCKS_EXCLUDED(mutex_);

  const World world_;
  storage::AffairStore& store_;
  storage::LobbyStore& lobby_;
  base::Mutex poll_mutex_ ABSL_ACQUIRED_BEFORE(mutex_);  // one look at all at a time
  mutable base::Mutex mutex_;
  absl::flat_hash_map<PlayerId, Watched> watched_ ABSL_GUARDED_BY(mutex_);
  bool hinted_ ABSL_GUARDED_BY(mutex_) = false;  // a look is on its way
  Instant not_before_ ABSL_GUARDED_BY(mutex_);   // a look that was hinted at
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_AFFAIRS_H_
