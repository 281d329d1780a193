// Who of those who wait in one pool plays whom: pure, so that every node that looks at the same
// tickets at the same time wants the same pairs.
//
// Criteria widen while a ticket waits: at first ratings may be kFirstWindow apart, kWiderBy more
// for each kWidenAfterMs waited, and anything goes after kAnyAfterMs. What the longer waiting of
// two accepts counts, so that nobody waits for somebody else's patience. Two who have just played
// each other are kept apart for kRematchAfterMs while others wait. What somebody asks of the other
// one's completion is never given up.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_MATCHMAKING_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_MATCHMAKING_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "services/base/clock.h"
#include "services/base/ids.h"

namespace astragal::algorithms {

inline constexpr int64_t kFirstWindow = 100;  // in rating points
inline constexpr int64_t kWiderBy = 50;
inline constexpr int64_t kWidenAfterMs = 5'000;
inline constexpr int64_t kAnyAfterMs = 60'000;
inline constexpr int64_t kRematchAfterMs = 15'000;

struct WaitingPlayer {
  base::PlayerId player;
  base::PlayerId last_opponent;  // nil: none to be kept apart from
  int32_t rating = 0;
  base::Instant since;
  // In percent: what he completes of his games, and what he asks of the other one.
  int completion = 100;
  int least_completion = 0;
};

// The largest distance of ratings after this wait; INT64_MAX: any.
int64_t RatingWindow(int64_t waited_ms);

// Pairs of places in `waiting`, which is ordered by age, oldest first. The oldest chooses first:
// the nearest rating within the window, of equal ones who waited longest. A player who waits twice
// is paired once, and never with himself.
std::vector<std::pair<size_t, size_t>> PairPlayers(const std::vector<WaitingPlayer>& waiting,
                                                   base::Instant now);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_MATCHMAKING_H_
