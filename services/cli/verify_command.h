// `astragal verify`: checks what a server proves without any server, and stored games by a server.
#ifndef ASTRAGAL_SERVICES_CLI_VERIFY_COMMAND_H_
#define ASTRAGAL_SERVICES_CLI_VERIFY_COMMAND_H_

#include "services/cli/command.h"

namespace astragal::cli {

Action DefineVerify(CLI::App& app);
// The operator's part of it by the name an operator looks for: every game of the store.
Action DefineAdminChecks(CLI::App& app);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_VERIFY_COMMAND_H_
