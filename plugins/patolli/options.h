// The options of Patolli in their declared order, and the way between their values and the block
// `Rules` inside a position. Constant data and pure functions, any thread.
#ifndef ASTRAGAL_PLUGINS_PATOLLI_OPTIONS_H_
#define ASTRAGAL_PLUGINS_PATOLLI_OPTIONS_H_

#include <cstdint>
#include <span>

#include "plugins/patolli/position.h"

namespace astragal::patolli {

enum Option : uint32_t {
  kStartSquareOption,
  kEntryWhenEmptyOption,
  kMiddleAttackOption,
  kAttackPayeeOption,
  kWedgeAmountOption,
  kWedgePayeeOption,
  kWedgeRanksOption,
  kPenaltyOption,
  kBonusFromOption,
  kStakeOption,
  kPurseOption,
  kFirstPlayerOption,
  kOptionCount
};

// The declared options, kOptionCount of them.
std::span<const astragal_option> DeclaredOptions();

// Both spans hold kOptionCount values. RulesFrom refuses values outside of their bounds and a purse
// that cannot pay the stake; `error` then names the option.
bool RulesFrom(std::span<const int64_t> values, Rules& rules, sdk::Error& error);
void ValuesOf(const Rules& rules, std::span<int64_t> values);

}  // namespace astragal::patolli

#endif  // ASTRAGAL_PLUGINS_PATOLLI_OPTIONS_H_
