// Work for later and elsewhere, through one interface: core never starts a thread of its own.
#ifndef ASTRAGAL_SERVICES_BASE_SCHEDULER_H_
#define ASTRAGAL_SERVICES_BASE_SCHEDULER_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "services/base/clock.h"

namespace astragal::base {

// One of the four interfaces through which core reaches the world. Thread-safe.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  // Runs `work` soon on some worker; it may block on the database. RESOURCE_EXHAUSTED with
  // MAILBOX_FULL when the queue is at its limit: then `work` was not taken and will not run.
  virtual absl::Status Post(std::function<void()> work) = 0;
  // Runs `work` once, `delay_ms` from now or a little later, unless the scheduler stops before:
  // then `work` is destroyed without having run. Timers are not counted against Post.
  virtual void PostAfter(int64_t delay_ms, std::function<void()> work) = 0;
};

// A fixed number of worker threads and one timer thread.
// Stop() drops timers, lets the queued work finish and joins; the destructor calls it. From Stop()
// on Post answers DRAINING. Stop() may not be called from a worker, nor by two threads at once.
class ThreadScheduler : public Scheduler {
 public:
  // Queued, not yet started work; more is refused.
  static constexpr size_t kMaxQueued = 65'536;

  explicit ThreadScheduler(int threads);
  ~ThreadScheduler() override;
  absl::Status Post(std::function<void()> work) override;
  void PostAfter(int64_t delay_ms, std::function<void()> work) override;
  void Stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_SCHEDULER_H_
