// Commands about stored games as evidence and as files.
#ifndef ASTRAGAL_SERVICES_CLI_RECORD_COMMANDS_H_
#define ASTRAGAL_SERVICES_CLI_RECORD_COMMANDS_H_

#include "services/cli/command.h"

namespace astragal::cli {

Action DefineFind(CLI::App& app);  // find_commands.cc
Action DefineThrows(CLI::App& app);

Action DefineProof(CLI::App& app);  // proof_commands.cc
Action DefineReceipt(CLI::App& app);
Action DefineCompare(CLI::App& app);

Action DefineExport(CLI::App& app);  // record_commands.cc
Action DefineImport(CLI::App& app);
Action DefineArchive(CLI::App& app);  // archive_command.cc

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_RECORD_COMMANDS_H_
