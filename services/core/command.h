// What players, and the clock, ask of a game, and the judging of it: a command and a state give
// either a reason why not, or a plan of events. Nothing is stored here and nothing is changed: the
// plan works on a draft. Pure functions; any thread may call them.
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

// Most actions of one call, and of one turn that is kept open. A turn of the rulesets we know has
// at most eight.
inline constexpr size_t kMaxActionsPerCall = 64;
// Most events that one command may write (actions, then throws until a seat is to act again). A
// ruleset that wants more is at fault.
inline constexpr size_t kMaxEventsPerCommand = 1'024;
// How often a seat may take actions of one turn back, and how many offers may be made without an
// action between: a log that nobody plays on does not grow.
inline constexpr int kMaxUndosPerTurn = 64;
inline constexpr int kMaxOffersPerAction = 8;
// A game without clock that has stood still for so long may be claimed.
inline constexpr int64_t kClaimAfterMs = int64_t{14} * 24 * 3600 * 1000;

// An action by number or in notation.
using ActionChoice = std::variant<int64_t, std::string>;

struct Join {
  std::optional<int> seat;                       // unset: the first free one
  std::optional<Bytes32> pledge = std::nullopt;  // SHA-256 of its contribution to the dice
};
// What a seat adds to the dice: first the SHA-256 of it, and once pledges are closed, itself.
struct Pledge {
  Bytes32 hash{};
};
struct Contribute {
  std::string contribution;
};
// Gives the caller's seat back before the game has begun.
struct Leave {};
// Calls the game off: its creator while it waits for players, any seat before the first action.
struct Abort {};
struct Play {
  std::vector<ActionChoice> actions;
  bool end_turn = true;  // false: no throw is made yet, and the actions may be taken back
};
// Takes back the last actions of the unfinished turn.
struct Undo {
  int count = 1;
};
struct EndTurn {};
struct MakeOffer {
  storage::OfferKind kind = storage::OfferKind::kDraw;
  int64_t points = 0;  // with kResign
};
// Accepts or declines the open offer; its own seat withdraws it by declining.
struct AnswerOffer {
  bool accept = false;
};
// Gives up the most that could be lost.
struct Resign {};
// The seat to act has run out of time, or has let a game without clock stand still for long.
struct Claim {};
// The server itself looks at the deadline.
struct Expire {};

struct Command {
  PlayerId player;  // nil: the server itself
  RequestId request;
  Bytes32 body_hash{};  // over everything the caller asked for
  std::optional<uint32_t> expected_sequence;
  bool validate_only = false;
  Instant arrived_at;  // when this process got it; a turn ends then. Zero: when it is judged
  std::variant<Join, Leave, Abort, Play, Undo, EndTurn, MakeOffer, AnswerOffer, Resign, Claim,
               Expire, Pledge, Contribute>
      what;
};

// Everything a new game is made of.
struct NewGame {
  storage::GameFacts facts;           // complete, sealed secret included
  std::vector<PlayerId> players;      // who sits where from the start; nil or missing: free
  bool invite_contributions = false;  // wait for them even if no seat has pledged
  RequestId request;
  Bytes32 body_hash{};
};

// Events that a command would write, and the game after them.
struct Plan {
  GameState after;
  std::vector<EventView> events;
};

// Counts what was played, as the ruleset's usage, once the plan is stored.
void CountPlay(const Plan& plan);

// The events of a creation: created, seated, and started if all seats are taken. BAD_OPTION,
// BAD_FIELD.
absl::StatusOr<Plan> PlanCreation(const NewGame& game, std::shared_ptr<const host::Ruleset> ruleset,
                                  const algorithms::DiceSource& dice);

// Judges `command` in `state` at `now`. `dice` draws the throws that follow. `credit_us` is time
// of the running turn in which no server was there to be played with: it is given back first.
// `measured_lag_us` is the network's, to the player whose clock runs and back: his next action is
// given back what LagCredit says of it, and his deadline waits as long.
absl::StatusOr<Plan> PlanCommand(const GameState& state, const Command& command,
                                 const algorithms::DiceSource& dice, Instant now,
                                 int64_t credit_us = 0, int64_t measured_lag_us = 0);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_COMMAND_H_
