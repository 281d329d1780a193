// A scheduler for one thread: work runs when the test says so, in an order drawn from a seed, and
// timers follow a clock that is moved by hand. The same seed and the same calls give the same
// order.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_SCHEDULER_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_SCHEDULER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "services/base/clock.h"
#include "services/base/random.h"
#include "services/base/scheduler.h"

namespace astragal::tests {

// Any number of 64-bit words from a seed (splitmix64). Thread-safe as base::Random asks.
class SeededRandom : public base::Random {
 public:
  explicit SeededRandom(uint64_t seed) : state_(seed) {}
  void Fill(std::span<uint8_t> out) override;
  uint64_t Next();
  // 0 .. below - 1.
  uint64_t Below(uint64_t below) { return Next() % below; }
  bool OneIn(uint64_t n) { return Below(n) == 0; }

 private:
  std::atomic<uint64_t> state_;
};

class SimulatedScheduler : public base::Scheduler {
 public:
  SimulatedScheduler(base::ManualClock& clock, uint64_t seed) : clock_(clock), random_(seed) {}

  absl::Status Post(std::function<void()> work) override;
  void PostAfter(int64_t delay_ms, std::function<void()> work) override;

  // Runs one piece of work that is due; false when there is none.
  bool RunOne();
  // Until nothing is due. Returns how many pieces ran.
  int RunAll();
  // Moves the clock in steps and runs what falls due.
  void Advance(int64_t ms);
  bool IsIdle() const;
  // Nothing at all waits, timers included.
  bool IsEmpty() const { return ready_.empty() && timers_.empty(); }

  // The next `count` posts are refused with MAILBOX_FULL.
  void RefusePosts(int count) { refuse_ = count; }
  // As ThreadScheduler::Stop: timers are dropped, queued work runs, posts are refused.
  void Stop();
  // The process dies: everything is dropped, nothing runs any more.
  void Kill();

 private:
  struct Timer {
    int64_t due_micros;
    std::function<void()> work;
  };
  void TakeDue();

  base::ManualClock& clock_;
  SeededRandom random_;
  std::vector<std::function<void()>> ready_;
  std::vector<Timer> timers_;
  int refuse_ = 0;
  bool stopped_ = false;
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_SCHEDULER_H_
