#include "services/tournament/tournament_part.h"

#include <grpcpp/server_builder.h>

#include "services/core/tournaments/entrant_facts.h"
#include "services/core/tournaments/tournaments.h"
#include "services/tournament/director_service.h"
#include "services/tournament/tournament_service.h"
#include "storage/pg_rating_store.h"
#include "storage/pg_tournament_store.h"

namespace astragal::tournament {

struct TournamentPart::Parts {
  Parts(core::Games& games, core::Matches& matches, storage::MatchStore& match_store,
        storage::Pool& pool, const base::Clock& clock, rpc::Calls& calls)
      : store(pool),
        ratings(pool),
        corrected(ratings, games.world().catalog, clock, {}),
        tournaments(
            games, matches, match_store, store,
            [this, &games, &calls](const core::TournamentTerms& terms, base::PlayerId player) {
              return core::FindEntrantFacts(games, calls.accounts(), ratings, terms, player);
            },
            [this](const core::RatingChange& change) {
              return core::ChangeRating(corrected, change);
            },
            [this, &games, &calls](const core::TournamentTerms& terms, const std::string& snapshot,
                                   const std::vector<base::PlayerId>& players) {
              return core::FindSeedList(games, calls.accounts(), ratings, terms, snapshot, players);
            }),
        tournament_service(tournaments, clock, calls),
        director_service(tournaments, calls) {}

  storage::PgTournamentStore store;
  storage::PgRatingStore ratings;
  core::Ratings corrected;  // by overridden results
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

absl::StatusOr<std::vector<base::MatchId>> TournamentPart::MatchesOf(storage::TournamentId id,
                                                                     base::PlayerId viewer) {
  const absl::StatusOr<core::TournamentPtr> found = parts_->tournaments.Read(id, viewer);
  if (!found.ok()) return found.status();
  core::TournamentState state = **found;
  std::vector<base::MatchId> matches;
  for (size_t round = 0; round < state.rounds.size(); ++round) {
    if (state.rounds[round].stage == core::RoundStage::kDrafted) continue;
    std::vector<core::TournamentBoard>& boards = state.rounds[round].boards;
    for (size_t board = 0; board < boards.size(); ++board) {
      if (boards[board].IsBye()) continue;
      for (int attempt = boards[board].attempt; attempt >= 0; --attempt) {
        boards[board].attempt = static_cast<uint8_t>(attempt);
        matches.push_back(core::MatchIdOf(state, {round, board}));
      }
    }
  }
  return matches;
}

}  // namespace astragal::tournament
