#include "services/cli/bench_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

extern char** environ;

namespace astragal::cli {
namespace {

namespace fs = std::filesystem;

std::string FolderOf(int pid) { return "/proc/" + std::to_string(pid) + "/"; }

std::optional<int> NumberFrom(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool IsThisMachine(std::string_view host) {
  return host == "localhost" || host.starts_with("127.") || host == "[::1]" || host == "0.0.0.0";
}

// Sockets that listen on this port, as the names of /proc/PID/fd/* show them.
std::set<std::string> ListeningSockets(int port) {
  std::set<std::string> sockets;
  std::ostringstream wanted;
  wanted << std::uppercase << std::hex << port;
  const std::string suffix =
      ":" + std::string(4 - std::min<size_t>(4, wanted.str().size()), '0') + wanted.str();
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream in(table);
    for (std::string line; std::getline(in, line);) {
      std::istringstream fields(line);
      std::string slot, local, remote, state, skipped, inode;
      fields >> slot >> local >> remote >> state;
      for (int i = 0; i < 5; ++i) fields >> skipped;
      fields >> inode;
      constexpr std::string_view kListen = "0A";
      if (state == kListen && local.ends_with(suffix)) sockets.insert("socket:[" + inode + "]");
    }
  }
  return sockets;
}

bool Holds(const fs::path& process, const std::set<std::string>& sockets) {
  std::error_code error;
  for (const auto& file : fs::directory_iterator(process / "fd", error)) {
    if (sockets.contains(fs::read_symlink(file.path(), error).string())) return true;
  }
  return false;
}

struct Stat {
  int parent = 0;
  double cpu_s = 0;           // of the process
  double children_cpu_s = 0;  // of those that ended and were waited for
};

std::optional<Stat> StatOf(int pid) {
  std::ifstream in(FolderOf(pid) + "stat");
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  // The name is in parentheses and may hold anything.
  std::istringstream fields(line.substr(line.rfind(')') + 1));
  std::string state, skipped;
  Stat stat;
  fields >> state >> stat.parent;
  for (int field = 5; field < 14; ++field) fields >> skipped;
  double user = 0, system = 0, children_user = 0, children_system = 0;
  fields >> user >> system >> children_user >> children_system;
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  stat.cpu_s = (user + system) / ticks;
  stat.children_cpu_s = (children_user + children_system) / ticks;
  return stat;
}

}  // namespace

std::optional<int> FindListener(const std::string& server) {
  const size_t colon = server.rfind(':');
  if (colon == std::string::npos || !IsThisMachine(server.substr(0, colon))) return std::nullopt;
  const std::optional<int> port = NumberFrom(std::string_view(server).substr(colon + 1));
  if (!port) return std::nullopt;
  const std::set<std::string> sockets = ListeningSockets(*port);
  if (sockets.empty()) return std::nullopt;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::optional<int> pid = NumberFrom(entry.path().filename().string());
    if (pid && Holds(entry.path(), sockets)) return pid;
  }
  return std::nullopt;
}

std::optional<ProcessUse> UseOf(int pid) {
  const std::optional<Stat> stat = StatOf(pid);
  if (!stat) return std::nullopt;
  ProcessUse use;
  use.cpu_s = stat->cpu_s;
  std::ifstream in(FolderOf(pid) + "status");
  for (std::string name; in >> name;) {
    int64_t kilobytes = 0;
    if (name == "VmRSS:" && in >> kilobytes) use.memory = kilobytes * 1024;
    if (name == "VmHWM:" && in >> kilobytes) use.memory_peak = kilobytes * 1024;
  }
  return use;
}

double FamilyCpuSeconds(int pid) {
  double total = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::optional<int> other = NumberFrom(entry.path().filename().string());
    const std::optional<Stat> stat = other ? StatOf(*other) : std::nullopt;
    if (!stat) continue;
    if (*other == pid) total += stat->cpu_s + stat->children_cpu_s;
    if (stat->parent == pid) total += stat->cpu_s;
  }
  return total;
}

double OwnCpuSeconds() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

std::vector<std::string> WordsOf(int pid) {
  std::ifstream in(FolderOf(pid) + "cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

std::string ProgramOf(int pid) {
  std::error_code error;
  return fs::read_symlink(FolderOf(pid) + "exe", error).string();
}

std::optional<std::string> OutputOf(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::vector<std::string> copy = words;
  std::vector<char*> arguments;
  for (std::string& word : copy) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      ::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string output;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; failed == 0 && (got = ::read(ends[0], buffer.data(), buffer.size())) > 0;) {
    output.append(buffer.data(), static_cast<size_t>(got));
  }
  ::close(ends[0]);
  int status = 1;
  if (failed != 0 || ::waitpid(child, &status, 0) != child || status != 0) return std::nullopt;
  return output;
}

}  // namespace astragal::cli
