// Which steps may be played now: rules 3 to 9 of Long Narde, without anything else of a game.
//
// A Side is the mover's view of the board in its own indices. Plan() answers with two sets of
// points: those from which the high and the low die may be played next. A point is in a set if and
// only if the step begins at least one complete turn (most dice used; the higher one if only one
// can be; or the last checker borne off). Both sets are empty when nothing can be played.
//
// Pure functions without allocation. The worst case is a double that must be searched to the end:
// positions are told apart by the set of points that were played from, in whatever order, so at
// most 300 of them are looked at beyond the first step (see turn.cc).
#ifndef ASTRAGAL_PLUGINS_LONG_NARDE_TURN_H_
#define ASTRAGAL_PLUGINS_LONG_NARDE_TURN_H_

#include <cstdint>

#include "plugins/long_narde/route.h"

namespace astragal::long_narde {

struct Side {
  uint32_t own = 0;    // points that the mover holds
  uint32_t enemy = 0;  // points that the enemy holds, in the mover's indices
  uint32_t windows =
      0;              // first points (enemy's indices) of the six-point blocks that are forbidden
  int on_board = 0;   // the mover's checkers that are not off
  int head_left = 0;  // checkers that may still leave the head in this turn
  bool judged_at_end = false;  // a forbidden block may stand inside the turn
  uint8_t count[kPoints] = {};
};

// Dice still to be played: `high_left` times `high`, `low_left` times `low`, high >= low.
// A double is high_left = 4, low_left = 0.
struct Dice {
  int high = 0;
  int low = 0;
  int high_left = 0;
  int low_left = 0;
};

struct Steps {
  uint32_t high = 0;
  uint32_t low = 0;
  bool Empty() const { return (high | low) == 0; }
};

Steps Plan(const Side& side, const Dice& dice);

// The forbidden blocks of `prime_rule` against an enemy that holds `enemy_own` (its own indices)
// and has borne off `enemy_off` checkers.
uint32_t ForbiddenWindows(uint8_t prime_rule, uint32_t enemy_own, int enemy_off);

}  // namespace astragal::long_narde

#endif  // ASTRAGAL_PLUGINS_LONG_NARDE_TURN_H_
