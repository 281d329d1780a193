// The load of `astragal bench`: sets the tables, plays, and measures what an empty call does.
//
// Used by one thread, which waits in every method until it is done; calls are answered on gRPC's
// threads meanwhile.
#ifndef ASTRAGAL_SERVICES_CLI_BENCH_LOAD_H_
#define ASTRAGAL_SERVICES_CLI_BENCH_LOAD_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "services/cli/bench_options.h"
#include "services/cli/bench_table.h"

namespace astragal::cli {

// Closed loop of empty calls: `outstanding` of them are always under way.
struct EmptyCalls {
  base::Histogram micros;
  double seconds = 0;
  double per_second() const {
    return seconds > 0 ? static_cast<double>(micros.count()) / seconds : 0;
  }
};
// Adds to `calls`. The first failure.
absl::Status MeasureEmptyCalls(BenchWire& wire, int outstanding, double seconds, EmptyCalls& calls);

class BenchLoad {
 public:
  // Told about every second, and when the measured part begins and ends.
  struct Observer {
    std::function<void(double second, double actions_per_second)> on_second;
    std::function<void()> on_begin;
    std::function<void()> on_end;
  };

  BenchLoad(BenchScene& scene, const BenchOptions& options);

  absl::Status CreatePlayers();
  absl::Status OpenGames();
  absl::Status OpenStreams();
  // Plays for the warm-up and the measured time, then waits for the last answers.
  void Play(const Observer& observer);
  void CloseStreams();

  double measured_seconds() const { return measured_seconds_; }
  // Actions that were due in an open loop and could not be begun before the end.
  size_t never_begun() const { return due_.size(); }

 private:
  using Time = BenchClock::time_point;

  // `begin(i, done)` for every i below `count`, a bounded number at once. The first failure.
  absl::Status ForAll(int count,
                      const std::function<void(int, std::function<void(absl::Status)>)>& begin);
  void Pump();
  void OnReady(BenchTable* table, bool good);
  void WaitUntil(Time end, const Observer& observer, bool measured);
  void BeginDue(Time now);
  Time NextWork(Time end) const;

  BenchScene& scene_;
  const BenchOptions& options_;
  std::vector<std::unique_ptr<BenchTable>> tables_;
  double measured_seconds_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<BenchTable*> ready_;
  std::multimap<Time, BenchTable*> thinking_;
  std::deque<Time> due_;  // open loop: when actions are due that were not begun
  Time next_due_;         // open loop
  int under_way_ = 0;
  int inside_ = 0;  // threads that may still touch this: it must outlive them
  bool stopping_ = false;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_BENCH_LOAD_H_
