// The players whose API keys are kept on this machine, by server.
//
// A JSON file of mode 0600 that a person can read and mend. Every change is made under a lock and
// swapped in whole, so that two programs at once lose nothing and a crash leaves the old file.
// Objects are values; any thread may use one.
#ifndef ASTRAGAL_SERVICES_CLI_KEY_FILE_H_
#define ASTRAGAL_SERVICES_CLI_KEY_FILE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace astragal::cli {

struct StoredPlayer {
  std::string name;
  std::string player_id;
  std::string key;
  bool current = false;  // commands act for this one
};

class KeyFile {
 public:
  explicit KeyFile(std::string path) : path_(std::move(path)) {}

  // $XDG_CONFIG_HOME/astragal/keys, else $HOME/.config/astragal/keys.
  static std::string DefaultPath();

  const std::string& path() const { return path_; }

  // Players of a server by name. None when there is no file. FAILED_PRECONDITION when others may
  // read it or it is not what this program wrote.
  absl::StatusOr<std::vector<StoredPlayer>> List(const std::string& server) const;
  // By name, in any case; "": the current one. nullopt when there is none.
  absl::StatusOr<std::optional<StoredPlayer>> Find(const std::string& server,
                                                   const std::string& name) const;

  // Makes the folder and the lock: whoever is about to get a key that is shown only once asks
  // first.
  absl::Status CheckWritable() const;
  // Adds or replaces the player and makes it the current one.
  absl::Status Add(const std::string& server, const StoredPlayer& player) const;
  // NOT_FOUND when there is no such player.
  absl::Status Use(const std::string& server, const std::string& name) const;

 private:
  std::string path_;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_KEY_FILE_H_
