// The whole check of one library file: looks at the file, then plays in child processes.
//
// Blocks until done. The children are the running program itself, started with ChildMain's
// arguments: a program that calls CheckLibrary must call ChildMain first thing in main().
#ifndef ASTRAGAL_PLUGINS_CONFORMANCE_CHECK_H_
#define ASTRAGAL_PLUGINS_CONFORMANCE_CHECK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "plugins/conformance/report.h"

namespace astragal::conformance {

struct CheckOptions {
  uint64_t games = 100;  // of each preset
  uint64_t deep = 10;    // of them with every check
  uint64_t seed = 1;
  std::vector<std::string> presets;                 // names; none means all
  std::optional<uint64_t> only_game;                // to see a finding again
  absl::Duration game_timeout = absl::Seconds(30);  // processor time; ten times as long by the wall
  absl::Duration timeout = absl::Hours(2);          // for all games together
};

struct CheckResult {
  Report report;
  Report::Title title;
};

// An error only when the check itself could not be done: no such file, no such preset, no child. A
// library that cannot be loaded is a result in which `loads` is broken.
absl::StatusOr<CheckResult> CheckLibrary(const std::string& path, const CheckOptions& options);

// Runs the child's part and gives its exit code if these are a child's arguments.
std::optional<int> ChildMain(int argc, char** argv);

}  // namespace astragal::conformance

#endif  // ASTRAGAL_PLUGINS_CONFORMANCE_CHECK_H_
