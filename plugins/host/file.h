// The few things this room does with files.
#ifndef ASTRAGAL_PLUGINS_HOST_FILE_H_
#define ASTRAGAL_PLUGINS_HOST_FILE_H_

#include <unistd.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace astragal::host {

// Owns a file descriptor, or none (-1).
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      Close();
      fd_ = other.fd_;
      other.fd_ = -1;
    }
    return *this;
  }
  ~Descriptor() { Close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void Close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

// Everything up to `limit` bytes; a longer file gives limit + 1 bytes. Errors name errno's meaning.
absl::StatusOr<std::string> ReadAll(int fd, size_t limit);

// Writes a file that others see whole or not at all: temporary name, fsync, rename, fsync of the
// folder.
absl::Status WriteAtomically(const std::string& path, absl::string_view bytes);

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_FILE_H_
