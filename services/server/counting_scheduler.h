// A scheduler that knows how much it has to do: for the page of metrics.
#ifndef ASTRAGAL_SERVICES_SERVER_COUNTING_SCHEDULER_H_
#define ASTRAGAL_SERVICES_SERVER_COUNTING_SCHEDULER_H_

#include <atomic>
#include <functional>
#include <utility>

#include "services/base/scheduler.h"

namespace astragal::server {

// Hands everything on to another scheduler, which must outlive it and the work. Thread-safe.
class CountingScheduler : public base::Scheduler {
 public:
  explicit CountingScheduler(base::Scheduler& next) : next_(next) {}

  absl::Status Post(std::function<void()> work) override {
    ++unfinished_;
    absl::Status posted = next_.Post([this, work = std::move(work)] {
      work();
      --unfinished_;
    });
    if (!posted.ok()) --unfinished_;
    return posted;
  }
  void PostAfter(int64_t delay_ms, std::function<void()> work) override {
    next_.PostAfter(delay_ms, std::move(work));
  }

  // Posted and not yet done, without what is for later.
  int64_t unfinished() const { return unfinished_; }

 private:
  base::Scheduler& next_;
  std::atomic<int64_t> unfinished_ = 0;
};

}  // namespace astragal::server

#endif  // ASTRAGAL_SERVICES_SERVER_COUNTING_SCHEDULER_H_
