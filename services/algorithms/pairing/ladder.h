// Ladders: who may challenge whom, and what a result does to the places. Pure.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_LADDER_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_LADDER_H_

#include <vector>

namespace astragal::algorithms {

// Players from the top; the caller's numbers.
using Ladder = std::vector<int>;

// What happens when the challenger wins, or the challenge is declined or called off (which counts
// as lost, or people would sit on their places).
enum class LadderMove { kSwap, kAbove };  // the two change places; the winner goes directly above

// Whether somebody at this place (0 is the top) may challenge that one: upwards, by at most a tenth
// of the ladder or ten places, whichever is more.
bool MayChallenge(const Ladder& ladder, int challenger_place, int place);

void ChallengeWon(Ladder& ladder, int challenger_place, int place, LadderMove move);

// Days without a match: from 30 on down by a tenth of the ladder (at least a place), from 60 on off
// the ladder. To be called once for each of the two.
void Inactive(Ladder& ladder, int place, int days);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_LADDER_H_
