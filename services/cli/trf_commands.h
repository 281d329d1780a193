// Commands over tournament report files, which need no server. Rows of the table in commands.cc.
#ifndef ASTRAGAL_SERVICES_CLI_TRF_COMMANDS_H_
#define ASTRAGAL_SERVICES_CLI_TRF_COMMANDS_H_

#include "services/cli/command.h"

namespace astragal::cli {

Action DefineTournamentPairTrf(CLI::App& app);
Action DefineTournamentTieBreaks(CLI::App& app);
Action DefineTournamentCheckTrf(CLI::App& app);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_TRF_COMMANDS_H_
