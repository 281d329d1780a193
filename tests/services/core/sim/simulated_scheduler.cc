#include "tests/services/core/sim/simulated_scheduler.h"

#include <algorithm>
#include <utility>

#include "services/base/status.h"

namespace astragal::tests {

using base::Error;
using base::Reason;

uint64_t SeededRandom::Next() {
  constexpr uint64_t kStep = 0x9E3779B97F4A7C15;
  uint64_t z = state_.fetch_add(kStep, std::memory_order_relaxed) + kStep;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

void SeededRandom::Fill(std::span<uint8_t> out) {
  uint64_t word = 0;
  for (size_t i = 0; i < out.size(); ++i) {
    if (i % 8 == 0) word = Next();
    out[i] = static_cast<uint8_t>(word >> (8 * (i % 8)));
  }
}

absl::Status SimulatedScheduler::Post(std::function<void()> work) {
  if (stopped_) return Error(Reason::kDraining, "the simulated server is shutting down");
  if (refuse_ > 0) {
    --refuse_;
    return Error(Reason::kMailboxFull, "the simulated queue is full").RetryAfterMs(100);
  }
  ready_.push_back(std::move(work));
  return absl::OkStatus();
}

void SimulatedScheduler::PostAfter(int64_t delay_ms, std::function<void()> work) {
  if (!stopped_) timers_.push_back({clock_.Now().micros + delay_ms * 1000, std::move(work)});
}

void SimulatedScheduler::TakeDue() {
  const int64_t now = clock_.Now().micros;
  const auto is_later = [now](const Timer& timer) { return timer.due_micros > now; };
  const auto due = std::stable_partition(timers_.begin(), timers_.end(), is_later);
  for (auto timer = due; timer != timers_.end(); ++timer) ready_.push_back(std::move(timer->work));
  timers_.erase(due, timers_.end());
}

bool SimulatedScheduler::RunOne() {
  TakeDue();
  if (ready_.empty()) return false;
  std::swap(ready_[random_.Below(ready_.size())], ready_.back());
  const std::function<void()> work = std::move(ready_.back());
  ready_.pop_back();
  work();
  return true;
}

int SimulatedScheduler::RunAll() {
  int ran = 0;
  while (RunOne()) ++ran;
  return ran;
}

void SimulatedScheduler::Advance(int64_t ms) {
  for (int64_t step = 0; step < ms; ++step) {
    RunAll();
    clock_.Advance(1000);
  }
  RunAll();
}

bool SimulatedScheduler::IsIdle() const {
  const int64_t now = clock_.Now().micros;
  return ready_.empty() && std::ranges::none_of(timers_, [now](const Timer& timer) {
           return timer.due_micros <= now;
         });
}

void SimulatedScheduler::Stop() {
  stopped_ = true;
  std::exchange(timers_, {}).clear();
  RunAll();
}

void SimulatedScheduler::Kill() {
  stopped_ = true;
  std::exchange(timers_, {}).clear();
  std::exchange(ready_, {}).clear();
}

}  // namespace astragal::tests
