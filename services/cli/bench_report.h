// What a run of `astragal bench` found, and how it is shown. Pure.
#ifndef ASTRAGAL_SERVICES_CLI_BENCH_REPORT_H_
#define ASTRAGAL_SERVICES_CLI_BENCH_REPORT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/base/histogram.h"
#include "services/cli/bench_options.h"

namespace astragal::cli {

// How often something was done, and how long each time took.
struct BenchRate {
  double per_second = 0;
  int64_t p50_us = 0;
  int64_t p90_us = 0;  // 0: not measured
  int64_t p99_us = 0;
  int64_t p999_us = 0;  // 0: not measured
  int64_t max_us = 0;   // 0: not measured
};
BenchRate RateOf(const base::Histogram& micros, double per_second);

// What `astragald --measure-database` prints.
struct BenchDatabase {
  int clients = 0;
  int server_pid = 0;
  BenchRate lone;     // one client, one row a commit
  BenchRate single;   // all clients, one row a commit
  BenchRate batched;  // one client, `rows` rows a commit; per_second are rows
  int64_t rows = 0;
};
absl::StatusOr<BenchDatabase> ReadBenchDatabase(const std::string& json);

struct BenchReport {
  BenchOptions options;
  std::string server;
  std::string version;      // of this program
  bool legal_here = false;  // legal actions were computed by this program
  int processors = 0;       // of this machine
  double load_before = 0;   // of this machine, one minute, before the run
  double seconds = 0;       // measured
  BenchRate actions;        // accepted PlayActions calls, one action each
  uint64_t action_count = 0;
  uint64_t games_finished = 0;
  BenchRate watched;              // events to streams; times of actions, from sending
  std::vector<double> by_second;  // actions
  size_t never_begun = 0;         // open loop
  std::map<std::string, uint64_t> failures;
  std::optional<BenchRate> empty;  // with as many calls at once
  std::optional<BenchDatabase> database;
  std::string no_database;  // why there is none

  // Of the service; nothing when it runs elsewhere.
  int server_pid = 0;  // 0: elsewhere, or not found
  double server_cpu_s = 0;
  double database_cpu_s = 0;  // 0: not known
  double own_cpu_s = 0;
  int64_t memory_before = 0;  // bytes, resident: before the first game
  int64_t memory_with_games = 0;
  int64_t memory_with_watchers = 0;
  int64_t memory_after = 0;
  int64_t memory_peak = 0;
};

std::string BenchText(const BenchReport& report);
std::string BenchJson(const BenchReport& report);
std::string BenchSvg(const BenchReport& report);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_BENCH_REPORT_H_
