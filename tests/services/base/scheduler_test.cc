#include "services/base/scheduler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "services/base/status.h"

namespace astragal::base {
namespace {

// Keeps one worker busy until it is let go.
class Plug {
 public:
  explicit Plug(Scheduler& scheduler) {
    EXPECT_TRUE(scheduler
                    .Post([this] {
                      entered_.set_value();
                      leave_.get_future().wait();
                    })
                    .ok());
    entered_.get_future().wait();
  }
  void Pull() { leave_.set_value(); }

 private:
  std::promise<void> entered_;
  std::promise<void> leave_;
};

TEST(ThreadScheduler, RunsEverythingThatWasPosted) {
  std::atomic<int> ran = 0;
  {
    ThreadScheduler scheduler(4);
    for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(scheduler.Post([&] { ++ran; }).ok());
  }
  EXPECT_EQ(ran, 10'000);
}

TEST(ThreadScheduler, OneWorkerKeepsTheOrder) {
  std::vector<int> order;
  {
    ThreadScheduler scheduler(1);
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(scheduler.Post([&, i] { order.push_back(i); }).ok());
  }
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

TEST(ThreadScheduler, RefusesBeyondItsLimit) {
  std::atomic<size_t> ran = 0;
  ThreadScheduler scheduler(1);
  Plug plug(scheduler);
  for (size_t i = 0; i < ThreadScheduler::kMaxQueued; ++i) {
    ASSERT_TRUE(scheduler.Post([&] { ++ran; }).ok());
  }
  const absl::Status refused = scheduler.Post([&] { ++ran; });
  EXPECT_EQ(ReasonOf(refused), Reason::kMailboxFull);
  EXPECT_EQ(DetailsOf(refused).count("retry_after_ms"), 1u);
  plug.Pull();
  scheduler.Stop();
  EXPECT_EQ(ran, ThreadScheduler::kMaxQueued);
}

TEST(ThreadScheduler, TimersRunInOrderAndNotEarly) {
  ThreadScheduler scheduler(1);
  const auto start = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::vector<int64_t> order;
  std::promise<void> last;
  for (const int64_t ms : {30, 10, 20}) {
    scheduler.PostAfter(ms, [&, ms] {
      const auto waited = std::chrono::steady_clock::now() - start;
      EXPECT_GE(waited, std::chrono::milliseconds(ms));
      const std::lock_guard lock(mutex);
      order.push_back(ms);
      if (order.size() == 3) last.set_value();
    });
  }
  last.get_future().wait();
  EXPECT_EQ(order, (std::vector<int64_t>{10, 20, 30}));
}

TEST(ThreadScheduler, TimersAreTakenWhenTheQueueIsFull) {
  ThreadScheduler scheduler(1);
  Plug plug(scheduler);
  while (scheduler.Post([] {}).ok()) {
  }
  std::promise<void> ran;
  scheduler.PostAfter(0, [&] { ran.set_value(); });
  plug.Pull();
  ran.get_future().wait();
}

TEST(ThreadScheduler, StopFinishesTheQueueAndDropsTimers) {
  std::atomic<int> ran = 0;
  const auto held = std::make_shared<int>(0);
  ThreadScheduler scheduler(2);
  Plug plug(scheduler);
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(scheduler.Post([&] { ++ran; }).ok());
  scheduler.PostAfter(3'600'000, [held] { FAIL() << "a dropped timer ran"; });
  plug.Pull();
  scheduler.Stop();
  EXPECT_EQ(ran, 50);
  EXPECT_EQ(held.use_count(), 1) << "what a dropped timer held was not released";
  EXPECT_EQ(ReasonOf(scheduler.Post([] {})), Reason::kDraining);
  scheduler.PostAfter(0, [held] { FAIL() << "a timer after the end ran"; });
  EXPECT_EQ(held.use_count(), 1);
  scheduler.Stop();  // a second time does nothing
}

// Stopped while its thread waits for a timer that is far away: under the sanitizers this used to
// read the freed timer.
TEST(ThreadScheduler, StopsWhileATimerIsAwaited) {
  for (int i = 0; i < 20; ++i) {
    ThreadScheduler scheduler(1);
    scheduler.PostAfter(60'000, [] {});
    std::this_thread::sleep_for(std::chrono::milliseconds(i % 3));
  }
}

// What a dropped timer holds may post work as it goes.
TEST(ThreadScheduler, DroppedTimersMayPost) {
  ThreadScheduler scheduler(1);
  absl::Status answer;
  std::shared_ptr<int> poster(new int(0), [&](const int* value) {
    delete value;
    answer = scheduler.Post([] {});
  });
  scheduler.PostAfter(60'000, [poster] {});
  poster.reset();
  scheduler.Stop();
  EXPECT_EQ(ReasonOf(answer), Reason::kDraining);
}

TEST(ThreadScheduler, WorkMayPostWork) {
  std::atomic<int> ran = 0;
  {
    ThreadScheduler scheduler(2);
    std::promise<void> done;
    std::function<void(int)> chain = [&](int left) {
      ++ran;
      if (left == 0) return done.set_value();
      ASSERT_TRUE(scheduler.Post([&, left] { chain(left - 1); }).ok());
    };
    ASSERT_TRUE(scheduler.Post([&] { chain(99); }).ok());
    done.get_future().wait();
  }
  EXPECT_EQ(ran, 100);
}

}  // namespace
}  // namespace astragal::base
