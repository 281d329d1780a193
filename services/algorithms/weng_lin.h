// Weng and Lin's ratings for any number of seats: what a finishing order tells about the strength
// of those who sat there.
//
// Source: R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking", JMLR 12
// (2011), one player a team; gamma = sigma / c. Plackett-Luce is what this service rates by;
// Bradley-Terry with all pairs is there to compare with. Pure functions in double precision,
// compiled without contraction. Any thread may call them. Finite input gives finite output.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_WENG_LIN_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_WENG_LIN_H_

#include <vector>

#include "absl/types/span.h"

namespace astragal::algorithms {

struct WengLin {
  double mu = 25;
  double sigma = 25.0 / 3;

  friend bool operator==(const WengLin&, const WengLin&) = default;
};

struct WengLinConstants {
  double beta = 25.0 / 6;  // spread of one player's results
  double tau = 0;          // sigma grows by this, squared, before each game
  double kappa = 0.0001;   // sigma^2 keeps at least this part

  friend bool operator==(const WengLinConstants&, const WengLinConstants&) = default;
};

// Each of `players` after the game, in their order. `places` has one for each of them: lower is
// better, equal is shared; other than that only their order counts. At least one player, and a beta
// or a sigma above 0.
std::vector<WengLin> UpdatePlackettLuce(absl::Span<const WengLin> players,
                                        absl::Span<const int> places,
                                        const WengLinConstants& constants);
std::vector<WengLin> UpdateBradleyTerry(absl::Span<const WengLin> players,
                                        absl::Span<const int> places,
                                        const WengLinConstants& constants);

// How probable it is that each comes first: exp(mu_i / c) / sum of exp(mu_j / c), c as in
// Plackett-Luce.
std::vector<double> FirstPlaceChances(absl::Span<const WengLin> players, double beta);
// That the i-th of `players` finishes first, the next of them second and so on: the probability of
// this whole order.
double OrderChance(absl::Span<const WengLin> players_by_place, double beta);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_WENG_LIN_H_
