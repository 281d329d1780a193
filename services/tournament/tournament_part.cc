#include "services/tournament/tournament_part.h"

#include <grpcpp/server_builder.h>

#include "services/core/tournaments/tournaments.h"
#include "services/tournament/director_service.h"
#include "services/tournament/tournament_service.h"
#include "storage/pg_tournament_store.h"

namespace astragal::tournament {

struct TournamentPart::Parts {
  Parts(core::Games& games, core::Matches& matches, storage::MatchStore& match_store,
        storage::Pool& pool, const base::Clock& clock, rpc::Calls& calls)
      : store(pool),
        tournaments(games, matches, match_store, store),
        tournament_service(tournaments, clock, calls),
        director_service(tournaments, calls) {}

  storage::PgTournamentStore store;
  core::Tournaments tournaments;
  TournamentService tournament_service;
  DirectorService director_service;
};

TournamentPart::TournamentPart(core::Games& games, core::Matches& matches,
                               storage::MatchStore& match_store, storage::Pool& pool,
                               const base::Clock& clock, rpc::Calls& calls)
    : parts_(std::make_unique<Parts>(games, matches, match_store, pool, clock, calls)) {}

TournamentPart::~TournamentPart() = default;

void TournamentPart::Register(grpc::ServerBuilder& builder) {
  builder.RegisterService(&parts_->tournament_service);
  builder.RegisterService(&parts_->director_service);
}

void TournamentPart::PollForEver() { parts_->tournaments.PollForEver(); }

}  // namespace astragal::tournament
