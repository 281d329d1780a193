// Knock-out brackets: single, double with reset, consolation, last chance, a match for third place.
//
// A bracket is a plan and results. The plan is a graph of matches made once: a slot is a seed, the
// winner or the loser of an earlier match, or empty. Its matches are grouped in stages; a stage is
// fed by the losers of another one, round by round, so that a loser of a late round enters late.
// The state is computed from plan, results and who is out, always from the beginning, so that a
// corrected result is just another input. Byes and walk-overs travel by themselves. Pure.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_ELIMINATION_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_ELIMINATION_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "services/algorithms/pairing/crosstable.h"

namespace astragal::algorithms {

enum class BracketStage : uint8_t {
  kMain,
  kLower,        // those with one loss
  kFinal,        // the winners of main and lower; its second match is the reset
  kThirdPlace,   // the losers of the semifinals
  kConsolation,  // losers of the main stage play on for a prize of their own
  kLastChance,   // and so do the losers of the consolation
};
// "main", "lower", "final", "third_place", "consolation", "last_chance".
std::string_view NameOf(BracketStage stage);

struct BracketOptions {
  bool lower = false;  // double elimination
  // Whether the undefeated finalist must be beaten twice (double elimination).
  bool reset = true;
  bool third_place = false;  // not with double elimination, which needs none
  // How many rounds of the main stage feed the consolation; 0: there is none. The last rounds never
  // do.
  int consolation_rounds = 0;
  // How many rounds of the consolation feed the last chance; 0: there is none.
  int last_chance_rounds = 0;
};

struct BracketSlot {
  enum class From : uint8_t { kEmpty, kSeed, kWinnerOf, kLoserOf };
  From from = From::kEmpty;
  int index = 0;  // of the entrant (0 is the first seed), or of the match
  bool operator==(const BracketSlot&) const = default;
};

struct BracketMatch {
  BracketStage stage = BracketStage::kMain;
  int round = 0;  // in its stage, from 0
  int board = 0;  // in its round, from 0
  std::array<BracketSlot, 2> slots;
  // The reset: played only if the match before it in the stage was won by its second slot.
  bool if_needed = false;
};

struct BracketPlan {
  int entrants = 0;
  BracketOptions options;
  // Each behind those that it takes players from.
  std::vector<BracketMatch> matches;
};

// Entrants are 0 (first seed) to entrants - 1, at least 2. Byes go to the top seeds.
BracketPlan PlanBracket(int entrants, const BracketOptions& options);

// Seeds in the order of the first round's slots: 0 7 3 4 1 6 2 5 for 8. A power of two.
std::vector<int> SeedOrder(int size);

enum class BracketResult : uint8_t { kOpen, kFirstWins, kSecondWins, kNobodyWins };

enum class MatchStatus : uint8_t {
  kWaiting,   // for earlier matches
  kReady,     // both are known
  kDecided,   // by a result
  kWalkOver,  // one was alone, or went out before there was a result
  kEmpty,     // nobody came, or a reset that is not needed
};

struct BracketMatchState {
  MatchStatus status = MatchStatus::kWaiting;
  std::array<int, 2> players = {kNobody, kNobody};  // entrants; kNobody: unknown or empty
  int winner = kNobody;
  int loser = kNobody;
};

struct BracketState {
  std::vector<BracketMatchState> matches;
  bool over = false;     // no match can become ready any more
  int winner = kNobody;  // of main, or of the final of a double elimination
  int consolation = kNobody;
  int last_chance = kNobody;
  // Given results that no longer have their players, and count as open.
  std::vector<int> dropped;
};

// `results` by match and `out` by entrant may be shorter than what they describe. An entrant that
// is out loses all matches without result. The players for whom a result was given are in `given`,
// by match; where they are there and others than the match now has, the result is dropped.
BracketState EvaluateBracket(const BracketPlan& plan, const std::vector<BracketResult>& results,
                             const std::vector<bool>& out = {},
                             const std::vector<std::array<int, 2>>& given = {});

// By entrant: the place reached, from 1; equal for all who went out in the same round (5 to 8 are
// all 5). 0 while still in. Consolations have places of their own and do not count.
std::vector<int> BracketPlaces(const BracketPlan& plan, const BracketState& state);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_ELIMINATION_H_
