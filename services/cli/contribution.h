// What this program adds to the dice of one game for one seat: 32 random bytes, pledged when the
// game invites contributions and sent once pledges are closed. Bytes that a program has pledged and
// then lost, because it ended, are missing like those of anybody who went away.
//
// One thread at a time.
#ifndef ASTRAGAL_SERVICES_CLI_CONTRIBUTION_H_
#define ASTRAGAL_SERVICES_CLI_CONTRIBUTION_H_

#include <string>

#include "absl/status/status.h"
#include "services/cli/client.h"

namespace astragal::cli {

// Not begun: players, or what they add to the dice, are awaited.
bool IsBefore(v1::GameStatus status);

class Contribution {
 public:
  Contribution();

  // What was drawn, and the SHA-256 of it.
  const std::string& bytes() const { return bytes_; }
  const std::string& hash() const { return hash_; }
  bool given() const { return given_; }

  // Does what `game`, as it was just read, waits for from this seat; nothing if it does not. `game`
  // is then the game after that. That the time for it is over is no failure.
  absl::Status Step(Client& client, int seat, v1::Game& game);

 private:
  std::string bytes_;
  std::string hash_;
  bool given_ = false;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_CONTRIBUTION_H_
