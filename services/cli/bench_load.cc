#include "services/cli/bench_load.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "services/cli/client.h"

namespace astragal::cli {
namespace {

using std::chrono::milliseconds;

constexpr int kMostAtOnceInSetUp = 128;
constexpr int kMostPlayers = 256;
constexpr milliseconds kAfterFailure(100);
constexpr std::chrono::seconds kPatience(40);

BenchClock::duration Seconds(double seconds) {
  return std::chrono::duration_cast<BenchClock::duration>(std::chrono::duration<double>(seconds));
}

double SecondsSince(BenchClock::time_point begin) {
  return std::chrono::duration<double>(BenchClock::now() - begin).count();
}

int64_t MicrosSince(BenchClock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::microseconds>(BenchClock::now() - begin).count();
}

// One chain of empty calls after another.
class EmptyLoop {
 public:
  EmptyLoop(BenchWire& wire, EmptyCalls& calls, double seconds)
      : wire_(wire), calls_(calls), end_(BenchClock::now() + Seconds(seconds)) {}

  void Next() {
    const BenchClock::time_point begin = BenchClock::now();
    wire_.Empty([this, begin](const absl::Status& status) {
      if (!status.ok()) return End(status);
      calls_.micros.Record(MicrosSince(begin));
      BenchClock::now() < end_ ? Next() : End(status);
    });
  }

  absl::Status Await(int chains) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ == chains; });
    return failure_;
  }

 private:
  void End(const absl::Status& status) {
    const std::lock_guard lock(mutex_);
    ++ended_;
    if (failure_.ok()) failure_ = status;
    changed_.notify_all();
  }

  BenchWire& wire_;
  EmptyCalls& calls_;
  const BenchClock::time_point end_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int ended_ = 0;
  absl::Status failure_;
};

}  // namespace

absl::Status MeasureEmptyCalls(BenchWire& wire, int outstanding, double seconds,
                               EmptyCalls& calls) {
  const BenchClock::time_point begin = BenchClock::now();
  EmptyLoop loop(wire, calls, seconds);
  for (int i = 0; i < outstanding; ++i) loop.Next();
  const absl::Status status = loop.Await(outstanding);
  calls.seconds += SecondsSince(begin);
  return status;
}

BenchLoad::BenchLoad(BenchScene& scene, const BenchOptions& options)
    : scene_(scene), options_(options) {
  base::SystemRandom random;
  for (int i = 0; i < options.games; ++i) {
    uint64_t seed = 0;
    random.Fill({reinterpret_cast<uint8_t*>(&seed), sizeof seed});
    tables_.push_back(std::make_unique<BenchTable>(scene, i, seed));
    ready_.push_back(tables_.back().get());
  }
}

absl::Status BenchLoad::ForAll(
    int count, const std::function<void(int, std::function<void(absl::Status)>)>& begin) {
  std::mutex mutex;
  std::condition_variable changed;
  int running = 0;
  absl::Status failure;
  for (int i = 0; i < count; ++i) {
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return running < kMostAtOnceInSetUp; });
      if (!failure.ok()) break;
      ++running;
    }
    begin(i, [&](const absl::Status& status) {
      const std::lock_guard lock(mutex);
      --running;
      if (failure.ok()) failure = status;
      changed.notify_all();
    });
  }
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return running == 0; });
  return failure;
}

// Every table has its own players, up to a number.
absl::Status BenchLoad::CreatePlayers() {
  const int seats = scene_.seats;
  const int tables = std::clamp(kMostPlayers / seats, 1, options_.games);
  scene_.keys.resize(static_cast<size_t>(tables * seats));
  base::SystemRandom random;
  const std::string run = NewRequestId(random).substr(0, 8);
  return ForAll(tables * seats, [&](int i, std::function<void(absl::Status)> done) {
    v1::CreatePlayerRequest request;
    request.set_request_id(NewRequestId(random));
    request.set_name("bench-" + run + "-" + std::to_string(i));
    request.set_bot(true);
    scene_.wire.Call(i, "", request,
                     [this, i, done = std::move(done)](const absl::Status& status,
                                                       v1::CreatePlayerResponse& created) {
                       scene_.keys[static_cast<size_t>(i)] = created.api_key();
                       done(status);
                     });
  });
}

absl::Status BenchLoad::OpenGames() {
  const absl::Status opened =
      ForAll(options_.games, [this](int i, std::function<void(absl::Status)> done) {
        tables_[static_cast<size_t>(i)]->Open([done = std::move(done)](bool good) {
          done(good ? absl::OkStatus() : absl::AbortedError("a game could not begin"));
        });
      });
  const std::lock_guard lock(scene_.tally.mutex);
  return opened.ok() ? opened : scene_.tally.first_failure;
}

absl::Status BenchLoad::OpenStreams() {
  const BenchClock::time_point begin = BenchClock::now();
  for (int i = 0; i < options_.watchers; ++i) {
    tables_[static_cast<size_t>(i) % tables_.size()]->Follow();
    // Opening a stream asks the database: not all of them at one moment.
    while (i + 1 - scene_.streams_ready > kMostAtOnceInSetUp ||
           (i + 1 == options_.watchers && scene_.streams_ready < options_.watchers)) {
      const std::lock_guard lock(scene_.tally.mutex);
      if (!scene_.tally.first_failure.ok()) return scene_.tally.first_failure;
      if (BenchClock::now() - begin > kPatience * (1 + options_.watchers / 1000)) {
        return absl::DeadlineExceededError("the streams did not open");
      }
      std::this_thread::sleep_for(milliseconds(1));
    }
  }
  return absl::OkStatus();
}

void BenchLoad::CloseStreams() {
  for (const auto& table : tables_) table->StopFollowing();
  const BenchClock::time_point begin = BenchClock::now();
  while (scene_.streams > 0 && BenchClock::now() - begin < kPatience) {
    std::this_thread::sleep_for(milliseconds(1));
  }
}

// Begins what may begin now; runs on whatever thread made that so.
void BenchLoad::Pump() {
  const bool open_loop = options_.open_rate > 0;
  while (true) {
    BenchTable* table = nullptr;
    Time due = BenchClock::now();
    {
      const std::lock_guard lock(mutex_);
      if (stopping_ || ready_.empty() || under_way_ >= options_.outstanding) return;
      if (open_loop && due_.empty()) return;
      if (open_loop) {
        due = due_.front();
        due_.pop_front();
      }
      table = ready_.front();
      ready_.pop_front();
      ++under_way_;
    }
    table->PlayOne(due, [this, table](bool good) { OnReady(table, good); });
  }
}

void BenchLoad::OnReady(BenchTable* table, bool good) {
  {
    const std::lock_guard lock(mutex_);
    --under_way_;
    ++inside_;
    const BenchClock::duration wait =
        good ? Seconds(options_.think_ms / 1000) : BenchClock::duration(kAfterFailure);
    if (wait > BenchClock::duration::zero()) {
      const auto place = thinking_.emplace(BenchClock::now() + wait, table);
      if (place == thinking_.begin()) changed_.notify_all();
    } else {
      ready_.push_back(table);
    }
  }
  Pump();
  const std::lock_guard lock(mutex_);
  --inside_;
  if (stopping_) changed_.notify_all();
}

// Under the lock.
void BenchLoad::BeginDue(Time now) {
  while (!thinking_.empty() && thinking_.begin()->first <= now) {
    ready_.push_back(thinking_.begin()->second);
    thinking_.erase(thinking_.begin());
  }
  if (options_.open_rate <= 0) return;
  for (; next_due_ <= now; next_due_ += Seconds(1 / options_.open_rate)) due_.push_back(next_due_);
}

// Under the lock.
BenchLoad::Time BenchLoad::NextWork(Time end) const {
  Time next = end;
  if (!thinking_.empty()) next = std::min(next, thinking_.begin()->first);
  // Due actions are begun a few at a time: a thread cannot wake for each of them.
  if (options_.open_rate > 0)
    next = std::min(next, std::max(next_due_, BenchClock::now() + milliseconds(1)));
  return next;
}

void BenchLoad::WaitUntil(Time end, const Observer& observer, bool measured) {
  const Time begin = BenchClock::now();
  Time second = begin;
  uint64_t before = 0;
  while (BenchClock::now() < end) {
    const Time wake = std::min(end, second + std::chrono::seconds(1));
    {
      std::unique_lock lock(mutex_);
      BeginDue(BenchClock::now());
    }
    Pump();
    {
      std::unique_lock lock(mutex_);
      changed_.wait_until(lock, NextWork(wake));
    }
    if (!measured || BenchClock::now() < second + std::chrono::seconds(1)) continue;
    const uint64_t now = scene_.tally.answer_us.count();
    observer.on_second(SecondsSince(begin),
                       static_cast<double>(now - before) / SecondsSince(second));
    before = now;
    second = BenchClock::now();
  }
}

void BenchLoad::Play(const Observer& observer) {
  const Time begin = BenchClock::now();
  next_due_ = begin;
  WaitUntil(begin + Seconds(options_.warmup_s), observer, false);
  const Time measured = BenchClock::now();
  observer.on_begin();
  scene_.tally.measuring = true;
  WaitUntil(measured + Seconds(options_.duration_s), observer, true);
  scene_.tally.measuring = false;
  measured_seconds_ = SecondsSince(measured);
  observer.on_end();
  std::unique_lock lock(mutex_);
  stopping_ = true;
  changed_.wait_for(lock, kPatience, [&] { return under_way_ == 0 && inside_ == 0; });
}

}  // namespace astragal::cli
