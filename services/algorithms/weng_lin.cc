#include "services/algorithms/weng_lin.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace astragal::algorithms {
namespace {

double Square(double x) { return x * x; }

double SpreadOfAll(absl::Span<const WengLin> players, double beta) {
  double sum = 0;
  for (const WengLin& player : players) sum += Square(player.sigma) + Square(beta);
  return std::sqrt(sum);
}

std::vector<WengLin> Aged(absl::Span<const WengLin> players, double tau) {
  std::vector<WengLin> aged(players.begin(), players.end());
  for (WengLin& player : aged) player.sigma = std::sqrt(Square(player.sigma) + Square(tau));
  return aged;
}

// exp(mu / c) of each, all divided by that of the best: only their ratios count.
std::vector<double> Weights(absl::Span<const WengLin> players, double c) {
  double best = players.front().mu;
  for (const WengLin& player : players) best = std::max(best, player.mu);
  std::vector<double> weights;
  weights.reserve(players.size());
  for (const WengLin& player : players) weights.push_back(std::exp((player.mu - best) / c));
  return weights;
}

// The part of `weight` in a sum that it belongs to, which may have vanished beside the best.
double Part(double weight, double sum) { return sum > 0 ? weight / sum : 0; }

}  // namespace

std::vector<WengLin> UpdatePlackettLuce(absl::Span<const WengLin> players,
                                        absl::Span<const int> places,
                                        const WengLinConstants& constants) {
  std::vector<WengLin> after = Aged(players, constants.tau);
  const double c = SpreadOfAll(after, constants.beta);
  const std::vector<double> weights = Weights(after, c);
  const size_t count = players.size();
  // Of each q: the weights of those it did not lose to, and how many share its place.
  std::vector<double> behind(count);
  std::vector<int> sharing(count);
  for (size_t q = 0; q < count; ++q) {
    for (size_t i = 0; i < count; ++i) {
      if (places[i] >= places[q]) behind[q] += weights[i];
      if (places[i] == places[q]) ++sharing[q];
    }
  }
  for (size_t i = 0; i < count; ++i) {
    double omega = 0;
    double delta = 0;
    for (size_t q = 0; q < count; ++q) {
      if (places[q] > places[i]) continue;
      const double p = Part(weights[i], behind[q]);
      omega += ((i == q ? 1 : 0) - p) / sharing[q];
      delta += p * (1 - p) / sharing[q];
    }
    const double sigma = after[i].sigma;
    after[i].mu += Square(sigma) / c * omega;
    delta *= sigma / c * Square(sigma / c);
    after[i].sigma = sigma * std::sqrt(std::max(1 - delta, constants.kappa));
  }
  return after;
}

std::vector<WengLin> UpdateBradleyTerry(absl::Span<const WengLin> players,
                                        absl::Span<const int> places,
                                        const WengLinConstants& constants) {
  const std::vector<WengLin> before = Aged(players, constants.tau);
  std::vector<WengLin> after = before;
  for (size_t i = 0; i < before.size(); ++i) {
    const double variance = Square(before[i].sigma);
    double omega = 0;
    double delta = 0;
    for (size_t q = 0; q < before.size(); ++q) {
      if (q == i) continue;
      const double c = std::sqrt(variance + Square(before[q].sigma) + 2 * Square(constants.beta));
      const double p = 1 / (1 + std::exp((before[q].mu - before[i].mu) / c));
      const double score = places[i] < places[q] ? 1 : places[i] == places[q] ? 0.5 : 0;
      omega += variance / c * (score - p);
      delta += before[i].sigma / c * variance / Square(c) * p * (1 - p);
    }
    after[i].mu += omega;
    after[i].sigma *= std::sqrt(std::max(1 - delta, constants.kappa));
  }
  return after;
}

std::vector<double> FirstPlaceChances(absl::Span<const WengLin> players, double beta) {
  std::vector<double> chances = Weights(players, SpreadOfAll(players, beta));
  double sum = 0;
  for (const double weight : chances) sum += weight;
  for (double& chance : chances) chance /= sum;
  return chances;
}

double OrderChance(absl::Span<const WengLin> players_by_place, double beta) {
  const std::vector<double> weights =
      Weights(players_by_place, SpreadOfAll(players_by_place, beta));
  double behind = 0;
  double chance = 1;
  for (size_t i = weights.size(); i-- > 0;) {
    behind += weights[i];
    chance *= Part(weights[i], behind);
  }
  return chance;
}

}  // namespace astragal::algorithms
