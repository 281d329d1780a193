// Reason words that only the lobby gives. They are in the one list of status.cc, behind those of
// access_reasons.h.
#ifndef ASTRAGAL_SERVICES_BASE_LOBBY_REASONS_H_
#define ASTRAGAL_SERVICES_BASE_LOBBY_REASONS_H_

#include "services/base/access_reasons.h"

namespace astragal::base {

// Who accepts has completed fewer of his last rated games than the proposal asks for; details
// "completion_percent" and "min_completion_percent".
inline constexpr Reason kCompletionTooLow = static_cast<Reason>(static_cast<int>(kReadOnly) + 1);

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_LOBBY_REASONS_H_
