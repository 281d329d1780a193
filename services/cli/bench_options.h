// What `astragal bench` is asked to do.
#ifndef ASTRAGAL_SERVICES_CLI_BENCH_OPTIONS_H_
#define ASTRAGAL_SERVICES_CLI_BENCH_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace CLI {
class App;
}  // namespace CLI

namespace astragal::cli {

struct BenchOptions {
  std::string ruleset = "long_narde";
  std::string preset;
  std::vector<std::string> options;  // NAME=VALUE
  std::string plugins;               // folder of ruleset libraries; empty: beside this program
  int games = 64;                    // at once
  int watchers = 0;                  // streams, spread over the games
  int outstanding = 0;               // calls at once; 0: as many as games
  int connections = 1;
  double think_ms = 0;   // between the answer and the next action of a game
  double open_rate = 0;  // actions a second, whatever the answers do; 0: closed loop
  double duration_s = 10;
  double warmup_s = 1;
  double baseline_s = 3;  // each for the empty call and the database; 0: without
  bool ask_legal = false;
  int pid = 0;               // of the server; 0: found by its port
  std::string database_url;  // for the database alone; empty: what the server was started with
  std::string json_file;
  std::string svg_file;
};

void AddBenchOptions(CLI::App& app, BenchOptions& options);

// What the parser cannot see, and the defaults that depend on others. An error of usage.
absl::Status CompleteBenchOptions(BenchOptions& options);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_BENCH_OPTIONS_H_
