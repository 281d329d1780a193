// What a position is worth: at once, or after the throws and the reply that may follow.
//
// A Lookahead serves one thread and one question; ruleset and search must outlive it. Its work is
// bounded, whatever the ruleset: see kMaxPositions and kLeastShare.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_LOOKAHEAD_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_LOOKAHEAD_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "plugins/host/ruleset.h"
#include "services/algorithms/turns.h"

namespace astragal::algorithms {

// The ruleset's estimate for the seat, 0 to 1000; 0 without one. A finished game by its result,
// with a bonus for the points it brings, so that a double win beats a single one.
double Value(const host::Ruleset& ruleset, const host::Position& position, int seat);

class Lookahead {
 public:
  // Positions reached by the search for one question; beyond this every position is worth its
  // estimate.
  static constexpr uint64_t kMaxPositions = 100'000;

  // What comes less often than this is worth its estimate: series of throws have no end.
  static constexpr double kLeastShare = 0.005;

  Lookahead(const host::Ruleset& ruleset, TurnSearch& search, int seat)
      : ruleset_(ruleset),
        search_(search),
        seat_(seat),
        limit_(search.positions() + kMaxPositions) {}

  // The average over all throws of what `end` is worth to the seat when another seat has replied.
  // Each turn on the way is the one that its own seat likes best at its end; further turns that
  // the seat itself has before the reply (another throw, a pass of the others) count as part of
  // its turn. RULESET_FAULT when the plugin breaks its contract.
  absl::StatusOr<double> After(const host::Position& end) { return Follow(end, 1); }

 private:
  // `share` is the chance that the game gets to this position.
  absl::StatusOr<double> Follow(const host::Position& position, double share);
  absl::StatusOr<double> AfterThrow(const host::Position& position, double share);
  absl::StatusOr<double> AfterTurn(const host::Position& position, int actor, double share);

  const host::Ruleset& ruleset_;
  TurnSearch& search_;
  const int seat_;
  const uint64_t limit_;
};

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_LOOKAHEAD_H_
