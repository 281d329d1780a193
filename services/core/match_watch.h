// One reader of one match: the match as it stands, then again after each change.
//
// Keeps the latest state only, so that a slow reader costs nothing. Thread-safe.
#ifndef ASTRAGAL_SERVICES_CORE_MATCH_WATCH_H_
#define ASTRAGAL_SERVICES_CORE_MATCH_WATCH_H_

#include <functional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "services/base/mutex.h"
#include "services/core/match_state.h"

namespace astragal::core {

class MatchWatch {
 public:
  // Called, from any thread, when Next has something new. Must be quick and must not call Matches.
  using Wake = std::function<void()>;

  MatchWatch(MatchPtr now, Wake wake) : wake_(std::move(wake)), latest_(std::move(now)) {}

  // The match, the first time and whenever it has changed since the last time; otherwise null.
  MatchPtr Next() ABSL_LOCKS_EXCLUDED(mutex_) {
    const base::MutexLock lock(mutex_);
    return std::exchange(is_new_, false) ? latest_ : nullptr;
  }
  MatchPtr latest() const ABSL_LOCKS_EXCLUDED(mutex_) {
    const base::MutexLock lock(mutex_);
    return latest_;
  }
  // What is no later than what is known is left aside.
  void Offer(const MatchPtr& match) ABSL_LOCKS_EXCLUDED(mutex_) {
    {
      const base::MutexLock lock(mutex_);
      if (match->Version() <= latest_->Version()) return;
      latest_ = match;
      is_new_ = true;
    }
    wake_();
  }

 private:
  const Wake wake_;
  mutable base::Mutex mutex_;
  MatchPtr latest_ ABSL_GUARDED_BY(mutex_);
  bool is_new_ ABSL_GUARDED_BY(mutex_) = true;
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_MATCH_WATCH_H_
