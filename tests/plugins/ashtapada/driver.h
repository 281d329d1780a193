// Helpers to play Ashtapada through the C table, as the host does. Positions are still typed, so
// that tests can look inside. What is refused where a helper expects success ends the program with
// the refusal.
#ifndef ASTRAGAL_TESTS_PLUGINS_ASHTAPADA_DRIVER_H_
#define ASTRAGAL_TESTS_PLUGINS_ASHTAPADA_DRIVER_H_

#include <astragal/ruleset.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada_test {

using ashtapada::Position;
using Random = std::mt19937_64;
using OptionMap = std::map<std::string, std::string>;

// The table of the ruleset, linked in.
const astragal_ruleset& Table();

struct Aligned {
  alignas(8) Position position;
};

// Option values in declared order; names and values as a player writes them.
std::vector<int64_t> OptionValues(const OptionMap& chosen);
std::vector<int64_t> PresetValues(const std::string& preset);
std::string OptionsText(const std::vector<int64_t>& values);
// Values drawn at random for every option that fit together.
std::vector<int64_t> RandomOptions(Random& random);

Position Start(const std::vector<int64_t>& values);
std::string StartRefusal(const OptionMap& chosen);  // "field: message", "" when it is accepted
Position FromText(const std::string& text);
std::string TextRefusal(const std::string& text);  // "field: message", "" when it is accepted
std::string ToText(const Position& position);
std::string Board(const Position& position);
bool IsPosition(const Position& position);

std::vector<int64_t> Actions(const Position& position);
std::string Notation(const Position& position, int actor, int64_t action);
std::vector<std::string> Moves(const Position& position);  // notation of all legal actions

// "" and the position changed, or why not and the position as it was.
std::string TryApply(Position& position, int actor, int64_t action);
Position Apply(const Position& position, int actor, int64_t action);
int64_t Parse(const Position& position, int actor, const std::string& text);
std::string ParseRefusal(const Position& position, int actor, const std::string& text);
Position Play(const Position& position, const std::string& notation);
std::string PlayRefusal(const Position& position, const std::string& notation);
// A throw of 1, 2, 3, 4 or 8, or several.
int64_t ThrowOf(const Position& position, int value);
Position Throw(const Position& position, const std::vector<int>& values);
Position Leave(const Position& position, int seat);

// Effects in words: "throw south 3", "move south G4>G3", "capture north H7", "turn north", ...
std::vector<std::string> EffectsOf(const Position& position, int actor, int64_t action);
std::vector<std::string> PlayEffects(const Position& position, const std::string& notation);
std::vector<std::string> ThrowEffects(const Position& position, int value);
// Labels of places by id: "H7", "south hand".
std::string PlaceName(const Position& position, int id);

std::vector<astragal_seat_result> Results(const Position& position);
std::vector<int> Places(const Position& position);

// Draws an outcome of the throw kind that is thrown now.
int64_t DrawThrow(const Position& position, Random& random);
// One random step, a throw or a legal action; returns the actor and the action.
std::pair<int, int64_t> RandomStep(Position& position, Random& random);

// A whole number from the environment, for campaigns.
uint64_t FromEnvironment(const char* name, uint64_t otherwise);

}  // namespace astragal::ashtapada_test

#endif  // ASTRAGAL_TESTS_PLUGINS_ASHTAPADA_DRIVER_H_
