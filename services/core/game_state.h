// A game as its log says it is: the fold over events that everything else leans on.
//
// GameState is a plain value; copying it makes the draft that a command works on. It is made from
// the first event on (StartState, then Advance for each event) or from the stored head, which
// caches the same fold (FromStored). Play, replay, watching and verification all go through
// Advance, so they cannot disagree. Pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_CORE_GAME_STATE_H_
#define ASTRAGAL_SERVICES_CORE_GAME_STATE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "plugins/host/ruleset.h"
#include "services/algorithms/dice.h"
#include "services/core/event.h"
#include "services/core/proceedings.h"
#include "storage/records.h"

namespace astragal::core {

struct GameState {
  std::shared_ptr<const storage::GameFacts> facts;
  std::shared_ptr<const host::Ruleset> ruleset;
  std::string build;  // that wrote the last event
  uint32_t sequence = 0;
  uint32_t changed_sequence = 0;  // last event that changed position, seats to act or status
  Bytes32 chain_hash{};
  GameStatus status = GameStatus::kOpen;
  Ending ending = Ending::kNone;
  host::Position position;
  std::vector<SeatRecord> seats;
  uint32_t throws_drawn = 0;
  Proceedings proceedings;
  Instant updated_at;

  // Seat to act, host::kChance or host::kOver; host::kChance while the game is open. A seat that
  // keeps its turn open is to act.
  int Actor() const;
  // False for a seat that resigned or lost on time.
  bool IsIn(int seat) const { return (proceedings.gone >> seat & 1) == 0; }
  // The seat this player holds; the nil player holds none.
  std::optional<int> SeatOf(PlayerId player) const;
  bool IsFull() const;
  // Not begun: players, or what they add to the dice, are awaited.
  bool IsBefore() const {
    return status == GameStatus::kOpen || status == GameStatus::kContributing;
  }
  // It has ended, with or without a result.
  bool IsOver() const { return status == GameStatus::kFinished || status == GameStatus::kAborted; }
};

// Whether a game exists for this player (nil: somebody unknown).
bool MaySee(const storage::GameFacts& facts, const std::vector<SeatRecord>& seats, PlayerId viewer);
// NOT_FOUND.
absl::Status NoSuchGame();

// An event with what it meant in its position: derived, never stored.
struct EventView {
  EventRecord record;
  std::shared_ptr<const host::Ruleset> ruleset;
  std::string notation;               // of a throw or action
  std::vector<host::Effect> effects;  // of a throw or action
  std::string position_text;          // of kCreated: the first position
  ClockFace clocks;                   // after the event; no seats without clocks
};

// The state before the first event. BAD_OPTION when the ruleset refuses the options.
absl::StatusOr<GameState> StartState(storage::GameFacts facts,
                                     std::shared_ptr<const host::Ruleset> ruleset);

// The state that the stored head caches; `last` is the event at head.sequence. DATA_LOSS /
// REPLAY_MISMATCH when head, position and event do not belong together.
absl::StatusOr<GameState> FromStored(storage::StoredGame stored, const EventRecord& last,
                                     std::shared_ptr<const host::Ruleset> ruleset);
storage::GameHead HeadOf(const GameState& state);

// What fixes the throws of the game as it stands: its secret, and what the seats have added.
algorithms::DiceSource DiceOf(const GameState& state, const Bytes32& secret);

// How long a game waits for its seats to be taken.
inline constexpr int64_t kOpenForMs = int64_t{14} * 24 * 3600 * 1000;
// When the service must look at the game by itself: a clock runs out, or nobody came. nullopt:
// never.
std::optional<Instant> DeadlineOf(const GameState& state);
// The same, and as much later as is given back to the running seat for the network.
std::optional<Instant> DueAt(const GameState& state, int64_t measured_lag_us);
// Whose clock runs; nil: nobody's.
PlayerId PlayerOnClock(const GameState& state);

// Makes the event the next one: fills in its game, sequence and hashes, and changes the state. On
// failure (the ruleset's reason) the state may be half changed: work on a copy.
absl::Status Append(GameState& state, EventRecord& event);

// Follows a stored event and compares every hash. DATA_LOSS / REPLAY_MISMATCH names the sequence.
absl::Status Advance(GameState& state, const EventRecord& event);

// What `event` means, seen from the position before it; `after` is the game with it. Only for
// events that are legal there: a ruleset need not make sense of others, so Append or Advance comes
// first.
absl::StatusOr<EventView> ViewOf(const host::Position& before, const GameState& after,
                                 const EventRecord& event);
// Advance, then ViewOf.
absl::StatusOr<EventView> AdvanceAndView(GameState& state, const EventRecord& event);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_GAME_STATE_H_
