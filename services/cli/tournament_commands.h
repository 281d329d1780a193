// Commands over live tournaments. The table of all of them, and what their files share.
#ifndef ASTRAGAL_SERVICES_CLI_TOURNAMENT_COMMANDS_H_
#define ASTRAGAL_SERVICES_CLI_TOURNAMENT_COMMANDS_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "astragal/v1/tournament.pb.h"
#include "services/cli/command.h"
#include "services/cli/match_options.h"

namespace astragal::cli {

// In the order in which --help lists them.
std::span<const Command> TournamentCommands();

// What is typed of how a tournament is held.
struct TournamentOptions {
  std::string format = "swiss";
  std::string ruleset = "long_narde";
  std::string preset;
  std::vector<std::string> options;
  std::string clock;
  MatchOptions match;
  std::string engine;
  std::string bye;
  int rounds = 0;
  int losses = 0;
  bool rated = false;
  bool contributions = false;
  bool sides = false;
  bool choice = false;
  bool twice = false;
  bool no_reset = false;
  bool third_place = false;
  int consolation = 0;
  int last_chance = 0;
  std::string duration;
  std::string scoring;
};
// `options` must live as long as the command.
void AddTournamentOptions(CLI::App& app, TournamentOptions& options);
// An error of usage for what is none of these.
absl::Status ReadTournament(const TournamentOptions& options, v1::TournamentTerms& terms);

Action DefineTournamentCreate(CLI::App& app);  // tournament_create_command.cc
Action DefineTournamentImport(CLI::App& app);
Action DefineTournamentDemo(CLI::App& app);  // tournament_demo.cc

Action DefineTournamentList(CLI::App& app);  // tournament_view_commands.cc
Action DefineTournamentShow(CLI::App& app);
Action DefineTournamentPlayers(CLI::App& app);
Action DefineTournamentPairings(CLI::App& app);
Action DefineTournamentExplain(CLI::App& app);
Action DefineTournamentCheck(CLI::App& app);
Action DefineTournamentStandings(CLI::App& app);
Action DefineTournamentExport(CLI::App& app);
Action DefineTournamentLog(CLI::App& app);
Action DefineTournamentWatch(CLI::App& app);

Action DefineTournamentRegister(CLI::App& app);  // tournament_player_commands.cc
Action DefineTournamentChallenge(CLI::App& app);
Action DefineTournamentCheckIn(CLI::App& app);
Action DefineTournamentLeave(CLI::App& app);
Action DefineTournamentReturn(CLI::App& app);
Action DefineTournamentBye(CLI::App& app);

Action DefineTournamentOpen(CLI::App& app);  // tournament_director_commands.cc
Action DefineTournamentOpenCheckIn(CLI::App& app);
Action DefineTournamentStart(CLI::App& app);
Action DefineTournamentDraft(CLI::App& app);
Action DefineTournamentPair(CLI::App& app);
Action DefineTournamentPublish(CLI::App& app);
Action DefineTournamentUnpublish(CLI::App& app);
Action DefineTournamentClose(CLI::App& app);
Action DefineTournamentResult(CLI::App& app);
Action DefineTournamentReplay(CLI::App& app);
Action DefineTournamentAdd(CLI::App& app);
Action DefineTournamentWithdraw(CLI::App& app);
Action DefineTournamentPause(CLI::App& app);
Action DefineTournamentResume(CLI::App& app);
Action DefineTournamentExpel(CLI::App& app);
Action DefineTournamentForbid(CLI::App& app);
Action DefineTournamentAdjust(CLI::App& app);
Action DefineTournamentRounds(CLI::App& app);
Action DefineTournamentTieBreakOrder(CLI::App& app);
Action DefineTournamentFinish(CLI::App& app);
Action DefineTournamentReopen(CLI::App& app);
Action DefineTournamentCancel(CLI::App& app);
Action DefineTournamentRole(CLI::App& app);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_TOURNAMENT_COMMANDS_H_
