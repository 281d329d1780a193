// What is known of a player who wants to come into a tournament: the account, and the rating in the
// pool that the matches of the tournament belong to.
#ifndef ASTRAGAL_SERVICES_CORE_TOURNAMENTS_ENTRANT_FACTS_H_
#define ASTRAGAL_SERVICES_CORE_TOURNAMENTS_ENTRANT_FACTS_H_

#include "absl/status/statusor.h"
#include "services/core/accounts.h"
#include "services/core/games.h"
#include "services/core/tournaments/command.h"
#include "storage/rating_store.h"

namespace astragal::core {

// Blocks. NOT_FOUND for a player who does not exist; STORE_UNAVAILABLE. Thread-safe.
absl::StatusOr<EntrantFacts> FindEntrantFacts(Games& games, Accounts& accounts,
                                              storage::RatingStore& ratings,
                                              const TournamentTerms& terms, base::PlayerId player);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_ENTRANT_FACTS_H_
