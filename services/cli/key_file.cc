#include "services/cli/key_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "services/base/status.h"

// The file: {"servers": {SERVER: {"current": NAME, "players": {NAME: {"key": K, "player_id": P}}}}}
namespace astragal::cli {
namespace {

using nlohmann::json;

absl::Status Trouble(const std::string& path, const std::string& what) {
  return absl::FailedPreconditionError(path + ": " + what);
}

// A file descriptor that is closed at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

bool WriteAll(int fd, const std::string& text) {
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(fd, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    written += static_cast<size_t>(n);
  }
  return fsync(fd) == 0;
}

bool IsWellFormed(const json& root) {
  if (!root.is_object() || !root.contains("servers") || !root["servers"].is_object()) return false;
  for (const json& server : root["servers"]) {
    if (!server.is_object() || !server.value("current", json("")).is_string()) return false;
    if (!server.contains("players") || !server["players"].is_object()) return false;
    for (const json& player : server["players"]) {
      if (!player.is_object() || !player.value("key", json(0)).is_string() ||
          !player.value("player_id", json("")).is_string()) {
        return false;
      }
    }
  }
  return true;
}

absl::StatusOr<json> Load(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return json{{"servers", json::object()}};
    return Trouble(path, std::strerror(errno));
  }
  if ((facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Trouble(path, "others can read these keys; type: chmod 600 '" + path + "'");
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  if (!file) return Trouble(path, "cannot be read");
  json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!IsWellFormed(root)) {
    return Trouble(path, "is not a key file of this program; mend it or move it away");
  }
  return root;
}

absl::Status Save(const std::string& path, const json& root) {
  const std::string draft = path + ".new";
  {
    unlink(draft.c_str());
    const Descriptor file(open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (file.get() < 0 || !WriteAll(file.get(), root.dump(2) + "\n")) {
      return Trouble(draft, std::strerror(errno));
    }
  }
  if (rename(draft.c_str(), path.c_str()) != 0) return Trouble(path, std::strerror(errno));
  return absl::OkStatus();
}

// Loads, lets `edit` change it and saves, all under the lock beside the file.
absl::Status Change(const std::string& path, const std::function<absl::Status(json&)>& edit) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::filesystem::create_directories(folder, error);
  if (error) return Trouble(folder.string(), error.message());
  const std::string lock_path = path + ".lock";
  const Descriptor lock(open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock.get() < 0 || flock(lock.get(), LOCK_EX) != 0) {
    return Trouble(lock_path, std::strerror(errno));
  }
  absl::StatusOr<json> root = Load(path);
  if (!root.ok()) return root.status();
  if (absl::Status edited = edit(*root); !edited.ok()) return edited;
  return Save(path, *root);
}

std::vector<StoredPlayer> PlayersOf(const json& root, const std::string& server) {
  std::vector<StoredPlayer> players;
  const auto found = root["servers"].find(server);
  if (found == root["servers"].end()) return players;
  const std::string current = found->value("current", "");
  for (const auto& [name, player] : (*found)["players"].items()) {
    players.push_back({name, player.value("player_id", ""), player.value("key", ""),
                       absl::EqualsIgnoreCase(name, current)});
  }
  return players;
}

std::optional<StoredPlayer> Pick(const std::vector<StoredPlayer>& players,
                                 const std::string& name) {
  for (const StoredPlayer& player : players) {
    if (name.empty() ? player.current : absl::EqualsIgnoreCase(player.name, name)) return player;
  }
  return std::nullopt;
}

}  // namespace

std::string KeyFile::DefaultPath() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && *config == '/') return std::string(config) + "/astragal/keys";
  const char* home = std::getenv("HOME");
  const std::string base = home != nullptr && *home != '\0' ? home : ".";
  return base + "/.config/astragal/keys";
}

absl::StatusOr<std::vector<StoredPlayer>> KeyFile::List(const std::string& server) const {
  const absl::StatusOr<json> root = Load(path_);
  if (!root.ok()) return root.status();
  return PlayersOf(*root, server);
}

absl::StatusOr<std::optional<StoredPlayer>> KeyFile::Find(const std::string& server,
                                                          const std::string& name) const {
  const absl::StatusOr<std::vector<StoredPlayer>> players = List(server);
  if (!players.ok()) return players.status();
  return Pick(*players, name);
}

absl::Status KeyFile::CheckWritable() const {
  return Change(path_, [](json&) { return absl::OkStatus(); });
}

absl::Status KeyFile::Add(const std::string& server, const StoredPlayer& player) const {
  return Change(path_, [&](json& root) {
    const auto old = Pick(PlayersOf(root, server), player.name);
    json& entry = root["servers"][server];
    if (old) entry["players"].erase(old->name);
    entry["players"][player.name] = {{"key", player.key}, {"player_id", player.player_id}};
    entry["current"] = player.name;
    return absl::OkStatus();
  });
}

absl::Status KeyFile::Use(const std::string& server, const std::string& name) const {
  return Change(path_, [&](json& root) -> absl::Status {
    const auto player = Pick(PlayersOf(root, server), name);
    if (!player) {
      return absl::NotFoundError("No key of a player '" + name + "' at " + server + " is kept in " +
                                 path_ + "; `astragal player list` shows which are.");
    }
    root["servers"][server]["current"] = player->name;
    return absl::OkStatus();
  });
}

}  // namespace astragal::cli
