// Players for free, for any ruleset: they know nothing but what the ruleset says.
//
// A Bot picks one action in a position where a seat is to act. It owns its own random state and the
// rest of the turn that it decided on, and is used by one thread at a time.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_BOTS_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_BOTS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "plugins/host/ruleset.h"

namespace astragal::algorithms {

// A small, fast generator for play that nobody has to trust (splitmix64): dice of real games come
// from dice.h.
class PlayRandom {
 public:
  explicit PlayRandom(uint64_t seed) : state_(seed) {}
  uint64_t Next();
  // 0 .. below - 1; below >= 1.
  uint64_t Below(uint64_t below);

 private:
  uint64_t state_;
};

class Bot {
 public:
  virtual ~Bot() = default;
  virtual std::string_view name() const = 0;
  // A legal action of the seat to act. RULESET_FAULT when the plugin breaks its contract.
  virtual absl::StatusOr<int64_t> Choose(const host::Ruleset& ruleset,
                                         const host::Position& position) = 0;
};

// What MakeBot knows, the weakest first.
const std::vector<std::string>& BotNames();

// "random": any legal action. "greedy": the whole turn whose end the ruleset's evaluate likes best.
// "expectimax": of the few turns that greedy likes best, the one that is best on average over every
// throw and reply (lookahead.h). Both of the latter play at random when the ruleset has no
// evaluate. "greedy@60" decides like greedy in 60 of 100 actions, by chance, and at random else:
// bots of any strength in between. INVALID_ARGUMENT for an unknown name.
absl::StatusOr<std::unique_ptr<Bot>> MakeBot(std::string_view name, uint64_t seed);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_BOTS_H_
