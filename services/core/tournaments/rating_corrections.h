// What an overridden result makes of ratings, where its director says that it concerns them: the
// rated match is corrected, or annulled, and its pool replayed from there on.
//
// Asked for under a request that follows from the override, whose answer is kept with the new
// ratings in one transaction: however often it is asked, by whichever node, it happens once.
#ifndef ASTRAGAL_SERVICES_CORE_TOURNAMENTS_RATING_CORRECTIONS_H_
#define ASTRAGAL_SERVICES_CORE_TOURNAMENTS_RATING_CORRECTIONS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "services/core/ratings.h"
#include "services/core/tournaments/state.h"

namespace astragal::core {

// What is asked of Ratings. Those that share a place share the result.
struct RatingChange {
  base::RequestId request;
  base::MatchId match;
  bool annul = false;
  std::vector<std::pair<base::PlayerId, int32_t>> places;  // otherwise: 1 is the best
  std::string reason;
};

// Of the due correction `due`. Pure.
RatingChange RatingChangeOf(const TournamentState& state, const RatingDue& due);

// True: it is done, now or before. False: the match is not rated (yet). ABORTED with STALE_VERSION:
// another recomputation came between; it can be asked again (blocks).
absl::StatusOr<bool> ChangeRating(Ratings& ratings, const RatingChange& change);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_RATING_CORRECTIONS_H_
