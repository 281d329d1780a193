// The options of Long Narde: order, names of the values, and what they mean to the rules.
#ifndef ASTRAGAL_PLUGINS_LONG_NARDE_OPTIONS_H_
#define ASTRAGAL_PLUGINS_LONG_NARDE_OPTIONS_H_

#include <astragal/ruleset.h>

#include <cstdint>

namespace astragal::long_narde {

enum Option : uint32_t {
  kHeadFirstTurn,
  kPrimeRule,
  kPrimeCheck,
  kScoring,
  kLastRoll,
  kFirstPlayer,
  kOptionCount
};

enum HeadFirstTurn : uint8_t { kAnyRoll, kDoubles346, kDoubles46, kAnyDouble, kNoRoll };
enum PrimeRule : uint8_t { kOpponentAhead, kOpponentHome, kNever, kNoPrimeRule };
enum PrimeCheck : uint8_t { kEachStep, kTurnEnd };
enum Scoring : uint8_t { kMars, kMarsKoks, kWinOnly };
enum LastRoll : uint8_t { kNoLastRoll, kSecondPlayer };
enum FirstPlayer : uint8_t { kRollOff, kWhiteBegins, kBlackBegins };

extern const astragal_option kOptions[kOptionCount];

// Whether two checkers may leave the head on a first turn with this roll.
bool AllowsTwoFromHead(uint8_t head_first_turn, int high, int low);

}  // namespace astragal::long_narde

#endif  // ASTRAGAL_PLUGINS_LONG_NARDE_OPTIONS_H_
