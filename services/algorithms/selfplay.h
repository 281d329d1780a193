// Whole games of bots at full speed without a server, and what came of them.
//
// A pure function of its arguments: the same seed gives the same games. Any thread may call it.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_SELFPLAY_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_SELFPLAY_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "plugins/host/ruleset.h"

namespace astragal::algorithms {

struct SelfPlay {
  std::vector<int64_t> options;   // of the ruleset, in declared order
  std::vector<std::string> bots;  // one per seat, or one for all
  uint64_t games = 100;
  uint64_t seed = 1;
  // Game k gives bot i the seat (i + k) mod seats, so that no bot owes anything to its seat.
  bool rotate_seats = true;
  // Called after each game with how many are done; may be empty.
  std::function<void(uint64_t)> progress;
};

struct SelfPlayReport {
  uint64_t games = 0;
  uint64_t draws = 0;                  // games in which no seat was first alone
  std::vector<uint64_t> wins_by_seat;  // alone in first place
  std::vector<uint64_t> wins_by_bot;   // in the order of SelfPlay::bots, filled up to the seats
  uint64_t wins_of_first_mover = 0;    // the seat that acted first in its game
  std::vector<uint64_t> points_by_bot;
  uint64_t actions = 0;
  uint64_t throws = 0;
  uint64_t shortest = 0;  // actions and throws of a game
  uint64_t longest = 0;
  // How often each outcome of each throw kind came.
  std::vector<std::vector<uint64_t>> outcomes;
};

// BAD_OPTION; INVALID_ARGUMENT for an unknown bot or a wrong number of them; RULESET_FAULT.
absl::StatusOr<SelfPlayReport> RunSelfPlay(const host::Ruleset& ruleset, const SelfPlay& play);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_SELFPLAY_H_
