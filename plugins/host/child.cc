#include "plugins/host/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "plugins/host/file.h"

namespace astragal::host {
namespace {

constexpr int kFirstOwnFd = 16;  // above what the child gets, so that no move overwrites another

struct Pipe {
  Descriptor read;
  Descriptor write;
};

absl::StatusOr<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "pipe");
  const Descriptor low_read(ends[0]);
  const Descriptor low_write(ends[1]);
  Pipe pipe{Descriptor(::fcntl(ends[0], F_DUPFD_CLOEXEC, kFirstOwnFd)),
            Descriptor(::fcntl(ends[1], F_DUPFD_CLOEXEC, kFirstOwnFd))};
  if (!pipe.read.is_open() || !pipe.write.is_open()) return absl::ErrnoToStatus(errno, "dup");
  ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
  return pipe;
}

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

absl::StatusOr<pid_t> Spawn(const ChildOptions& options, int output, int report) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, report, 3);
  posix_spawn_file_actions_addclosefrom_np(&actions, 4);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  const int error =
      posix_spawn(&pid, options.command[0].c_str(), &actions, &attributes,
                  Pointers(options.command).data(), Pointers(options.environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return absl::ErrnoToStatus(error, absl::StrCat("start ", options.command[0]));
  return pid;
}

// Takes what there is; closes the pipe at its end.
void Drain(Descriptor& pipe, std::string& into, size_t limit) {
  char block[4096];
  while (pipe.is_open()) {
    const ssize_t got = ::read(pipe.get(), block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return pipe.Close();
    const size_t room = limit - std::min(limit, into.size());
    into.append(block, std::min(static_cast<size_t>(got), room));
  }
}

// Waits until something is written, a pipe closes or a few milliseconds have passed.
void WaitForSomething(const Descriptor& output, const Descriptor& report) {
  pollfd fds[2];
  nfds_t count = 0;
  if (output.is_open()) fds[count++] = {output.get(), POLLIN, 0};
  if (report.is_open()) fds[count++] = {report.get(), POLLIN, 0};
  ::poll(fds, count, count == 2 ? 20 : 1);
}

void Collect(pid_t pid, absl::Time deadline, Descriptor output, Descriptor report,
             ChildResult& result) {
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(pid, &status, WNOHANG);
    Drain(output, result.output, kMaxChildOutputBytes);
    Drain(report, result.report, kMaxChildReportBytes);
    if (ended == pid) break;
    if (ended < 0 && errno != EINTR) return;  // somebody else reaped it: the report must do
    if (absl::Now() >= deadline) {
      result.timed_out = true;
      ::kill(-pid, SIGKILL);
      ::kill(pid, SIGKILL);
      while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
      }
      break;
    }
    WaitForSomething(output, report);
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
}

}  // namespace

absl::StatusOr<ChildResult> RunChild(const ChildOptions& options) {
  absl::StatusOr<Pipe> output = MakePipe();
  if (!output.ok()) return output.status();
  absl::StatusOr<Pipe> report = MakePipe();
  if (!report.ok()) return report.status();
  const absl::Time deadline = absl::Now() + options.timeout;
  absl::StatusOr<pid_t> pid = Spawn(options, output->write.get(), report->write.get());
  if (!pid.ok()) return pid.status();
  output->write.Close();
  report->write.Close();
  ChildResult result;
  Collect(*pid, deadline, std::move(output->read), std::move(report->read), result);
  result.left_processes = ::kill(-*pid, SIGKILL) == 0 && !result.timed_out;
  return result;
}

std::vector<std::string> PlainEnvironment() {
  std::vector<std::string> environment = {"LC_ALL=C", "TZ=UTC0"};
  for (const char* name : {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
    const char* value = std::getenv(name);
    if (value != nullptr) environment.push_back(absl::StrCat(name, "=", value));
  }
  return environment;
}

}  // namespace astragal::host
