// Times at which no server was there to be played with, as the database knows them: nobody's clock
// runs in them. Every node writes a heartbeat; a gap between the last one of all nodes and the next
// is an outage. Thread-safe.
#ifndef ASTRAGAL_SERVICES_CORE_OUTAGES_H_
#define ASTRAGAL_SERVICES_CORE_OUTAGES_H_

#include <cstdint>
#include <vector>

#include "services/base/mutex.h"
#include "services/core/game_clock.h"
#include "storage/records.h"

namespace astragal::core {

class Outages {
 public:
  // How old the last heartbeat may be for this node to judge whose time is up: an outage that has
  // just ended may not be known before.
  static constexpr int64_t kTrustForMs = 2'000;
  // Outages are forgotten once no turn can reach back to them.
  static constexpr int64_t kKeepMs = kMaxReserveMs + kMaxIncrementMs;

  // What the database said at `now`, in any order, known ones among them.
  void Learn(const std::vector<storage::Outage>& outages, base::Instant now)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // The end of the last outage known; zero: none.
  base::Instant known_until() const ABSL_LOCKS_EXCLUDED(mutex_);
  bool IsCurrent(base::Instant now) const ABSL_LOCKS_EXCLUDED(mutex_);

  // Microseconds of the running turn that lie in outages and were not yet given back.
  int64_t CreditFor(const GameClock& clock, base::Instant now) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable base::Mutex mutex_;
  std::vector<storage::Outage> outages_ ABSL_GUARDED_BY(mutex_);  // disjoint, ascending
  base::Instant learnt_at_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_OUTAGES_H_
