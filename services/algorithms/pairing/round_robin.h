// Everybody against everybody: the Berger tables (FIDE C.05, annex 1). Pure.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_ROUND_ROBIN_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_ROUND_ROBIN_H_

#include <vector>

#include "services/algorithms/pairing/swiss.h"

namespace astragal::algorithms {

struct RoundRobinOptions {
  bool twice = false;  // a second cycle with the sides exchanged
  // Of the first cycle, so that nobody has the same side three times around the turn.
  bool swap_last_rounds = false;
};

// Boards of every round, best board first; players are counted from 0, the first one begins. For an
// odd number of players one rests in each round: second is kNobody. Fewer than two: no rounds.
std::vector<std::vector<Pairing>> RoundRobin(int players, const RoundRobinOptions& options = {});

// Which group each of `players`, best first, plays in: there and back again over the groups, sizes
// equal within one.
std::vector<int> SnakeGroups(int players, int groups);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_ROUND_ROBIN_H_
