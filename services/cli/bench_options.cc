#include "services/cli/bench_options.h"

#include <CLI/CLI.hpp>

namespace astragal::cli {

void AddBenchOptions(CLI::App& app, BenchOptions& options) {
  app.add_option("--ruleset", options.ruleset, "What is played")->capture_default_str();
  app.add_option("--preset", options.preset, "A named set of options");
  app.add_option("--option", options.options, "NAME=VALUE; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--plugins", options.plugins,
                 "Folder of ruleset libraries (default: this build's), from which legal actions "
                 "are computed here");
  app.add_flag("--ask-legal", options.ask_legal,
               "Ask the server for the legal actions before each one, as a client without rules "
               "does; twice the calls");
  app.add_option("--games", options.games, "Games at once")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--watchers", options.watchers, "Open streams, spread over the games")
      ->check(CLI::Range(0, 100'000))
      ->capture_default_str();
  app.add_option("--outstanding", options.outstanding,
                 "Calls under way at once, at most (default: one for each game)")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--connections", options.connections, "TCP connections to the server")
      ->check(CLI::Range(1, 1'000))
      ->capture_default_str();
  app.add_option("--think-ms", options.think_ms, "From an answer to the game's next action")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
  app.add_option("--open-rate", options.open_rate,
                 "Open loop: so many actions a second, come what may; latency counts from when an "
                 "action was due (default: closed loop, as fast as the answers come)")
      ->check(CLI::Range(0.0, 1e7));
  app.add_option("--duration", options.duration_s, "Seconds of play that are measured")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--warmup", options.warmup_s, "Seconds of play before that")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--baseline", options.baseline_s,
                 "Seconds for each yardstick of the same run: an empty call, and the database "
                 "alone; 0 leaves them out")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--pid", options.pid,
                 "Process of the server, for its CPU and memory (default: "
                 "whoever listens on its port, on this machine)")
      ->check(CLI::Range(1, 1 << 30));
  app.add_option("--database-url", options.database_url,
                 "Database to measure alone (default: the one of the server's own command line)");
  app.add_option("--json", options.json_file, "Write the report to this file as JSON");
  app.add_option("--svg", options.svg_file, "Write a chart to this file");
}

absl::Status CompleteBenchOptions(BenchOptions& options) {
  if (options.open_rate > 0 && options.think_ms > 0) {
    return absl::InvalidArgumentError(
        "--open-rate says when actions are due, --think-ms does so too: choose one.");
  }
  if (options.outstanding == 0) options.outstanding = options.games;
  return absl::OkStatus();
}

}  // namespace astragal::cli
