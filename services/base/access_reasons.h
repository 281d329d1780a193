// The reason words of what an account or a server may not do for now; see status.h and the README.
#ifndef ASTRAGAL_SERVICES_BASE_ACCESS_REASONS_H_
#define ASTRAGAL_SERVICES_BASE_ACCESS_REASONS_H_

#include "services/base/history_reasons.h"

namespace astragal::base {

// A moderator restricted the account.
inline constexpr Reason kRestricted = static_cast<Reason>(static_cast<int>(kLogArchived) + 1);
// The operator switched the server to reading.
inline constexpr Reason kReadOnly = static_cast<Reason>(static_cast<int>(kLogArchived) + 2);

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_ACCESS_REASONS_H_
