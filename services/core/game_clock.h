// The clocks of a game: a pure fold over its log, so that anybody can check who lost on time.
//
// A seat's clock runs from the event after which it is to act until the event after which it is
// not: one such spell is a turn. Throws and forced passes are made by the server in the same
// instant, so they take nobody's time. What a turn costs is decided when it ends, by the game's
// policy (storage::ClockPolicy); the kinds are those of tournaments with dice: simple delay,
// Bronstein, Fischer, and a limit for each turn. A seat's first turn may be free within a window;
// whoever lets that pass has not begun the game.
//
// What the network took of a turn is given back within bounds (LagCredit): as much as the server
// measured between itself and the player, at most a second a turn and half a minute a game, and
// never more than the turn would have cost. It is written into the action that it was given for, so
// that whoever folds the log sees the same clocks.
//
// Times are microseconds of the database's clock. Pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_CORE_GAME_CLOCK_H_
#define ASTRAGAL_SERVICES_CORE_GAME_CLOCK_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "storage/records.h"

namespace astragal::core {

struct GameClock {
  std::vector<int64_t> reserve_us;  // what each seat had left when its clock last stopped
  uint8_t turns_taken = 0;          // bit for each seat that has ended a turn
  int8_t running = -1;              // seat whose clock runs; -1: none
  base::Instant since;              // when it began to
  int64_t credit_us = 0;            // of this turn that is not counted
  int64_t turn_lag_us = 0;          // part of it: given back for the network
  std::vector<int64_t> lag_us;      // given back so to each seat so far; empty: to none

  friend bool operator==(const GameClock&, const GameClock&) = default;
};

// What a clock shows.
struct ClockReading {
  int64_t reserve_us = 0;  // left for all turns; 0 with a limit for each turn
  int64_t turn_us = 0;     // left for this turn before the reserve runs, or at all
};

// BAD_FIELD naming the field of the policy that is out of bounds.
absl::Status CheckClockPolicy(const storage::ClockPolicy& policy);
inline constexpr int64_t kMaxReserveMs = int64_t{30} * 24 * 3600 * 1000;
inline constexpr int64_t kMaxIncrementMs = int64_t{30} * 24 * 3600 * 1000;
inline constexpr int64_t kMaxFirstTurnMs = int64_t{24} * 3600 * 1000;

// All clocks of a game that begins.
GameClock NewClock(const storage::GameTerms& terms, size_t seats);
// The turn of the running seat ends at `at`: its cost is taken from the reserve.
void StopClock(const storage::ClockPolicy& policy, GameClock& clock, base::Instant at);
void RunClock(GameClock& clock, int seat, base::Instant at);

// What seat's clock shows at `at`; both parts at least 0.
ClockReading ReadClock(const storage::ClockPolicy& policy, const GameClock& clock, int seat,
                       base::Instant at);
// All clocks of a game at one moment.
struct ClockFace {
  std::vector<ClockReading> seats;
  int running = -1;                       // seat whose clock runs; -1: none
  std::optional<base::Instant> deadline;  // when its time is up
};
ClockFace FaceOf(const storage::ClockPolicy& policy, const GameClock& clock, base::Instant at);
// When the running seat's time is up; nullopt: never.
std::optional<base::Instant> DeadlineOf(const storage::ClockPolicy& policy, const GameClock& clock);
// Of a turn's cost, and of a game's, that may be given back for the network.
inline constexpr int64_t kMaxTurnLagUs = 1'000'000;
inline constexpr int64_t kMaxGameLagUs = 30'000'000;
// What the running seat is given back at `at` when the network takes it `measured_us` there and
// back.
int64_t LagCredit(const storage::ClockPolicy& policy, const GameClock& clock, int64_t measured_us,
                  base::Instant at);
// Gives it back: `credit_us` of the running turn is not counted.
void GiveLagBack(GameClock& clock, int64_t credit_us);
// Whether the running seat is in the free window of its first turn.
bool InFirstTurn(const storage::ClockPolicy& policy, const GameClock& clock);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_GAME_CLOCK_H_
