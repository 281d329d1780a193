// Players of known strength who play each other: what a profile makes of that.
//
// The model: true strengths are normal with a given spread, and constant. In every round each
// player plays once, against somebody of a similar current rating or against anybody; results are
// drawn from the strengths (of two: by the Elo curve; of four: the finishing order by
// Plackett-Luce). A round is a day. Everything goes through RatingPool, and every match is
// predicted before it is rated. Pure functions of their arguments; any thread may call them.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_RATING_SIMULATION_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_RATING_SIMULATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "services/algorithms/rating_pool.h"

namespace astragal::algorithms {

struct RatingSimulation {
  SeatClass seats = SeatClass::kTwo;
  int players = 400;  // a multiple of the seats
  int rounds = 120;
  // Standard deviation of the true strengths: in points of two, in natural logarithms of the weight
  // for the first place at a table of four.
  double spread = 60;
  // Who plays whom: those whose shown ratings with this much noise (a standard deviation, points)
  // are next to each other; or anybody.
  bool similar = true;
  double closeness = 150;
  uint64_t seed = 1;
};

struct SimulatedRatings {
  double log_loss =
      0;  // mean over all matches, natural logarithm: of the result; of who came first
  double guessing = 0;                // of giving all the same chance
  std::vector<double> shown_spreads;  // standard deviation of the shown ratings, by kSpreadMarks
  double correlation = 0;             // of ratings and strengths at the end
};

// Rounds after which spreads are taken, as far as there are so many.
inline constexpr int kSpreadMarks[] = {10, 40, 120};

SimulatedRatings SimulateRatings(const RatingProfile& profile, const RatingSimulation& simulation);

// The mean of values and its standard error.
struct Estimate {
  double mean = 0;
  double error = 0;
  // How many errors the mean is below 0; 0 if there is no error.
  double ErrorsBelowZero() const { return error > 0 ? -mean / error : 0; }
};
Estimate EstimateOf(absl::Span<const double> values);
// Of the differences first - second, pair by pair.
Estimate PairedDifference(absl::Span<const double> first, absl::Span<const double> second);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_RATING_SIMULATION_H_
