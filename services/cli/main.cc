#include <ios>

#include "absl/synchronization/mutex.h"
#include "services/cli/app.h"

int main(int argc, char** argv) {
  // Debian's Abseil looks for deadlocks at every lock that gRPC takes, under one lock for all.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  std::ios::sync_with_stdio(false);
  return astragal::cli::Run(argc, argv, astragal::cli::Terminal::Standard());
}
