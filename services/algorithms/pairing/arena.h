// Arenas: waves of pairings among those who wait, and points. Pure.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_ARENA_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_ARENA_H_

#include <cstdint>
#include <vector>

#include "services/algorithms/pairing/swiss.h"

namespace astragal::algorithms {

struct ArenaWaiting {
  int player = kNobody;         // the caller's number, unique in a wave
  int rank = 0;                 // place in the arena's standings
  int last_opponent = kNobody;  // the caller's number of whom they played last
  int waves_waited = 0;
};

// Pairs those who wait: near ranks meet (by the squares of their distance); nobody meets the last
// opponent again unless only two are `active` in the whole arena; who has waited longer is paired
// before others. More than 100 are paired in groups of neighbours in the standings. Who is left
// waits for the next wave. Pairs of the caller's numbers, the better rank first.
std::vector<Pairing> PairWave(const std::vector<ArenaWaiting>& waiting, int active);

enum class ArenaScoring : uint8_t {
  kPlain,    // a win 1
  kRace,     // a win 3, a loss 1: finishing a long match is never worse than giving it up
  kStreaks,  // a win 2, a draw 1, doubled after two wins in a row until something else happens
};

// Points of each match of one player, in order, as whole points; kWin, kDraw, kLoss and forfeits.
std::vector<int> ArenaPoints(ArenaScoring scoring, const std::vector<Outcome>& outcomes);

// What ties are broken by: the opponents' average rating, and 500 more for winning everything (less
// for losing everything). Without matches 0. Rounded to the nearest.
int ArenaPerformance(const std::vector<int>& opponent_ratings, int wins, int losses);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_ARENA_H_
