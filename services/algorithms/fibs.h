// The rating of the First Internet Backgammon Server, shown beside the real one in Long Narde.
//
// Source: the server's "help formula". An upset has the probability 1 / (10^(D sqrt(N) / 2000) + 1)
// for a gap D and a match to N points; the winner gains and the loser loses 4 K sqrt(N) times the
// probability of what did not happen; K falls from 5 to 1 over the first 400 points of experience,
// which grows by N with each match. A courtesy, never used for seeding. Pure functions.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_FIBS_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_FIBS_H_

namespace astragal::algorithms {

struct Fibs {
  double rating = 1500;
  double experience = 0;  // points of all matches so far

  friend bool operator==(const Fibs&, const Fibs&) = default;
};

// Whether K is that of the experience before the match or with it. The server's text does not say;
// this service counts the finished match.
enum class FibsExperience { kBefore, kAfter };

// That the lower rated of two this far apart wins. `gap` >= 0, `length` >= 1.
double FibsUpsetChance(double gap, double length);
// K of somebody with this experience.
double FibsFactor(double experience);

struct FibsChange {
  double upset_chance = 0.5;
  double surprise = 0.5;  // the probability of what did not happen; 0.5 between equals
  double winner_factor = 1;
  double loser_factor = 1;
  double winner_change = 0;
  double loser_change = 0;  // negative
  Fibs winner;              // after the match
  Fibs loser;
};

FibsChange UpdateFibs(const Fibs& winner, const Fibs& loser, double length,
                      FibsExperience experience = FibsExperience::kAfter);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_FIBS_H_
