// What one build of a ruleset has been used for in this process: for metrics, never for play.
#ifndef ASTRAGAL_PLUGINS_HOST_USAGE_H_
#define ASTRAGAL_PLUGINS_HOST_USAGE_H_

#include <atomic>
#include <chrono>
#include <cstdint>

namespace astragal::host {

// Counts since the build was loaded. Thread-safe; counted without order between them. On cache
// lines of its own: whoever plays writes here, and reads the ruleset beside it.
struct alignas(64) Usage {
  // One call in so many of a thread is timed and stands for all: a prime, so that calls which
  // alternate are met alike.
  static constexpr uint32_t kTimedOneIn = 61;

  // By whoever stores games, once they are stored.
  std::atomic<uint64_t> games_started = 0;
  std::atomic<uint64_t> games_ended = 0;  // finished or called off
  std::atomic<uint64_t> actions = 0;      // of seats, without throws

  // By the host: calls that list or carry out actions, and the time in them, both estimated.
  std::atomic<uint64_t> calls = 0;
  std::atomic<uint64_t> nanos = 0;
};

// Times the scope it stands in, if it is this thread's turn. Else it costs a count of the thread's.
class TimedCall {
 public:
  explicit TimedCall(Usage& usage) : usage_(IsTimed() ? &usage : nullptr) {
    if (usage_ != nullptr) begun_ = Clock::now();
  }
  ~TimedCall() {
    if (usage_ == nullptr) return;
    const std::chrono::nanoseconds took = Clock::now() - begun_;
    usage_->calls.fetch_add(Usage::kTimedOneIn, std::memory_order_relaxed);
    usage_->nanos.fetch_add(Usage::kTimedOneIn * static_cast<uint64_t>(took.count()),
                            std::memory_order_relaxed);
  }
  TimedCall(const TimedCall&) = delete;
  TimedCall& operator=(const TimedCall&) = delete;

 private:
  using Clock = std::chrono::steady_clock;

  static bool IsTimed() {
    static thread_local uint32_t calls = 0;
    return ++calls % Usage::kTimedOneIn == 0;
  }

  Usage* const usage_;
  Clock::time_point begun_{};
};

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_USAGE_H_
