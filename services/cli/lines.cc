#include "services/cli/lines.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"

namespace astragal::cli {

void Lines::EndLine() {
  const absl::string_view line = absl::StripAsciiWhitespace(partial_);
  lines_.emplace_back(line.data(), line.size());
  partial_.clear();
}

void Lines::Put(char c) {
  if (c == '\n') {
    EndLine();
  } else if (partial_.size() < kMaxLength) {
    partial_ += c;
  }
}

void Lines::Read() {
  if (at_end_) return;
  std::array<char, 4'096> buffer;
  const ssize_t count = read(fd_, buffer.data(), buffer.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count > 0) {
    for (ssize_t i = 0; i < count; ++i) Put(buffer[static_cast<size_t>(i)]);
    return;
  }
  at_end_ = true;
  if (!partial_.empty()) EndLine();
}

std::string Lines::Take() {
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

bool Lines::Wait() {
  while (!HasLine() && !at_end_) Read();
  return HasLine();
}

}  // namespace astragal::cli
