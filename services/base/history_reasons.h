// A reason word that only stored games give. It is in the one list of status.cc, behind those that
// status.h and tournament_reasons.h name.
#ifndef ASTRAGAL_SERVICES_BASE_HISTORY_REASONS_H_
#define ASTRAGAL_SERVICES_BASE_HISTORY_REASONS_H_

#include "services/base/status.h"
#include "services/base/tournament_reasons.h"

namespace astragal::base {

// The log of the game is in a file that an operator keeps; detail "archive" names it.
inline constexpr Reason kLogArchived{static_cast<int>(kTournamentState) + 1};

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_HISTORY_REASONS_H_
