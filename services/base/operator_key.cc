#include "services/base/operator_key.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "services/base/crypto.h"

namespace astragal::base {
namespace {

constexpr size_t kDigits = 64;

absl::Status Wrong(const std::string& path, std::string_view why) {
  return absl::FailedPreconditionError("operator's key " + path + ": " + std::string(why));
}

absl::Status CannotOpen(const std::string& path) {
  if (errno == ENOENT) return absl::NotFoundError("there is no operator's key " + path);
  if (errno == EACCES) {
    return absl::PermissionDeniedError("operator's key " + path + ": this account may not read it");
  }
  return Wrong(path, "cannot be opened");
}

absl::StatusOr<std::string> ReadOpen(int fd, const std::string& path) {
  struct stat info {};
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return Wrong(path, "is no regular file");
  if ((info.st_mode & 077) != 0) return Wrong(path, "others may read it; run chmod 600 on it");
  std::array<char, kOperatorKeyPrefix.size() + kDigits + 2> bytes{};
  const ssize_t count = read(fd, bytes.data(), bytes.size());
  std::string_view text(bytes.data(), count < 0 ? 0 : static_cast<size_t>(count));
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (!IsOperatorKey(text)) {
    return Wrong(path, "is no key; remove the file and the server makes a new one when it starts");
  }
  return std::string(text);
}

bool WriteAll(const std::string& path, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  const bool written =
      write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && fsync(fd) == 0;
  return close(fd) == 0 && written;
}

// The file appears complete or not at all; whoever comes second finds the key of the first.
absl::Status Make(const std::string& path, Random& random) {
  std::array<uint8_t, 8> unique{};
  random.Fill(unique);
  Bytes32 secret{};
  random.Fill(secret);
  const std::string draft = path + "." + Hex(AsView(unique));
  bool made = WriteAll(draft, std::string(kOperatorKeyPrefix) + Hex(AsView(secret)) + "\n");
  if (made) made = link(draft.c_str(), path.c_str()) == 0 || errno == EEXIST;
  unlink(draft.c_str());
  return made ? absl::OkStatus() : Wrong(path, "cannot be made");
}

}  // namespace

bool IsOperatorKey(std::string_view text) {
  if (!text.starts_with(kOperatorKeyPrefix)) return false;
  text.remove_prefix(kOperatorKeyPrefix.size());
  return text.size() == kDigits && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

absl::StatusOr<std::string> ReadOperatorKey(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return CannotOpen(path);
  absl::StatusOr<std::string> key = ReadOpen(fd, path);
  close(fd);
  return key;
}

absl::StatusOr<std::string> ReadOrMakeOperatorKey(const std::string& path, Random& random) {
  absl::StatusOr<std::string> key = ReadOperatorKey(path);
  if (!absl::IsNotFound(key.status())) return key;
  const absl::Status made = Make(path, random);
  return made.ok() ? ReadOperatorKey(path) : made;
}

}  // namespace astragal::base
