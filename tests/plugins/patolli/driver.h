// Helpers to play Patolli through the C table, as the host does: nothing here knows how a position
// is laid out. Failures end the current test's function through GoogleTest's fatal checks.
#ifndef ASTRAGAL_TESTS_PLUGINS_PATOLLI_DRIVER_H_
#define ASTRAGAL_TESTS_PLUGINS_PATOLLI_DRIVER_H_

#include <astragal/ruleset.h>

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace astragal::patolli_test {

// The table of the ruleset, linked in.
const astragal_ruleset& Table();

struct Bytes {
  alignas(8) std::array<unsigned char, 128> data{};
  void* get() { return data.data(); }
  const void* get() const { return data.data(); }
  bool operator==(const Bytes&) const = default;
};

using OptionMap = std::map<std::string, std::string>;

// Option values in declared order; names and values as a player writes them.
std::vector<int64_t> OptionValues(const OptionMap& chosen);
std::vector<int64_t> PresetValues(const std::string& preset);

Bytes Start(const std::vector<int64_t>& values);
Bytes FromText(const std::string& text);       // fails the test if it is refused
std::string Refusal(const std::string& text);  // why a position text is refused; "" if it is not
std::string ToText(const Bytes& position);
std::string Board(const Bytes& position);

std::vector<int64_t> Actions(const Bytes& position);
std::string Notation(const Bytes& position, int actor, int64_t action);
std::vector<std::string> Moves(const Bytes& position);  // notation of all legal actions

// Number of the throw outcome that scores `score`, as an action of chance.
int64_t ThrowOf(int score);
Bytes Throw(const Bytes& position, int score);
Bytes Play(const Bytes& position, const std::string& notation);
std::string PlayRefusal(const Bytes& position, const std::string& notation);
Bytes Apply(const Bytes& position, int actor, int64_t action);

// Effects in words, one per effect: "throw red 3", "move red 12>15", "capture green 15",
// "pay red 1 pot", "take red 1", "pass red", "extra red", "finish red 1", "turn green".
std::vector<std::string> EffectsOf(const Bytes& position, int actor, int64_t action);
std::vector<std::string> ThrowEffects(const Bytes& position, int score);
std::vector<std::string> PlayEffects(const Bytes& position, const std::string& notation);

int64_t Counter(const Bytes& position, const std::string& name, int seat);
std::vector<astragal_piece> Pieces(const Bytes& position);

// Draws an outcome of the throw kind that is thrown now.
int64_t DrawThrow(const Bytes& position, std::mt19937_64& random);

// One random step: a throw or a random legal action. Returns (actor, action).
std::pair<int, int64_t> RandomStep(Bytes& position, std::mt19937_64& random);

// Values drawn at random for every option that fit together.
std::vector<int64_t> RandomOptions(std::mt19937_64& random);

// A whole number from the environment, for campaigns.
uint64_t FromEnvironment(const char* name, uint64_t otherwise);

}  // namespace astragal::patolli_test

#endif  // ASTRAGAL_TESTS_PLUGINS_PATOLLI_DRIVER_H_
