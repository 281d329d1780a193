// A player's own affairs, followed until the program is stopped.
#ifndef ASTRAGAL_SERVICES_CLI_FOLLOW_AFFAIRS_H_
#define ASTRAGAL_SERVICES_CLI_FOLLOW_AFFAIRS_H_

#include "absl/status/status.h"
#include "services/cli/context.h"

namespace astragal::cli {

// Prints what awaits the player and then what changes; with `json` one message a line. Comes back
// when the connection is lost, with everything as it is then.
absl::Status FollowAffairs(Context& context, bool json);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_FOLLOW_AFFAIRS_H_
