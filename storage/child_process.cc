#include "storage/child_process.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "absl/strings/str_cat.h"

namespace astragal::storage {
namespace {

absl::StatusOr<RunUser> FromEntry(const passwd* entry, const std::string& who) {
  if (entry == nullptr) return absl::NotFoundError(absl::StrCat("there is no user ", who));
  RunUser user{entry->pw_uid, entry->pw_gid, entry->pw_name, {}};
  int count = 64;
  user.groups.resize(static_cast<size_t>(count));
  if (getgrouplist(entry->pw_name, entry->pw_gid, user.groups.data(), &count) < 0) count = 0;
  user.groups.resize(static_cast<size_t>(count));
  return user;
}

// All that the child needs, made before the fork: after it, a program with threads may only call
// functions that are safe in a signal handler.
struct Prepared {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  int output = -1;
  int report = -1;  // gets errno if anything fails; closes by itself at exec
};

void Fail(const Prepared& prepared) {
  const int error = errno;
  (void)!::write(prepared.report, &error, sizeof error);
  ::_exit(127);
}

void ResetSignals() {
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGCHLD, SIGUSR1, SIGUSR2}) {
    ::signal(signal, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void BecomeProgram(const Program& program, const Prepared& prepared) {
  ResetSignals();
  ::setsid();
  const RunUser& user = program.user;
  if (::geteuid() == 0 && user.uid != 0 &&
      (::setgroups(user.groups.size(), user.groups.data()) != 0 || ::setgid(user.gid) != 0 ||
       ::setuid(user.uid) != 0)) {
    Fail(prepared);
  }
  ::umask(0077);
  if (::chdir(program.folder.c_str()) != 0) Fail(prepared);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (::dup2(nothing, 0) < 0 || ::dup2(prepared.output, 1) < 0 || ::dup2(prepared.output, 2) < 0) {
    Fail(prepared);
  }
  // A listening socket that leaked into a child would keep its port after we are gone.
  const auto report = static_cast<unsigned>(prepared.report);
  if (report > 3) ::close_range(3, report - 1, 0);
  ::close_range(report + 1, ~0U, 0);
  ::execve(prepared.arguments[0], prepared.arguments.data(), prepared.environment.data());
  Fail(prepared);
}

absl::StatusOr<int> OpenOutput(const Program& program) {
  const int fd =
      ::open(program.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot write ", program.output, ": ", std::strerror(errno)));
  }
  if (::geteuid() == 0) (void)!::fchown(fd, program.user.uid, program.user.gid);
  return fd;
}

}  // namespace

absl::StatusOr<RunUser> UserNamed(const std::string& name) {
  return FromEntry(::getpwnam(name.c_str()), name);
}

absl::StatusOr<RunUser> UserWithId(uid_t uid) {
  absl::StatusOr<RunUser> user = FromEntry(::getpwuid(uid), std::to_string(uid));
  // A container may run us under a number that has no name.
  if (!user.ok() && uid == ::geteuid()) return RunUser{uid, ::getegid(), std::to_string(uid), {}};
  return user;
}

absl::StatusOr<pid_t> StartProgram(const Program& program) {
  std::array<std::string, 3> environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8",
                                            "TZ=UTC"};
  std::vector<std::string> arguments = program.arguments;
  Prepared prepared;
  for (std::string& argument : arguments) prepared.arguments.push_back(argument.data());
  for (std::string& setting : environment) prepared.environment.push_back(setting.data());
  prepared.arguments.push_back(nullptr);
  prepared.environment.push_back(nullptr);

  absl::StatusOr<int> output = OpenOutput(program);
  if (!output.ok()) return output.status();
  prepared.output = *output;
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) {
    ::close(prepared.output);
    return absl::ResourceExhaustedError(absl::StrCat("pipe: ", std::strerror(errno)));
  }
  prepared.report = report[1];
  const pid_t child = ::fork();
  if (child == 0) BecomeProgram(program, prepared);
  const int fork_error = errno;
  ::close(report[1]);
  ::close(prepared.output);
  int error = child < 0 ? fork_error : 0;
  if (child > 0 && ::read(report[0], &error, sizeof error) <= 0) error = 0;
  ::close(report[0]);
  if (error == 0) return child;
  if (child > 0) ::waitpid(child, nullptr, 0);
  return absl::FailedPreconditionError(absl::StrCat("cannot run ", program.arguments[0], " as ",
                                                    program.user.name, " in ", program.folder, ": ",
                                                    std::strerror(error)));
}

std::optional<int> ExitOf(pid_t child) {
  int status = 0;
  const pid_t ended = ::waitpid(child, &status, WNOHANG);
  if (ended == 0) return std::nullopt;
  if (ended < 0) return 127;  // not ours, or somebody waited for it: gone in any case
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

absl::StatusOr<int> RunProgram(const Program& program, int64_t timeout_ms) {
  absl::StatusOr<pid_t> child = StartProgram(program);
  if (!child.ok()) return child.status();
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  while (std::chrono::steady_clock::now() < give_up) {
    if (const std::optional<int> code = ExitOf(*child)) return *code;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ::kill(*child, SIGKILL);
  ::waitpid(*child, nullptr, 0);
  return absl::DeadlineExceededError(absl::StrCat(program.arguments[0], " took too long"));
}

std::string TailOf(const std::string& path, size_t bytes) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  return text.substr(text.size() - std::min(bytes, text.size()));
}

}  // namespace astragal::storage
