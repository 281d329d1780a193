// What all commands of tournament directors have: why, what was seen, what is accepted, and how the
// answer is shown.
#ifndef ASTRAGAL_SERVICES_CLI_TOURNAMENT_DIRECTION_H_
#define ASTRAGAL_SERVICES_CLI_TOURNAMENT_DIRECTION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "astragal/v1/tournament_director_service.pb.h"
#include "services/cli/context.h"
#include "services/cli/tournament_client.h"

namespace CLI {
class App;
}  // namespace CLI

namespace astragal::cli {

struct Direction {
  std::string tournament;
  std::string reason;
  uint32_t expected = 0;
  std::vector<std::string> accepted;
  bool dry_run = false;
  bool json = false;
};

// Adds TOURNAMENT, --reason, --expect, --accept, --dry-run and --json. `direction` must live as
// long as the command.
void AddDirection(CLI::App& app, Direction& direction);

v1::DirectorHeader HeaderOf(const Direction& direction);
void PrintAnswer(Context& context, const Direction& direction, const v1::DirectorAnswer& answer);

// Carries the command out, and shows what came of it.
template <typename Request>
absl::Status Direct(Context& context, const Direction& direction, Request request) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  *request.mutable_header() = HeaderOf(direction);
  const auto done = TournamentClient(**client).Call(request);
  if (!done.ok()) return done.status();
  PrintAnswer(context, direction, done->answer());
  return absl::OkStatus();
}

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_TOURNAMENT_DIRECTION_H_
