#include "services/algorithms/fibs.h"

#include <algorithm>
#include <cmath>

namespace astragal::algorithms {

double FibsUpsetChance(double gap, double length) {
  return 1 / (std::pow(10, gap * std::sqrt(length) / 2000) + 1);
}

double FibsFactor(double experience) { return std::max(1.0, 5 - experience / 100); }

FibsChange UpdateFibs(const Fibs& winner, const Fibs& loser, double length,
                      FibsExperience experience) {
  const double seen = experience == FibsExperience::kAfter ? length : 0;
  FibsChange change;
  change.upset_chance = FibsUpsetChance(std::abs(winner.rating - loser.rating), length);
  const bool upset = winner.rating < loser.rating;
  change.surprise = upset ? 1 - change.upset_chance : change.upset_chance;
  change.winner_factor = FibsFactor(winner.experience + seen);
  change.loser_factor = FibsFactor(loser.experience + seen);
  const double stake = 4 * std::sqrt(length) * change.surprise;
  change.winner_change = stake * change.winner_factor;
  change.loser_change = -stake * change.loser_factor;
  change.winner = {winner.rating + change.winner_change, winner.experience + length};
  change.loser = {loser.rating + change.loser_change, loser.experience + length};
  return change;
}

}  // namespace astragal::algorithms
