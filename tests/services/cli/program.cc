#include "tests/services/cli/program.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace astragal::tests {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kNapMs = 100;

[[noreturn]] void Become(const std::vector<std::string>& words,
                         const Program::Environment& environment) {
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  std::perror(argv[0]);
  _exit(127);
}

void MakePipe(std::array<int, 2>& ends) {
  if (pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
}

}  // namespace

Program::Program(const std::vector<std::string>& words, const Environment& environment) {
  // A program that ended early must not end the test that still types.
  signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> in;
  std::array<int, 2> out;
  MakePipe(in);
  MakePipe(out);
  pid_ = fork();
  if (pid_ < 0) std::abort();
  if (pid_ == 0) {
    signal(SIGPIPE, SIG_DFL);
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(out[1], STDERR_FILENO);
    Become(words, environment);
  }
  close(in[0]);
  close(out[1]);
  in_ = in[1];
  out_ = out[0];
}

Program::~Program() {
  EndInput();
  if (!Reap(false)) {
    kill(pid_, SIGKILL);
    Reap(true);
  }
  close(out_);
}

void Program::Type(const std::string& text) { (void)!write(in_, text.data(), text.size()); }

void Program::EndInput() {
  if (in_ >= 0) close(std::exchange(in_, -1));
}

void Program::Signal(int number) { kill(pid_, number); }

bool Program::Reap(bool wait) {
  if (pid_ < 0) return true;
  int status = 0;
  if (waitpid(pid_, &status, wait ? 0 : WNOHANG) != pid_) return false;
  pid_ = -1;
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return true;
}

bool Program::is_running() { return !Reap(false); }

bool Program::ReadSome(int limit_ms) {
  pollfd entry{out_, POLLIN, 0};
  if (poll(&entry, 1, limit_ms) <= 0) return true;
  std::array<char, 65'536> buffer;
  const ssize_t count = read(out_, buffer.data(), buffer.size());
  if (count <= 0) return count < 0 && errno == EINTR;
  output_.append(buffer.data(), static_cast<size_t>(count));
  return true;
}

bool Program::WaitFor(const std::string& text, int limit_s) {
  const auto end = Clock::now() + std::chrono::seconds(limit_s);
  for (bool open = true;;) {
    const size_t found = output_.find(text, cursor_);
    if (found != std::string::npos) {
      passed_ = output_.substr(cursor_, found + text.size() - cursor_);
      cursor_ = found + text.size();
      return true;
    }
    if (!open || Clock::now() > end) return false;
    open = ReadSome(kNapMs);
  }
}

int Program::Wait(int limit_s) {
  EndInput();
  const auto end = Clock::now() + std::chrono::seconds(limit_s);
  while (ReadSome(kNapMs)) {
    if (Clock::now() <= end) continue;
    kill(pid_, SIGKILL);
    Reap(true);
    return -1;
  }
  Reap(true);
  return code_;
}

Folder::Folder(const std::string& name)
    : path_(std::filesystem::temp_directory_path().string() + "/" + name + ".XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr) std::abort();
  chmod(path_.c_str(), 0755);
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

int FreePort() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    std::abort();
  }
  close(fd);
  return ntohs(address.sin_port);
}

}  // namespace astragal::tests
