// astragald: starts the service and stops it when it is told to.
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "absl/synchronization/mutex.h"
#include "services/base/log.h"
#include "services/server/measure_database.h"
#include "services/server/options.h"
#include "services/server/server.h"
#include "services/server/verify_store.h"

namespace {

// Blocks the signals that end the program in all threads to come; main waits for them.
sigset_t BlockEndSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return signals;
}

int Measure(const astragal::server::Options& options) {
  const auto measured = astragal::server::MeasureDatabase(options);
  if (measured.ok()) {
    std::printf("%s\n", measured->c_str());
    return 0;
  }
  std::fprintf(stderr, "astragald: %s\n", std::string(measured.status().message()).c_str());
  return 1;
}

int Verify(const astragal::server::Options& options) {
  const auto report = astragal::server::VerifyStore(options);
  if (report.ok()) {
    std::printf("%s\n", report->json.c_str());
    return report->whole ? 0 : 1;
  }
  std::fprintf(stderr, "astragald: %s\n", std::string(report.status().message()).c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  // Debian's Abseil looks for deadlocks at every lock that gRPC takes, under one lock for all.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  astragal::server::Options options;
  if (const std::optional<int> exit_code = ReadOptions(argc, argv, options)) return *exit_code;
  if (options.measure_seconds > 0) return Measure(options);
  if (options.verify_store) return Verify(options);
  const sigset_t signals = BlockEndSignals();
  auto server = astragal::server::Server::Start(options);
  if (!server.ok()) {
    std::fprintf(stderr, "astragald: %s\n", std::string(server.status().message()).c_str());
    return 1;
  }
  int signal = 0;
  sigwait(&signals, &signal);
  astragal::base::Log(astragal::base::Severity::kInfo, "stopping");
  (*server)->Stop();
  astragal::base::Log(astragal::base::Severity::kInfo, "stopped");
  // Connections end with the process; until then calls are refused with DRAINING (see Server).
  std::fflush(nullptr);
  std::_Exit(0);
}
