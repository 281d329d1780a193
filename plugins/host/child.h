// Runs a program to its end or its deadline and collects what it wrote.
#ifndef ASTRAGAL_PLUGINS_HOST_CHILD_H_
#define ASTRAGAL_PLUGINS_HOST_CHILD_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace astragal::host {

inline constexpr size_t kMaxChildOutputBytes = 1u << 16;   // what is above is dropped
inline constexpr size_t kMaxChildReportBytes = 64u << 20;  // the same

struct ChildResult {
  bool timed_out = false;
  int exit_code = -1;  // -1 when a signal ended it
  int signal = 0;
  bool left_processes = false;  // that it had started and that still ran at its end
  std::string output;           // standard output and error together
  std::string report;           // descriptor 3
};

struct ChildOptions {
  std::vector<std::string> command;      // program (a path) and arguments
  std::vector<std::string> environment;  // "NAME=value"; nothing else is handed on
  absl::Duration timeout;
};

// Starts without fork(), so that it is safe among threads; hands no other descriptor on; kills the
// child's whole process group at the deadline and after its end. An error when it cannot start.
absl::StatusOr<ChildResult> RunChild(const ChildOptions& options);

// What a child that loads plugins needs of this process's environment: nothing but where to find
// programs and the settings of sanitizers.
std::vector<std::string> PlainEnvironment();

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_CHILD_H_
