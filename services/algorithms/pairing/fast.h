// A Swiss engine for big fields: one matching over the whole round, among pairs that are near to
// what each player is wanted to get. 10,000 players after eight rounds take a second.
//
// Wanted is the opponent half a score group below (or above). A player's candidates are the nearest
// ones around the wanted opponent and the nearest neighbours, across score groups too. A pairing is
// good when gaps between scores are small (by their squares), then when nobody floats again as in
// the last two rounds, then when opponents are near the wanted ones. If the candidates allow no
// complete pairing there are more of them, in the end everybody: a pairing is only refused when
// none exists. Pure; deterministic. Sides, if the field has them, are wished and given as in
// swiss.h.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_FAST_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_FAST_H_

#include <vector>

#include "absl/status/statusor.h"
#include "services/algorithms/pairing/dutch.h"
#include "services/algorithms/pairing/swiss.h"

namespace astragal::algorithms {

inline constexpr int kFastVersion = 1;

struct FastOptions {
  int window = 20;  // candidates on each side, to begin with
  // Whether who has met may meet again where nothing else is possible: as few such pairs as can be.
  bool repeats = false;
  // Whether the bye goes to who had the fewest byes of the pairing so far; otherwise to the lowest
  // score among those that may have one.
  bool bye_by_turns = false;
};

// Pairs of field indices, the better player first; a bye has second == kNobody. FAILED_PRECONDITION
// when no pairing exists.
absl::StatusOr<std::vector<Pairing>> PairFast(const SwissField& field,
                                              const FastOptions& options = {},
                                              const GoOn& go_on = nullptr);

// Swiss to N losses: pairs everybody who has lost fewer matches, equal losses with each other as
// far as can be, with repeats only where nothing else is possible; byes by turns. Forfeits and the
// absences of others than the paired count as they stand: a forfeited match is lost. Pairs of
// crosstable indices. Fewer than two left: no pairs.
absl::StatusOr<std::vector<Pairing>> PairToLosses(const Crosstable& table, int losses);

// Matches lost so far, by player.
std::vector<int> LossesOf(const Crosstable& table);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_FAST_H_
