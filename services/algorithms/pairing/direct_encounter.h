// Direct encounter (FIDE C.07, article 6) among players that are tied so far. For tiebreaks.cc.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_DIRECT_ENCOUNTER_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_DIRECT_ENCOUNTER_H_

#include <vector>

#include "services/algorithms/pairing/tiebreak_values.h"

namespace astragal::algorithms {

// `ranks` by player, equal for who is tied: the rank of a group is one more than the number of
// players before it. Returns places within each group, from 1; all 0 in a group that stays tied.
//
// If all of a group have met, its table of their meetings splits it, and each part starts again.
// Otherwise whoever stays ahead of everybody else even if all missing games were won by the others
// comes first, and the rest starts again. Several meetings count by their average.
Column DirectEncounter(const TieBreakValues& values, const std::vector<int>& ranks,
                       bool round_robin, Tenths win);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_DIRECT_ENCOUNTER_H_
