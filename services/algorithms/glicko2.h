// Glicko-2: what a match between two tells about their strength.
//
// Source: M. Glickman, "Example of the Glicko-2 system" (2013); step numbers below are his. Ratings
// and deviations are on the shown scale (1500 is average, 173.7178 points are one unit of the
// paper's), volatilities are per period as in the paper. Pure functions in double precision that
// are compiled without contraction, so that a replay on another build gives the same numbers. Any
// thread may call them. Finite input gives finite output.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_GLICKO2_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_GLICKO2_H_

#include <vector>

#include "absl/types/span.h"

namespace astragal::algorithms {

inline constexpr double kGlickoCentre = 1500;
inline constexpr double kGlickoScale = 173.7178;  // points of one unit of the paper

struct Glicko {
  double rating = kGlickoCentre;
  double deviation = 350;
  double volatility = 0.06;

  friend bool operator==(const Glicko&, const Glicko&) = default;
};

// One game, or one match, as the player to be rated sees it.
struct GlickoGame {
  double rating = kGlickoCentre;  // the opponent's
  double deviation = 350;
  double score = 0;        // 1 won, 0.5 drawn, 0 lost
  double information = 1;  // g is multiplied by its square root wherever it occurs
  // Points by which the player's own side is better off, as by the first move; negative: worse.
  double advantage = 0;
};

// What the steps of the paper came to, on its scale; for those who check.
struct GlickoSteps {
  double mu = 0;
  double phi = 0;
  std::vector<double> g;
  std::vector<double> e;
  double v = 0;      // step 3; not set without games
  double delta = 0;  // step 4; not set without games
  double phi_star = 0;
  double phi_after = 0;
  double mu_after = 0;
};

// The player after these games, all rated at once. `periods` is how far the deviation grows before
// them: 1 in the paper, 0 when it was aged already. `tau` is the system constant of step 5; 0 keeps
// the volatility. An iteration that does not converge keeps it too.
Glicko UpdateGlicko(const Glicko& player, absl::Span<const GlickoGame> games, double tau,
                    double periods, GlickoSteps* steps = nullptr);

// The deviation after so many periods without a game (step 6).
double AgedDeviation(double deviation, double volatility, double periods);

// The score that a player may expect against another, as it is shown to users:
// 1 / (1 + exp(-g(sqrt(phi1^2 + phi2^2)) (mu1 - mu2))).
double ExpectedGlickoScore(const Glicko& player, const Glicko& opponent, double information = 1,
                           double advantage = 0);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_GLICKO2_H_
