// Opens and tries a library in a child process, so that whatever it does at load happens there
// first.
//
// The child is the program ruleset_probe (probe_main.cc), started with a clean environment, no
// standard input, no file descriptor of this process, limits on processor time, memory and written
// files, and killed with everything it started when its time is over.
#ifndef ASTRAGAL_PLUGINS_HOST_PROBE_H_
#define ASTRAGAL_PLUGINS_HOST_PROBE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace astragal::host {

// The child writes its verdict to this descriptor; its standard output and error are watched.
inline constexpr int kProbeReportFd = 3;

struct ProbeOptions {
  std::string program;
  absl::Duration timeout = absl::Seconds(10);
};

// OK, or a RefusalError. Blocks for at most the timeout. May be called from a process with many
// threads; the calling thread starts and reaps exactly its own child.
absl::Status Probe(const ProbeOptions& options, const std::string& library_path);

// ruleset_probe next to the running program, in ../bin or in ../libexec/astragal. NotFound.
absl::StatusOr<std::string> FindProbeProgram();

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_PROBE_H_
