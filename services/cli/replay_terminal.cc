#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ostream>
#include <utility>

#include "services/cli/replay_player.h"

namespace astragal::cli {
namespace {

struct Sequence {
  std::string_view bytes;
  char key;
};
constexpr std::array kSequences = {
    Sequence{"\x1b[A", ReplayPlayer::kUp},    Sequence{"\x1b[B", ReplayPlayer::kDown},
    Sequence{"\x1b[C", ReplayPlayer::kRight}, Sequence{"\x1b[D", ReplayPlayer::kLeft},
    Sequence{"\x1bOA", ReplayPlayer::kUp},    Sequence{"\x1bOB", ReplayPlayer::kDown},
    Sequence{"\x1bOC", ReplayPlayer::kRight}, Sequence{"\x1bOD", ReplayPlayer::kLeft},
    Sequence{"\x1b[H", ReplayPlayer::kHome},  Sequence{"\x1b[F", ReplayPlayer::kEnd},
    Sequence{"\x1bOH", ReplayPlayer::kHome},  Sequence{"\x1bOF", ReplayPlayer::kEnd},
    Sequence{"\x1b[1~", ReplayPlayer::kHome}, Sequence{"\x1b[4~", ReplayPlayer::kEnd},
};
constexpr std::string_view kPlainKeys = "0123456789 +-fq\n";
constexpr std::string_view kClear = "\x1b[H\x1b[2J";

// Single keys without echo, for as long as this lives.
class KeyMode {
 public:
  KeyMode(int fd, bool is_tty) : fd_(fd), is_on_(is_tty && tcgetattr(fd, &before_) == 0) {
    if (!is_on_) return;
    termios mode = before_;
    mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    tcsetattr(fd_, TCSANOW, &mode);
  }
  ~KeyMode() {
    if (is_on_) tcsetattr(fd_, TCSANOW, &before_);
  }
  KeyMode(const KeyMode&) = delete;
  KeyMode& operator=(const KeyMode&) = delete;

 private:
  const int fd_;
  termios before_{};
  const bool is_on_;
};

// Whether something can be read, the end included, within this time.
bool IsReadable(int fd, std::optional<int> wait_ms) {
  pollfd entry{fd, POLLIN, 0};
  return poll(&entry, 1, wait_ms.value_or(-1)) > 0;
}

// False at the end of the input.
bool ReadBytes(int fd, std::string& bytes) {
  std::array<char, 256> buffer;
  const ssize_t count = read(fd, buffer.data(), buffer.size());
  if (count > 0) bytes.append(buffer.data(), static_cast<size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

}  // namespace

std::string TakeKeys(std::string& bytes) {
  std::string keys;
  size_t at = 0;
  while (at < bytes.size()) {
    const std::string_view rest = std::string_view(bytes).substr(at);
    if (rest[0] != '\x1b') {
      const char key = rest[0] == '\r' ? '\n' : rest[0];
      if (kPlainKeys.find(key) != std::string_view::npos) keys += key;
      ++at;
      continue;
    }
    size_t used = 0;
    bool is_cut = false;
    for (const Sequence& sequence : kSequences) {
      if (rest.substr(0, sequence.bytes.size()) == sequence.bytes) {
        keys += sequence.key;
        used = sequence.bytes.size();
        break;
      }
      is_cut = is_cut || sequence.bytes.substr(0, rest.size()) == rest;
    }
    if (used == 0 && is_cut) break;
    at += used == 0 ? 1 : used;
  }
  bytes.erase(0, at);
  return keys;
}

absl::Status RunReplayPlayer(Context& context, ReplayPlayer player) {
  const Terminal& terminal = context.terminal();
  const KeyMode mode(terminal.in_fd, terminal.in_is_tty);
  std::string bytes;
  while (true) {
    if (terminal.out_is_tty) context.out() << kClear;
    context.out() << player.Screen() << std::flush;
    if (!IsReadable(terminal.in_fd, player.wait_ms())) {
      player.Tick();
      continue;
    }
    if (!ReadBytes(terminal.in_fd, bytes)) return absl::OkStatus();
    for (const char key : TakeKeys(bytes)) {
      if (!player.Press(key)) return absl::OkStatus();
    }
  }
}

}  // namespace astragal::cli
