// Processor time of the test server: it means something on a busy machine too.
#ifndef ASTRAGAL_TESTS_BENCH_SERVER_TIME_H_
#define ASTRAGAL_TESTS_BENCH_SERVER_TIME_H_

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/test_database.h"

namespace astragal::tests {

// Of all its processes that are alive, so far, in microseconds.
inline double ServerMicros() {
  double ticks = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    std::ifstream file(entry.path() / "stat");
    std::string pid, name, state;
    long parent = 0, skipped = 0;
    file >> pid >> name >> state >> parent;
    if (!file || parent != TestServer().pid()) continue;
    for (int field = 5; field < 14; ++field) file >> skipped;
    double user = 0, system = 0;
    file >> user >> system;
    ticks += user + system;
  }
  return ticks * 1e6 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_BENCH_SERVER_TIME_H_
