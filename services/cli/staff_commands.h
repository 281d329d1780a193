// The commands of `astragal admin` about the server, keys, players, games and the audit, for the
// table in commands.cc.
#ifndef ASTRAGAL_SERVICES_CLI_STAFF_COMMANDS_H_
#define ASTRAGAL_SERVICES_CLI_STAFF_COMMANDS_H_

#include "services/cli/command.h"

namespace astragal::cli {

Action DefineAdminInfo(CLI::App& app);
Action DefineAdminMode(CLI::App& app);
Action DefineAdminKeysNew(CLI::App& app);
Action DefineAdminKeysList(CLI::App& app);
Action DefineAdminKeysRevoke(CLI::App& app);
Action DefineAdminPlayersRestrict(CLI::App& app);
Action DefineAdminPlayersExport(CLI::App& app);
Action DefineAdminPlayersErase(CLI::App& app);
Action DefineAdminGamesAnnul(CLI::App& app);
Action DefineAdminGamesAdjudicate(CLI::App& app);
Action DefineAdminAudit(CLI::App& app);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_STAFF_COMMANDS_H_
