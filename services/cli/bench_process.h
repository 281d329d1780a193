// What the system says of processes on this machine: from /proc, so of Linux only.
#ifndef ASTRAGAL_SERVICES_CLI_BENCH_PROCESS_H_
#define ASTRAGAL_SERVICES_CLI_BENCH_PROCESS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace astragal::cli {

// The process that listens on HOST:PORT of this machine; nullopt when the host is another one or
// the process is not ours to look at.
std::optional<int> FindListener(const std::string& server);

struct ProcessUse {
  double cpu_s = 0;         // user and system time so far
  int64_t memory = 0;       // resident bytes
  int64_t memory_peak = 0;  // the most ever, in bytes
};
std::optional<ProcessUse> UseOf(int pid);
// Processor time of a process, its children and all that were and are gone.
double FamilyCpuSeconds(int pid);
double OwnCpuSeconds();

// The words a process was started with; empty when they cannot be read.
std::vector<std::string> WordsOf(int pid);
// Its program's file.
std::string ProgramOf(int pid);

// Runs a program to its end and returns what it printed on standard output; nullopt when it failed.
std::optional<std::string> OutputOf(const std::vector<std::string>& words);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_BENCH_PROCESS_H_
