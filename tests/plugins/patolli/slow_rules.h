// Patolli once more, slow and obvious: lists and loops written from the rule sheet alone, sharing
// no code and no representation with the plugin. The tests compare the two.
#ifndef ASTRAGAL_TESTS_PLUGINS_PATOLLI_SLOW_RULES_H_
#define ASTRAGAL_TESTS_PLUGINS_PATOLLI_SLOW_RULES_H_

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "tests/plugins/patolli/driver.h"

namespace astragal::patolli_test {

struct SlowSide {
  int direction = 0;
  int hand = 6;
  int off = 0;
  long coins = 0;
  std::vector<int> squares;  // of its pieces on the track, ascending
  bool operator==(const SlowSide&) const = default;
};

struct SlowGame {
  std::map<std::string, long> number;       // options that are numbers
  std::map<std::string, std::string> word;  // options that are names
  SlowSide side[2];
  long pot = 0;
  int to_throw = 0;  // whose throw is next; -1: the game is over
  bool operator==(const SlowGame&) const = default;
};

// For the messages of failing tests.
void PrintTo(const SlowGame& game, std::ostream* out);

// What the C table shows of a position in which somebody throws, or which is over.
SlowGame Observe(const Bytes& position);

struct SlowOutcome {
  std::string notation;  // empty: nothing could be played
  SlowGame after;
};

// All that can follow when the side to throw scores `score`.
std::vector<SlowOutcome> Outcomes(const SlowGame& game, int score);

}  // namespace astragal::patolli_test

#endif  // ASTRAGAL_TESTS_PLUGINS_PATOLLI_SLOW_RULES_H_
