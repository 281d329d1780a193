// From what is stored of ratings to the public nouns. Pure; any thread may call these.
#ifndef ASTRAGAL_SERVICES_RATING_NOUNS_H_
#define ASTRAGAL_SERVICES_RATING_NOUNS_H_

#include "astragal/v1/rating.pb.h"
#include "astragal/v1/rating_service.pb.h"
#include "services/algorithms/rating_profile.h"
#include "services/core/ratings.h"
#include "storage/player_store.h"
#include "storage/rating_store.h"

namespace astragal::rating {

// A pool with its profile read.
struct Pool {
  storage::PoolRecord record;
  algorithms::RatingProfile profile;
  algorithms::SeatClass seats = algorithms::SeatClass::kTwo;
};

v1::RatingPool ToProto(const storage::PoolRecord& pool);
// As it is at `now`. `player` may lack a name.
v1::Rating ToProto(const Pool& pool, const storage::StandingRecord& standing,
                   const storage::PlayerRecord& player, base::Instant now);
v1::RatingStep ToProto(const Pool& pool, const storage::HistoryEntry& entry);
// With as many differences as fit a kept answer.
v1::RecomputeResponse ToProto(const core::Recomputation& done);

}  // namespace astragal::rating

#endif  // ASTRAGAL_SERVICES_RATING_NOUNS_H_
