// The rules in pieces, for those parts of this room that look at single moves: notation, the check
// of positions and the estimate. Pure functions, any thread; positions are valid ones.
#ifndef ASTRAGAL_PLUGINS_PATOLLI_RULES_H_
#define ASTRAGAL_PLUGINS_PATOLLI_RULES_H_

#include <cstdint>

#include "plugins/patolli/action.h"
#include "plugins/patolli/position.h"

namespace astragal::patolli {

// Own indices (1..59) on which a piece of `seat` that runs in `direction` may land.
uint64_t LandableMask(const Position& position, int seat, int direction);

// The other side's pieces as own indices of a side that runs in `direction`.
uint64_t EnemyMask(const Position& position, int seat, int direction);

// True if the rules let `seat` bring a piece in with this score, wherever it would land.
bool MayEnter(const Position& position, int seat, int score);

// True if `seat` has a legal move with this score (1..4 or 10).
bool CanMove(const Position& position, int seat, int score);

// True if `move` takes an enemy piece in this position.
bool IsCapture(const Position& position, int seat, const Move& move);

// What `seat` can still pay.
int32_t FundsOf(const Position& position, int seat);

const char* SeatName(int seat);            // "Red", "Green"
const char* DirectionName(int direction);  // "anticlockwise", "clockwise", "undecided"

}  // namespace astragal::patolli

#endif  // ASTRAGAL_PLUGINS_PATOLLI_RULES_H_
