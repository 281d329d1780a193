// Whether a stored game bears an audit: it must be what its log says, and its throws what the
// secret gave that was promised before it began.
#ifndef ASTRAGAL_SERVICES_CORE_AUDIT_H_
#define ASTRAGAL_SERVICES_CORE_AUDIT_H_

#include "absl/status/status.h"
#include "services/core/world.h"

namespace astragal::core {

// Follows the log of a game that is over, compares every hash, the published secret with the
// commitment, and every throw with the one that the secret gives (algorithms/dice.h). DATA_LOSS
// names what differs. NOT_FOUND; RULESET_VERSION_UNAVAILABLE and STORE_UNAVAILABLE: nobody knows
// yet. Blocks on the store; costs a replay. Any thread may call it.
absl::Status AuditGame(const World& world, base::GameId game);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_AUDIT_H_
