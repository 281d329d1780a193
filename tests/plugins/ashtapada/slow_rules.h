// Ashtapada once more, slow and obvious: lists and loops written from the rule sheet alone, sharing
// no code and no representation with the plugin. The tests compare the two.
#ifndef ASTRAGAL_TESTS_PLUGINS_ASHTAPADA_SLOW_RULES_H_
#define ASTRAGAL_TESTS_PLUGINS_ASHTAPADA_SLOW_RULES_H_

#include <map>
#include <string>
#include <vector>

#include "tests/plugins/ashtapada/driver.h"

namespace astragal::ashtapada_test {

struct SlowPiece {
  int index = -1;  // own index, -1 in hand, 60 keep, 61 borne off
  bool moved = false;
  auto operator<=>(const SlowPiece&) const = default;
};

// A position in the action phase.
struct SlowGame {
  std::map<std::string, std::string> options;
  std::vector<std::string> seats;  // in the order of play, those that have left not included
  std::map<std::string, std::vector<SlowPiece>> pieces;
  std::string turn;
  std::vector<int> left;
  bool acted = false;
  bool captured = false;
  // Set when the turn or the game has ended.
  std::string winner;
};

SlowGame Observe(const Position& position);

struct SlowAction {
  std::string name;  // as the plugin writes it, own index instead of the square: "41 twins 1+2"
  int throws_used = 0;
  SlowGame after;  // before anything that follows without a decision
};

// All actions of the seat to act but stopping. Under forgo=none every line of play is tried.
std::vector<SlowAction> SlowActions(const SlowGame& game);

// The most throws that can be used from here.
int SlowMostThrows(const SlowGame& game);

// What remains of a series of throws (rule 3).
std::vector<int> SlowSeries(const SlowGame& before, const std::vector<int>& throws);

// Who throws or acts after `game` was reached by an action: "" the game is over.
std::string SlowNext(const SlowGame& game);

}  // namespace astragal::ashtapada_test

#endif  // ASTRAGAL_TESTS_PLUGINS_ASHTAPADA_SLOW_RULES_H_
