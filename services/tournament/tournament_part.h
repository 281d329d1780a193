// All that a server has of tournaments, behind one name: store, scheduler and both services.
#ifndef ASTRAGAL_SERVICES_TOURNAMENT_TOURNAMENT_PART_H_
#define ASTRAGAL_SERVICES_TOURNAMENT_TOURNAMENT_PART_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "storage/tournament_store.h"

namespace grpc {
class ServerBuilder;
}  // namespace grpc

namespace astragal::base {
class Clock;
}  // namespace astragal::base

namespace astragal::core {
class Games;
class Matches;
}  // namespace astragal::core

namespace astragal::rpc {
class Calls;
}  // namespace astragal::rpc

namespace astragal::storage {
class MatchStore;
class Pool;
}  // namespace astragal::storage

namespace astragal::tournament {

// What it is made of must outlive it; it must live until the scheduler has stopped. Thread-safe.
class TournamentPart {
 public:
  TournamentPart(core::Games& games, core::Matches& matches, storage::MatchStore& match_store,
                 storage::Pool& pool, const base::Clock& clock, rpc::Calls& calls);
  ~TournamentPart();
  TournamentPart(const TournamentPart&) = delete;
  TournamentPart& operator=(const TournamentPart&) = delete;

  // Adds both services.
  void Register(grpc::ServerBuilder& builder);
  // Moves tournaments on, from now on.
  void PollForEver();
  // The matches of its published pairings, also those that another attempt has replaced. NOT_FOUND,
  // also for a tournament that `viewer` may not see. Blocks on the store.
  absl::StatusOr<std::vector<base::MatchId>> MatchesOf(storage::TournamentId id,
                                                       base::PlayerId viewer);

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace astragal::tournament

#endif  // ASTRAGAL_SERVICES_TOURNAMENT_TOURNAMENT_PART_H_
