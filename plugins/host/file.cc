#include "plugins/host/file.h"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "absl/strings/str_cat.h"

namespace astragal::host {
namespace {

absl::Status Errno(absl::string_view what) { return absl::ErrnoToStatus(errno, what); }

absl::Status WriteAll(int fd, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return Errno("write");
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return ::fsync(fd) == 0 ? absl::OkStatus() : Errno("fsync");
}

}  // namespace

absl::StatusOr<std::string> ReadAll(int fd, size_t limit) {
  std::string bytes;
  char block[65536];
  while (bytes.size() <= limit) {
    const ssize_t got = ::read(fd, block, std::min(sizeof block, limit + 1 - bytes.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Errno("read");
    if (got == 0) break;
    bytes.append(block, static_cast<size_t>(got));
  }
  return bytes;
}

absl::Status WriteAtomically(const std::string& path, absl::string_view bytes) {
  static std::atomic<int> counter{0};
  const std::string temporary = absl::StrCat(path, ".", ::getpid(), ".", counter++);
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755));
  if (!file.is_open()) return Errno(absl::StrCat("open ", temporary));
  absl::Status status = WriteAll(file.get(), bytes);
  if (status.ok() && ::rename(temporary.c_str(), path.c_str()) != 0) status = Errno("rename");
  if (!status.ok()) {
    ::unlink(temporary.c_str());
    return status;
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const Descriptor parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.is_open()) ::fsync(parent.get());
  return absl::OkStatus();
}

}  // namespace astragal::host
