#include "services/algorithms/glicko2.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace astragal::algorithms {
namespace {

constexpr double kConvergence = 1e-6;  // of the logarithm of the squared volatility, step 5
constexpr int kMaxSteps = 1'000;
// Expected scores stay this far from 0 and 1, where doubles cannot tell them apart any more.
constexpr double kLeastChance = 1e-15;

double Square(double x) { return x * x; }

double G(double phi, double information) {
  return std::sqrt(information) / std::sqrt(1 + 3 * Square(phi / std::numbers::pi));
}

double Chance(double g, double gap) {
  return std::clamp(1 / (1 + std::exp(-g * gap)), kLeastChance, 1 - kLeastChance);
}

// The function of step 5 whose root is the logarithm of the new squared volatility.
struct Likelihood {
  double delta_squared;
  double base;  // phi^2 + v
  double a;     // ln(sigma^2)
  double tau;

  double operator()(double x) const {
    const double e = std::exp(x);
    return e * (delta_squared - base - e) / (2 * Square(base + e)) - (x - a) / Square(tau);
  }
};

// Step 5 by the Illinois rule. The bracket is then so small that one more secant step gives all
// the digits there are.
std::optional<double> NewVolatility(const Likelihood& f) {
  double low = f.a;
  double high = 0;
  if (f.delta_squared > f.base) {
    high = std::log(f.delta_squared - f.base);
  } else {
    int k = 1;
    while (f(f.a - k * f.tau) < 0 && k < kMaxSteps) ++k;
    high = f.a - k * f.tau;
  }
  double f_low = f(low);
  double f_high = f(high);
  for (int step = 0; step < kMaxSteps; ++step) {
    const double slope = f_high - f_low;
    const double middle = slope == 0 ? high : low + (low - high) * f_low / slope;
    if (std::abs(high - low) <= kConvergence) return std::exp(middle / 2);
    const double f_middle = f(middle);
    if (f_middle * f_high <= 0) {
      low = high;
      f_low = f_high;
    } else {
      f_low /= 2;
    }
    high = middle;
    f_high = f_middle;
  }
  return std::nullopt;
}

}  // namespace

double AgedDeviation(double deviation, double volatility, double periods) {
  return std::sqrt(Square(deviation) + periods * Square(volatility * kGlickoScale));
}

Glicko UpdateGlicko(const Glicko& player, absl::Span<const GlickoGame> games, double tau,
                    double periods, GlickoSteps* steps) {
  const double mu = (player.rating - kGlickoCentre) / kGlickoScale;
  const double phi = player.deviation / kGlickoScale;
  double information = 0;  // 1 / v
  double surplus = 0;      // sum of g (s - E)
  for (const GlickoGame& game : games) {
    const double g = G(game.deviation / kGlickoScale, game.information);
    const double gap = (player.rating + game.advantage - game.rating) / kGlickoScale;
    const double e = Chance(g, gap);
    information += Square(g) * e * (1 - e);
    surplus += g * (game.score - e);
    if (steps != nullptr) {
      steps->g.push_back(g);
      steps->e.push_back(e);
    }
  }
  double sigma = player.volatility;
  if (!games.empty() && tau > 0 && sigma > 0) {
    const Likelihood f{Square(surplus / information), Square(phi) + 1 / information,
                       std::log(Square(sigma)), tau};
    sigma = NewVolatility(f).value_or(sigma);
  }
  const double phi_star = std::sqrt(Square(phi) + periods * Square(sigma));
  const double phi_after = 1 / std::sqrt(1 / Square(phi_star) + information);
  const double mu_after = mu + Square(phi_after) * surplus;
  if (steps != nullptr) {
    steps->mu = mu;
    steps->phi = phi;
    if (!games.empty()) {
      steps->v = 1 / information;
      steps->delta = surplus / information;
    }
    steps->phi_star = phi_star;
    steps->phi_after = phi_after;
    steps->mu_after = mu_after;
  }
  // From the rating itself and not by way of mu: so that a win can never lower it by rounding.
  return {player.rating + Square(phi_after) * surplus * kGlickoScale, phi_after * kGlickoScale,
          sigma};
}

double ExpectedGlickoScore(const Glicko& player, const Glicko& opponent, double information,
                           double advantage) {
  const double phi = std::hypot(player.deviation, opponent.deviation) / kGlickoScale;
  const double gap = (player.rating + advantage - opponent.rating) / kGlickoScale;
  return 1 / (1 + std::exp(-G(phi, information) * gap));
}

}  // namespace astragal::algorithms
