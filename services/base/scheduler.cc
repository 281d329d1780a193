#include "services/base/scheduler.h"

#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "services/base/status.h"

namespace astragal::base {

using SteadyTime = std::chrono::steady_clock::time_point;

struct ThreadScheduler::State {
  std::mutex mutex;
  std::condition_variable wake_worker;
  std::condition_variable wake_timer;
  bool stopping = false;
  std::deque<std::function<void()>> queue;
  std::multimap<SteadyTime, std::function<void()>> timers;
  std::vector<std::thread> threads;

  void Work() {
    std::unique_lock lock(mutex);
    while (true) {
      wake_worker.wait(lock, [&] { return stopping || !queue.empty(); });
      if (queue.empty()) return;
      std::function<void()> work = std::move(queue.front());
      queue.pop_front();
      lock.unlock();
      work();
      work = nullptr;  // what it holds is released outside the lock
      lock.lock();
    }
  }

  void RunTimers() {
    std::unique_lock lock(mutex);
    while (!stopping) {
      if (timers.empty()) {
        wake_timer.wait(lock);
        continue;
      }
      const auto next = timers.begin();
      // A copy: Stop may free the timer while this thread waits for it.
      const SteadyTime due = next->first;
      if (due > std::chrono::steady_clock::now()) {
        wake_timer.wait_until(lock, due);
        continue;
      }
      queue.push_back(std::move(next->second));
      timers.erase(next);
      wake_worker.notify_one();
    }
  }
};

ThreadScheduler::ThreadScheduler(int threads) : state_(std::make_unique<State>()) {
  for (int i = 0; i < threads; ++i) state_->threads.emplace_back([this] { state_->Work(); });
  state_->threads.emplace_back([this] { state_->RunTimers(); });
}

ThreadScheduler::~ThreadScheduler() { Stop(); }

absl::Status ThreadScheduler::Post(std::function<void()> work) {
  const std::lock_guard lock(state_->mutex);
  if (state_->stopping) return Draining();
  if (state_->queue.size() >= kMaxQueued) {
    return Error(Reason::kMailboxFull, "the server has too much work queued").RetryAfterMs(100);
  }
  state_->queue.push_back(std::move(work));
  state_->wake_worker.notify_one();
  return absl::OkStatus();
}

void ThreadScheduler::PostAfter(int64_t delay_ms, std::function<void()> work) {
  const std::lock_guard lock(state_->mutex);
  if (state_->stopping) return;
  state_->timers.emplace(std::chrono::steady_clock::now() + std::chrono::milliseconds(delay_ms),
                         std::move(work));
  state_->wake_timer.notify_one();
}

void ThreadScheduler::Stop() {
  // Released outside the lock: what a timer holds may post work when it is dropped.
  std::multimap<SteadyTime, std::function<void()>> dropped;
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    dropped.swap(state_->timers);
  }
  dropped.clear();
  state_->wake_worker.notify_all();
  state_->wake_timer.notify_all();
  for (std::thread& thread : state_->threads) {
    if (thread.joinable()) thread.join();
  }
}

}  // namespace astragal::base
