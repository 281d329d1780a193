// Where the starting deviation of a ruleset comes from: games between bots of different strength,
// and how well each profile would have predicted them.
//
// The likelihood of a history under a profile is that of its predictions, made match by match
// before each is rated. It takes any history: games of bots now, stored games later. Pure functions
// of their arguments; any thread may call them.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_RATING_CALIBRATION_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_RATING_CALIBRATION_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "plugins/host/ruleset.h"
#include "services/algorithms/rating_pool.h"

namespace astragal::algorithms {

// Players 0 .. players - 1 who decide with `strong` in a share of their turns that grows evenly
// from none to all, and at random else. In every round each plays once, against anybody.
struct BotPopulation {
  std::vector<int64_t> options;  // of the ruleset, in declared order
  std::string strong = "greedy";
  int players = 40;
  int rounds = 60;
  uint64_t seed = 1;
  std::function<void(uint64_t done, uint64_t all)> progress;  // may be empty
};

// Their games as matches of one game, a day between rounds. BAD_OPTION, RULESET_FAULT;
// INVALID_ARGUMENT for an unknown bot or when the players cannot be spread over tables.
absl::StatusOr<std::vector<RatedMatch>> PlayPopulation(const host::Ruleset& ruleset,
                                                       const BotPopulation& population);

// Mean over all matches that are not drawn of -ln(chance that was given to who came first).
double LogLossOf(const RatingProfile& profile, SeatClass seats,
                 absl::Span<const RatedMatch> matches);

struct CalibrationPoint {
  RatingProfile profile;
  double log_loss = 0;
};

// Every combination of these, ordered as nested loops over deviations, volatilities and taus; of
// tables only the deviations count, which are on the shown scale (30 of them are one of sigma).
std::vector<CalibrationPoint> LikelihoodGrid(const RatingProfile& base, SeatClass seats,
                                             absl::Span<const RatedMatch> matches,
                                             absl::Span<const double> deviations,
                                             absl::Span<const double> volatilities,
                                             absl::Span<const double> taus);

// Points of rating between two of whom one wins this share of the games.
double EloGap(double share);

// Log loss over starting deviations, a line for each pair of volatility and tau, and guessing.
std::string CalibrationChart(std::string_view title, SeatClass seats,
                             absl::Span<const CalibrationPoint> points, double guessing);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_RATING_CALIBRATION_H_
