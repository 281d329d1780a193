#include "storage/cluster_files.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "services/base/crypto.h"

namespace astragal::storage {
namespace {

namespace fs = std::filesystem;

constexpr char kInstalled[] = "/usr/lib/postgresql";

bool Runs(const std::string& program) { return ::access(program.c_str(), X_OK) == 0; }

// The first line that a command prints, "" if there is none.
std::string FirstLineOf(const char* command) {
  FILE* const pipe = ::popen(command, "r");
  if (pipe == nullptr) return "";
  char line[512] = "";
  const bool read = std::fgets(line, sizeof line, pipe) != nullptr;
  ::pclose(pipe);
  return read ? std::string(absl::StripAsciiWhitespace(line)) : "";
}

int MajorOf(const std::string& folder) {
  // "postgres (PostgreSQL) 15.4 (Debian ...)"
  const std::string line = FirstLineOf(absl::StrCat("'", folder, "/postgres' --version").c_str());
  const size_t digits = line.find_first_of("0123456789");
  return digits == std::string::npos ? 0 : std::atoi(line.c_str() + digits);
}

std::vector<PostgresBinaries> Installed() {
  std::vector<PostgresBinaries> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(kInstalled, ignored)) {
    const std::string folder = entry.path().string() + "/bin";
    int major = 0;
    if (absl::SimpleAtoi(entry.path().filename().string(), &major) && Runs(folder + "/postgres") &&
        Runs(folder + "/initdb")) {
      found.push_back({major, folder});
    }
  }
  if (found.empty()) {
    const std::string folder = FirstLineOf("pg_config --bindir 2>/dev/null");
    if (!folder.empty() && Runs(folder + "/postgres") && Runs(folder + "/initdb")) {
      found.push_back({MajorOf(folder), folder});
    }
  }
  return found;
}

std::string LinkTarget(const std::string& path) {
  std::error_code ignored;
  return fs::read_symlink(path, ignored).string();
}

bool IsServerOf(pid_t pid, const std::string& cluster) {
  std::error_code error;
  const std::string real = fs::canonical(cluster, error).string();
  if (error || pid <= 1) return false;
  const std::string process = absl::StrCat("/proc/", pid);
  const std::string program = LinkTarget(process + "/exe");
  // The server works in its data folder. Its program file may have been replaced since.
  return LinkTarget(process + "/cwd") == real && absl::StrContains(program, "postgres");
}

std::vector<std::string> PidFileLines(const std::string& cluster) {
  std::ifstream file(cluster + "/postmaster.pid");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    lines.emplace_back(absl::StripAsciiWhitespace(line));
  }
  return lines;
}

bool MayPass(const struct stat& folder, const RunUser& user) {
  if (folder.st_uid == user.uid) return (folder.st_mode & S_IXUSR) != 0;
  const bool member = folder.st_gid == user.gid ||
                      std::count(user.groups.begin(), user.groups.end(), folder.st_gid) > 0;
  return (folder.st_mode & (member ? S_IXGRP : S_IXOTH)) != 0;
}

}  // namespace

absl::StatusOr<PostgresBinaries> FindPostgres(int major) {
  PostgresBinaries best;
  for (const PostgresBinaries& binaries : Installed()) {
    if (major != 0 && binaries.major != major) continue;
    if (binaries.major > best.major) best = binaries;
  }
  if (best.major != 0) return best;
  const std::string package = major == 0 ? "postgresql" : absl::StrCat("postgresql-", major);
  return absl::NotFoundError(absl::StrCat("PostgreSQL", major == 0 ? "" : absl::StrCat(" ", major),
                                          " is not installed here: apt-get install ", package,
                                          ", or name a server with --database-url"));
}

ClusterPaths PathsBelow(const std::string& data_dir) {
  const std::string base = data_dir + "/database";
  return {base, base + "/cluster", base + "/cluster.new", base + "/postgresql.log"};
}

int ClusterMajor(const std::string& cluster) {
  std::ifstream file(cluster + "/PG_VERSION");
  int major = 0;
  return file >> major ? major : 0;
}

std::optional<Postmaster> RunningPostmaster(const std::string& cluster) {
  const std::vector<std::string> lines = PidFileLines(cluster);
  Postmaster server;
  if (lines.empty() || !absl::SimpleAtoi(lines[0], &server.pid)) return std::nullopt;
  if (!IsServerOf(server.pid, cluster)) return std::nullopt;
  // Lines: pid, data folder, start time, port, socket folder, address, shared memory, state.
  if (lines.size() >= 5) server.socket_dir = lines[4];
  server.ready = lines.size() >= 8 && lines[7] == "ready";
  return server;
}

bool RemoveMisleadingPidFile(const std::string& cluster) {
  const std::vector<std::string> lines = PidFileLines(cluster);
  pid_t pid = 0;
  if (lines.empty() || !absl::SimpleAtoi(lines[0], &pid)) return false;
  const bool alive = pid > 0 && ::kill(pid, 0) == 0;
  if (!alive || IsServerOf(pid, cluster)) return false;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    pid_t other = 0;
    if (absl::SimpleAtoi(entry.path().filename().string(), &other) && IsServerOf(other, cluster)) {
      return false;  // an orphan of the dead server still works in there
    }
  }
  return fs::remove(cluster + "/postmaster.pid", ignored);
}

absl::Status MakePrivateFolder(const std::string& path, const RunUser& user) {
  if (::mkdir(path.c_str(), 0700) == 0) {
    if (::geteuid() == 0 && ::chown(path.c_str(), user.uid, user.gid) != 0) {
      return absl::FailedPreconditionError(
          absl::StrCat("cannot give ", path, " to ", user.name, ": ", std::strerror(errno)));
    }
    return absl::OkStatus();
  }
  const int error = errno;
  struct stat found {};
  if (error != EEXIST || ::lstat(path.c_str(), &found) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot make ", path, ": ", std::strerror(error)));
  }
  if (!S_ISDIR(found.st_mode) || found.st_uid != user.uid || (found.st_mode & 0022) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, " is not a folder that belongs to ", user.name,
                     " alone: start as its owner, or choose another data directory"));
  }
  return absl::OkStatus();
}

absl::Status CheckReachable(const std::string& path, const RunUser& user) {
  std::string at;
  for (const fs::path& part : fs::path(path)) {
    at = (fs::path(at) / part).string();
    struct stat found {};
    if (::stat(at.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) {
      return absl::FailedPreconditionError(absl::StrCat(at, " is not a folder"));
    }
    if (!MayPass(found, user)) {
      return absl::FailedPreconditionError(absl::StrCat("PostgreSQL runs as ", user.name,
                                                        ", who may not pass ", at, ": chmod o+x ",
                                                        at, ", or choose another data directory"));
    }
  }
  return absl::OkStatus();
}

std::string SocketFolder(const ClusterPaths& paths) {
  const std::string inside = paths.base + "/socket";
  const std::string name = absl::StrCat("/.s.PGSQL.", kClusterPort);
  if (inside.size() + name.size() < sizeof(sockaddr_un::sun_path)) return inside;
  const base::Bytes32 hash = base::Sha256(paths.base);
  return "/tmp/astragal-" + base::Hex(base::AsView(hash).substr(0, 8));
}

}  // namespace astragal::storage
