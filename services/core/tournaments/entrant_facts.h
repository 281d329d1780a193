// What is known of a player who wants to come into a tournament: the account, and the rating in the
// pool that the matches of the tournament belong to; and the lists of that pool that were kept.
#ifndef ASTRAGAL_SERVICES_CORE_TOURNAMENTS_ENTRANT_FACTS_H_
#define ASTRAGAL_SERVICES_CORE_TOURNAMENTS_ENTRANT_FACTS_H_

#include <string>
#include <vector>

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

// The list of that pool as it was: "latest", "official" or a day, as ListLeaderboard names them.
// Bots are looked up in the list of bots of the same day. Blocks. NOT_FOUND: no such list is kept;
// STORE_UNAVAILABLE. Thread-safe.
absl::StatusOr<SeedList> FindSeedList(Games& games, Accounts& accounts,
                                      storage::RatingStore& ratings, const TournamentTerms& terms,
                                      const std::string& snapshot,
                                      const std::vector<base::PlayerId>& players);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_ENTRANT_FACTS_H_
