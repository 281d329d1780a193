// What players ask of a game, and the judging of it: a command and a state give either a reason why
// not, or a plan of events. Nothing is stored here and nothing is changed: the plan works on a
// draft. Pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_CORE_COMMAND_H_
#define ASTRAGAL_SERVICES_CORE_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "services/algorithms/dice.h"
#include "services/core/game_state.h"

namespace astragal::core {

// Most actions of one call. A turn of the rulesets we know has at most eight.
inline constexpr size_t kMaxActionsPerCall = 64;
// Most events that one command may write (actions, then throws until a seat is to act again). A
// ruleset that wants more is at fault.
inline constexpr size_t kMaxEventsPerCommand = 1'024;

// An action by number or in notation.
using ActionChoice = std::variant<int64_t, std::string>;

struct Join {
  std::optional<int> seat;  // unset: the first free one
};
struct Play {
  std::vector<ActionChoice> actions;
};
struct Resign {};

struct Command {
  PlayerId player;
  RequestId request;
  Bytes32 body_hash{};  // over everything the caller asked for
  std::optional<uint32_t> expected_sequence;
  bool validate_only = false;
  std::variant<Join, Play, Resign> what;
};

// Everything a new game is made of.
struct NewGame {
  storage::GameFacts facts;  // complete, sealed secret included
  std::optional<int> creator_seat;
  RequestId request;
  Bytes32 body_hash{};
};

// Events that a command would write, and the game after them.
struct Plan {
  GameState after;
  std::vector<EventView> events;
};

// The events of a creation: created, perhaps seated. BAD_OPTION, BAD_FIELD.
absl::StatusOr<Plan> PlanCreation(const NewGame& game,
                                  std::shared_ptr<const host::Ruleset> ruleset);

// Judges `command` in `state` at `now`. `dice` draws the throws that follow.
absl::StatusOr<Plan> PlanCommand(const GameState& state, const Command& command,
                                 const algorithms::DiceSource& dice, Instant now);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_COMMAND_H_
