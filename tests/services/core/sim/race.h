// Two small rulesets for the tests of core, linked in: `race` ends when a seat gives up, `relay`
// goes on with those who are left.
//
// Runners walk a track of `length` steps. A die of 1 to 3 (weights 1, 2, 1) is thrown, then the
// seat to act takes two actions: walk 1 up to the die's steps, or rest, which is legal as the
// second action only. Who reaches the end has won: two points, each other seat none. The option
// `trouble` makes the rules misbehave.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_SIM_RACE_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_SIM_RACE_H_

#include <memory>
#include <string>

#include "plugins/host/catalog.h"
#include "plugins/host/ruleset.h"

namespace astragal::tests {

// Actions: number of steps, 0 is rest. In notation "walk 2" and "rest".
inline constexpr int64_t kRest = 0;

// `build`: the hash of the library file that the ruleset pretends to be, 64 hexadecimal digits.
std::shared_ptr<const host::Ruleset> MakeRace(const std::string& build = std::string(64, 'a'));
std::shared_ptr<const host::Ruleset> MakeRelay(const std::string& build = std::string(64, 'b'));

// What another build of the race does otherwise. Of everything else it is the race.
enum class Oddness {
  kBytes,   // nothing but bytes of its position
  kActor,   // the other seat acts, once the runners have walked three steps together
  kLegal,   // nobody may rest
  kResult,  // the winner gets three points
  kText,    // the first runner looks tired after two steps
  kApply,   // it says that the sixth step is legal, and refuses it
};
std::shared_ptr<const host::Ruleset> MakeOddRace(Oddness oddness);

// A catalog with one build of both.
std::unique_ptr<host::Catalog> MakeCatalog();

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_SIM_RACE_H_
