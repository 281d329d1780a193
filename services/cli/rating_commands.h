// The commands of the group `astragal ratings`, for the table in commands.cc. Their own header, as
// most of this room has nothing to do with them.
#ifndef ASTRAGAL_SERVICES_CLI_RATING_COMMANDS_H_
#define ASTRAGAL_SERVICES_CLI_RATING_COMMANDS_H_

#include "services/cli/command.h"

namespace astragal::cli {

Action DefineRatingsList(CLI::App& app);  // rating_commands.cc
Action DefineRatingsSnapshots(CLI::App& app);
Action DefineRatingsShow(CLI::App& app);
Action DefineRatingsHistory(CLI::App& app);
Action DefineRatingsHeadToHead(CLI::App& app);
Action DefineRatingsPredict(CLI::App& app);
Action DefineRatingsEstimate(CLI::App& app);  // rating_estimate_command.cc

Action DefineRatingsCheck(CLI::App& app);  // rating_operator_commands.cc
Action DefineRatingsRecompute(CLI::App& app);
Action DefineRatingsPin(CLI::App& app);
Action DefineRatingsHousehold(CLI::App& app);
Action DefineRatingsExamine(CLI::App& app);

Action DefineRatingsSimulate(CLI::App& app);  // rating_lab_commands.cc
Action DefineRatingsCalibrate(CLI::App& app);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_RATING_COMMANDS_H_
