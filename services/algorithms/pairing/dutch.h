// The FIDE (Dutch) system, exactly: C.04.3 as applied from 2026, with the criteria C1 to C21 and
// the order of alternatives of its articles 3 and 4. Without sides C3 and C10 to C13 fall away and
// nothing else changes: then dice decide who begins.
//
// How: score groups are paired from the top as brackets. A bracket is paired by the heaviest
// perfect matching (matching.h) of everybody still unpaired: a pair inside the bracket carries one
// number for each criterion, in their order, so that the sum over all pairs says how good the
// bracket is; pairs below it carry nothing but that they can be made (C4), those of the next
// bracket what C8 counts. Among equally good pairings the articles 4.2 to 4.4 choose by exchanges
// and transpositions; they are columns behind the criteria, or a further matching of the edges that
// can still be in one.
//
// Costs about n^3 for n players: 200 in a tenth of a second, 600 in seconds.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_DUTCH_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_DUTCH_H_

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/algorithms/pairing/swiss.h"

namespace astragal::algorithms {

// The engine's version: raised whenever the same field could be paired differently.
inline constexpr int kDutchVersion = 1;

// Asked between matchings; what is not OK ends the pairing with it. nullptr: never.
using GoOn = std::function<absl::Status()>;

// Pairs of field indices, the better player first; a bye has second == kNobody. FAILED_PRECONDITION
// when no pairing of all players exists (explain.h says who is in the way).
absl::StatusOr<std::vector<Pairing>> PairDutch(const SwissField& field,
                                               const GoOn& go_on = nullptr);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_DUTCH_H_
