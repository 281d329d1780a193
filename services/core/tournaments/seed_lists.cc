// Looking up the list that seeds a tournament: the part of Tournaments that a start by a list
// needs.
#include <utility>
#include <vector>

#include "services/core/tournaments/tournaments.h"

namespace astragal::core {

absl::Status Tournaments::AddSeeds(const TournamentState& state, TournamentCommand& command) {
  if (command.kind != TournamentEntryKind::kStarted || command.seed_snapshot.empty())
    return absl::OkStatus();
  if (find_seeds_ == nullptr) return absl::OkStatus();
  std::vector<base::PlayerId> players;
  for (const TournamentPlayer& player : state.players) players.push_back(player.id);
  absl::StatusOr<SeedList> seeds = find_seeds_(state.terms, command.seed_snapshot, players);
  if (!seeds.ok()) return seeds.status();
  command.seeds = *std::move(seeds);
  return absl::OkStatus();
}

}  // namespace astragal::core
