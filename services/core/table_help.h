// Whether somebody's choices at tables of three and four help one of the others: how often an
// action cost himself something and made one of them better off than all the others, by the
// ruleset's own estimate of each seat's chance.
//
// If costly choices fall to the others by chance, each of k of them is the one helped most in one
// of k; who is so more often by far is worth a look at the games. A statistic and no verdict: the
// estimate is a rough one, and a blunder may be that of a beginner.
#ifndef ASTRAGAL_SERVICES_CORE_TABLE_HELP_H_
#define ASTRAGAL_SERVICES_CORE_TABLE_HELP_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "services/core/game_state.h"
#include "services/core/world.h"

namespace astragal::core {

// What the costly choices of one player did for one of the others. Costs and gains are thousandths
// of a chance to win.
struct HelpGiven {
  PlayerId player;
  int32_t matches = 0;  // with both
  int64_t costly = 0;   // after which one of the others was helped more than all the rest
  int64_t helped = 0;   // it was this one
  double expected = 0;  // if it had been each of them equally often
  double variance = 0;
  double cost = 0;  // of those that helped this one
  double gain = 0;

  // In standard deviations; 0 without choices.
  double Surprise() const;
};

struct TableHelp {
  int32_t matches = 0;
  int32_t games = 0;
  int64_t choices = 0;            // between at least two actions
  int64_t costly = 0;             // of them, by kCostly or more
  bool cut_short = false;         // not everything could be looked at
  std::vector<HelpGiven> others;  // the most surprising first
};

// Counts up one player's choices, game by game. One thread at a time.
class HelpTally {
 public:
  // What an action costs at least to be called costly: less is within the error of an estimate.
  static constexpr int kCostly = 20;
  // Estimates of one tally: a few seconds of work.
  static constexpr int64_t kMaxEstimates = 4'000'000;

  explicit HelpTally(PlayerId player, int64_t estimates = kMaxEstimates)
      : player_(player), left_(estimates) {}

  // The games that follow are of a match with these players.
  void BeginMatch(absl::Span<const PlayerId> players);
  // Adds a game that is over (blocks on the store). A game that cannot be replayed is left out, and
  // so is what comes after the last estimate; STORE_UNAVAILABLE.
  absl::Status Add(const World& world, GameId game);
  // One choice of `seat`, between what is legal in `before`. False: too many estimates were made,
  // or the ruleset has none.
  bool Add(const host::Ruleset& ruleset, const host::Position& before,
           absl::Span<const SeatRecord> seats, int seat, int64_t action);

  // So far.
  TableHelp Sum() const;

 private:
  HelpGiven& Of(PlayerId player);
  void Help(absl::Span<const SeatRecord> seats, int seat, absl::Span<const int> gains, int cost);

  const PlayerId player_;
  int64_t left_;
  TableHelp sum_;
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TABLE_HELP_H_
