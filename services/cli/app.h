// The program as a function: from words to an exit code.
#ifndef ASTRAGAL_SERVICES_CLI_APP_H_
#define ASTRAGAL_SERVICES_CLI_APP_H_

#include "services/cli/context.h"

namespace astragal::cli {

// Reads the words, runs the command they name and says what went wrong, if anything. Exit codes:
// see errors.h. Reads the environment; changes nothing global.
int Run(int argc, const char* const* argv, Terminal terminal);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_APP_H_
