// One reader of one game: a snapshot, then every later event, in order, each once.
//
// Owns a bounded buffer between the game and a reader that may be slow. What lies between the
// sequence the reader asked for and now is read from the store in pages, only as fast as the reader
// takes them; what happens meanwhile waits in the buffer. A reader that lets the buffer fill is
// told where to resume. Thread-safe.
#ifndef ASTRAGAL_SERVICES_CORE_WATCH_H_
#define ASTRAGAL_SERVICES_CORE_WATCH_H_

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "services/base/mutex.h"
#include "services/core/live_game.h"
#include "services/core/replay.h"

namespace astragal::core {

class Watch : public EventSink, public std::enable_shared_from_this<Watch> {
 public:
  // Live events waiting for the reader; more end the watch with WATCHER_TOO_SLOW.
  static constexpr size_t kMaxBuffered = 256;

  // Called, from any thread and perhaps under the game's lock, when Next may have something new.
  // Must be quick and must not call the game.
  using Wake = std::function<void()>;

  // Starts watching (blocks on the store). `after` unset: from now on; 0: the whole log.
  // SEQUENCE_UNKNOWN when the log does not reach `after`.
  static absl::StatusOr<std::shared_ptr<Watch>> Start(const World& world,
                                                      std::shared_ptr<LiveGame> game,
                                                      std::optional<uint32_t> after, Wake wake);

  // The game before the first event that Next returns; null when that is event 1.
  const StatePtr& snapshot() const { return snapshot_; }

  // The next event; nullopt: nothing yet, Wake will be called. An error is the end:
  // WATCHER_TOO_SLOW with "resume_after_sequence", SEQUENCE_UNKNOWN after a restore, or what the
  // store said.
  absl::StatusOr<std::optional<EventPtr>> Next() ABSL_LOCKS_EXCLUDED(mutex_);
  // Number of the game's last event, as far as this process knows.
  uint32_t head() const ABSL_LOCKS_EXCLUDED(mutex_);

  void OnEvents(const std::vector<EventPtr>& events) override ABSL_LOCKS_EXCLUDED(mutex_);
  void OnLost() override ABSL_LOCKS_EXCLUDED(mutex_);

  ~Watch() override;

 private:
  static constexpr size_t kPage = 64;

  Watch(const World& world, std::shared_ptr<LiveGame> game, Wake wake)
      : world_(world),
        buffered_(world.watch_buffered),
        game_(std::move(game)),
        wake_(std::move(wake)) {}
  absl::Status CatchUpFrom(uint32_t after, StatePtr now) ABSL_LOCKS_EXCLUDED(mutex_);
  void ReadPage() ABSL_LOCKS_EXCLUDED(mutex_);
  // Tells whoever counts how much the buffers hold now.
  void CountBuffers() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status StartReading() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const World& world_;
  const std::shared_ptr<std::atomic<int64_t>> buffered_;  // of the world
  const std::shared_ptr<LiveGame> game_;
  const Wake wake_;
  StatePtr snapshot_;
  uint32_t live_from_ = 0;  // events after this one come from the game itself

  mutable base::Mutex mutex_;
  uint32_t head_ ABSL_GUARDED_BY(mutex_) = 0;
  std::unique_ptr<Replay> past_ ABSL_GUARDED_BY(mutex_);  // null once caught up
  bool reading_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<EventPtr> ready_ ABSL_GUARDED_BY(mutex_);  // from the past, to be sent first
  std::deque<EventPtr> live_ ABSL_GUARDED_BY(mutex_);
  int64_t counted_ ABSL_GUARDED_BY(mutex_) = 0;  // as held by both
  uint32_t last_taken_ ABSL_GUARDED_BY(mutex_) = 0;
  // What to say once everything buffered is taken.
  absl::Status end_ ABSL_GUARDED_BY(mutex_);
  bool too_slow_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_WATCH_H_
