// Reason words that only tournaments give. They are in the one list of status.cc, behind those that
// status.h names.
#ifndef ASTRAGAL_SERVICES_BASE_TOURNAMENT_REASONS_H_
#define ASTRAGAL_SERVICES_BASE_TOURNAMENT_REASONS_H_

#include "services/base/status.h"

namespace astragal::base {

// No complete pairing of the round exists.
inline constexpr Reason kNoPairing{static_cast<int>(Reason::kInternal) + 1};
// A director's command has consequences that its caller did not accept; detail "warnings".
inline constexpr Reason kWarningsNotAccepted{static_cast<int>(Reason::kInternal) + 2};
// The tournament, its round or its pairing is not in a state for this.
inline constexpr Reason kTournamentState{static_cast<int>(Reason::kInternal) + 3};

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_TOURNAMENT_REASONS_H_
