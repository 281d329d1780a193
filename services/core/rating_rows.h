// Between what storage keeps of ratings and what the algorithms compute with. Pure.
#ifndef ASTRAGAL_SERVICES_CORE_RATING_ROWS_H_
#define ASTRAGAL_SERVICES_CORE_RATING_ROWS_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "services/algorithms/rating_pool.h"
#include "storage/rating_store.h"

namespace astragal::core {

// The numbers that a pool in memory knows its players by, in order of appearance.
class PlayerNumbers {
 public:
  uint32_t Of(base::PlayerId player);
  base::PlayerId IdOf(uint32_t number) const { return ids_[number]; }
  const std::vector<base::PlayerId>& ids() const { return ids_; }

 private:
  absl::flat_hash_map<base::PlayerId, uint32_t> numbers_;
  std::vector<base::PlayerId> ids_;
};

algorithms::SeatClass SeatsOf(const storage::PoolRecord& pool);
// RATING_PROFILE of a pool that does not parse is a fault of the store: DATA_LOSS.
absl::StatusOr<algorithms::RatingProfile> ProfileOf(const storage::PoolRecord& pool);

algorithms::Standing StandingOf(const storage::StandingRecord& record);
storage::StandingRecord RecordOf(const algorithms::Standing& standing, base::PlayerId player,
                                 bool pinned);
// As the list shows it at `now`.
storage::ListedStanding ListedAt(const algorithms::RatingProfile& profile,
                                 algorithms::SeatClass seats, const storage::StandingRecord& record,
                                 base::Instant now);

algorithms::RatedMatch MatchOf(const storage::RatedMatchRecord& record, PlayerNumbers& numbers);
// One for each seat; without numbers when the match was not rated.
std::vector<storage::StepRecord> StepsOf(const storage::RatedMatchRecord& match,
                                         const algorithms::MatchOutcome& outcome, int32_t revision);

storage::PlayerPair PairKey(base::PlayerId one, base::PlayerId other);
storage::PairStanding PairOf(const algorithms::RatingPool& pool, PlayerNumbers& numbers,
                             const storage::PlayerPair& key);
void SetPair(const storage::PairStanding& pair, PlayerNumbers& numbers,
             algorithms::RatingPool& pool);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_RATING_ROWS_H_
