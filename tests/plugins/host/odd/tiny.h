// The small good ruleset that odd plugins spoil; see tiny.cc for its rules.
#ifndef ASTRAGAL_TESTS_PLUGINS_HOST_ODD_TINY_H_
#define ASTRAGAL_TESTS_PLUGINS_HOST_ODD_TINY_H_

#include <astragal/ruleset.h>

// Offsets into a position of the tiny ruleset, for plugins that damage one.
enum {
  kTinyLength = 0,
  kTinyStakes = 1,
  kTinyFirst = 2,
  kTinyActor = 3,
  kTinyThrown = 4,
  kTinyTurns = 5,
  kTinyPieces = 6,  // 2 for each seat, ascending; 0 hand, `length` off the board
  kTinyCoins = 10,  // 1 for each seat
  kTinyPot = 12,
  kTinySize = 16,
};

// The adapter's table for it.
const astragal_ruleset* TinyTable();

#endif  // ASTRAGAL_TESTS_PLUGINS_HOST_ODD_TINY_H_
