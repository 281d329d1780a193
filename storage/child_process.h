// Starts programs that outlive a Ctrl-C: in a session of their own, as another user if asked to,
// with none of our files, signals or environment. Functions only; any thread may call them.
#ifndef ASTRAGAL_STORAGE_CHILD_PROCESS_H_
#define ASTRAGAL_STORAGE_CHILD_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace astragal::storage {

// Whom a program runs as. Needs root unless it is who we are.
struct RunUser {
  uid_t uid = 0;
  gid_t gid = 0;
  std::string name;
  std::vector<gid_t> groups;
};

// The user with this name or id; NOT_FOUND when there is none.
absl::StatusOr<RunUser> UserNamed(const std::string& name);
absl::StatusOr<RunUser> UserWithId(uid_t uid);

struct Program {
  std::vector<std::string> arguments;  // the program's path first
  RunUser user;
  std::string folder;  // it starts there
  std::string output;  // file that its output is added to; made for `user` when missing
};

// The process id of the started program. The caller waits for it (a zombie stays until then).
absl::StatusOr<pid_t> StartProgram(const Program& program);

// nullopt: still running. Otherwise its exit code, or 128 and the number of the signal that ended
// it.
std::optional<int> ExitOf(pid_t child);

// Starts and waits; its exit code. DEADLINE_EXCEEDED (and killed) when it takes too long.
absl::StatusOr<int> RunProgram(const Program& program, int64_t timeout_ms);

// The last `bytes` of a text file, "" if it cannot be read.
std::string TailOf(const std::string& path, size_t bytes);

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_CHILD_PROCESS_H_
