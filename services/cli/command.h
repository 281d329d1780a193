// A command of the program: a row of a table. To add one, write a Define function in the file of
// its group and a row in commands.cc; options, help, exit codes and errors come from app.cc.
#ifndef ASTRAGAL_SERVICES_CLI_COMMAND_H_
#define ASTRAGAL_SERVICES_CLI_COMMAND_H_

#include <functional>
#include <span>
#include <string_view>

#include "absl/status/status.h"

namespace CLI {
class App;
}  // namespace CLI

namespace astragal::cli {

class Context;

// Does what a command is for. A failure is printed by the caller, with what to do about it. An
// INVALID_ARGUMENT without a reason word means that the command was typed wrongly.
using Action = std::function<absl::Status(Context&)>;

struct Command {
  std::string_view path;      // for example "games", or "player new" for a command of a group
  std::string_view summary;   // one line
  std::string_view examples;  // lines that can be typed, shown below --help
  // Adds the command's own options and returns what runs once they are read.
  Action (*define)(CLI::App& app);
};

// Words that several commands begin with; a group in another one comes after it in the table.
struct CommandGroup {
  std::string_view name;
  std::string_view summary;
};

std::span<const Command> Commands();
std::span<const CommandGroup> CommandGroups();

// ---- The commands, by file.

Action DefineHealth(CLI::App& app);  // health_command.cc

Action DefineRulesets(CLI::App& app);  // ruleset_commands.cc

Action DefinePlayerNew(CLI::App& app);  // player_commands.cc
Action DefinePlayerList(CLI::App& app);
Action DefinePlayerUse(CLI::App& app);
Action DefineWhoAmI(CLI::App& app);

Action DefineNew(CLI::App& app);  // game_commands.cc
Action DefineJoin(CLI::App& app);
Action DefineGames(CLI::App& app);
Action DefineResign(CLI::App& app);

Action DefineOffer(CLI::App& app);  // live_commands.cc
Action DefineAnswer(CLI::App& app);
Action DefineUndo(CLI::App& app);
Action DefineEndTurn(CLI::App& app);
Action DefineLeave(CLI::App& app);
Action DefineAbort(CLI::App& app);
Action DefineClaim(CLI::App& app);

Action DefineLobby(CLI::App& app);  // lobby_commands.cc
Action DefineSeek(CLI::App& app);
Action DefineChallenge(CLI::App& app);
Action DefineQueue(CLI::App& app);
Action DefineAccept(CLI::App& app);
Action DefineDecline(CLI::App& app);
Action DefineWithdraw(CLI::App& app);
Action DefineRematch(CLI::App& app);

Action DefineMatchNew(CLI::App& app);  // match_commands.cc
Action DefineMatchShow(CLI::App& app);
Action DefineMatchList(CLI::App& app);
Action DefineMatchNext(CLI::App& app);
Action DefineMatchWatch(CLI::App& app);

Action DefinePlay(CLI::App& app);   // play_command.cc
Action DefineWatch(CLI::App& app);  // watch_command.cc

Action DefineReplay(CLI::App& app);    // replay_command.cc
Action DefinePosition(CLI::App& app);  // history_commands.cc
Action DefineEvents(CLI::App& app);

Action DefineContribute(CLI::App& app);  // contribute_command.cc

Action DefineDemo(CLI::App& app);  // demo_command.cc

Action DefineBot(CLI::App& app);       // bot_command.cc
Action DefineSelfPlay(CLI::App& app);  // selfplay_command.cc
Action DefineDraw(CLI::App& app);      // draw_command.cc

Action DefineBench(CLI::App& app);  // bench_command.cc

Action DefineAdminRulesetsLoad(CLI::App& app);  // admin_commands.cc
Action DefineAdminRulesetsList(CLI::App& app);
Action DefineAdminRulesetsRetire(CLI::App& app);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_COMMAND_H_
