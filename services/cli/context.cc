#include "services/cli/context.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <mutex>

#include "absl/time/clock.h"
#include "services/base/status.h"

namespace astragal::cli {
namespace {

constexpr int kNarrowest = 40;
// Outages shorter than this are not worth a word.
constexpr absl::Duration kQuietOutage = absl::Seconds(1);

// Says once in an outage that a client goes on trying; a call that ends the outage says nothing.
// Thread-safe.
class OutageNotice {
 public:
  explicit OutageNotice(std::ostream& err) : err_(err) {}

  void OnRepeat(const absl::Status& status) {
    const std::lock_guard lock(mutex_);
    const absl::Time now = absl::Now();
    if (now - last_ > 10 * kQuietOutage) {
      first_ = now;
      said_ = false;
    }
    last_ = now;
    if (said_ || now - first_ < kQuietOutage) return;
    said_ = true;
    err_ << "Trying again: " << std::string(status.message()) << "\n" << std::flush;
  }

 private:
  std::ostream& err_;
  std::mutex mutex_;
  absl::Time first_;
  absl::Time last_;
  bool said_ = false;
};

std::string Paint(bool color, std::string_view code, std::string_view text) {
  if (!color) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace

Terminal Terminal::Standard() {
  Terminal terminal{std::cout, std::cerr};
  terminal.in_fd = STDIN_FILENO;
  terminal.in_is_tty = isatty(STDIN_FILENO) == 1;
  terminal.out_is_tty = isatty(STDOUT_FILENO) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  terminal.color = terminal.out_is_tty && (no_color == nullptr || *no_color == '\0');
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= kNarrowest) {
    terminal.width = size.ws_col;
  }
  return terminal;
}

std::string Terminal::Bold(std::string_view text) const { return Paint(color, "1", text); }
std::string Terminal::Faint(std::string_view text) const { return Paint(color, "2", text); }

std::unique_ptr<Client> Context::WithKey(const std::string& key) {
  Client::Options options;
  options.server = global_.server;
  options.key = key;
  options.timeout =
      timeout_ > absl::ZeroDuration() ? timeout_ : absl::Seconds(1) * global_.timeout_s;
  options.on_repeat = [notice = std::make_shared<OutageNotice>(err())](const absl::Status& status) {
    notice->OnRepeat(status);
  };
  return std::make_unique<Client>(std::move(options));
}

Client& Context::Anonymous() {
  if (!anonymous_) anonymous_ = WithKey("");
  return *anonymous_;
}

absl::StatusOr<std::string> Context::Key() const {
  const char* key = std::getenv("ASTRAGAL_KEY");
  if (key != nullptr && *key != '\0') return std::string(key);
  const auto player = keys_.Find(global_.server, global_.player);
  if (!player.ok()) return player.status();
  if (*player) return (*player)->key;
  if (!global_.player.empty()) {
    return absl::NotFoundError("No key of a player '" + global_.player + "' at " + global_.server +
                               " is kept in " + keys_.path() +
                               "; `astragal player list` shows which are.");
  }
  return base::Error(base::Reason::kTokenMissing, "Nobody plays from here yet.");
}

absl::StatusOr<Client*> Context::AsPlayer() {
  if (as_player_) return as_player_.get();
  const absl::StatusOr<std::string> key = Key();
  if (!key.ok()) return key.status();
  as_player_ = WithKey(*key);
  return as_player_.get();
}

std::string Context::ProgramForOthers() const {
  if (global_.server == GlobalOptions{}.server) return "astragal";
  return "astragal --server " + global_.server;
}

}  // namespace astragal::cli
