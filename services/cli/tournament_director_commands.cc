// What directors do.
#include <CLI/CLI.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "services/cli/context.h"
#include "services/cli/errors.h"
#include "services/cli/rating_text.h"
#include "services/cli/tournament_commands.h"
#include "services/cli/tournament_direction.h"
#include "services/cli/tournament_text.h"

namespace astragal::cli {
namespace {

// What a command says beside what all of them do; each uses some of it.
struct Options {
  Direction direction;
  std::string player;
  std::string other;
  std::vector<std::string> boards;
  uint32_t board = 0;
  int round = 0;
  int number = 0;
  double points = 0;
  std::string first;
  std::string second;
  std::string role;
  bool forfeit = false;
  bool keep = false;
  bool rating = false;
  std::vector<int> places;
  std::vector<std::string> tie_breaks;
  std::string seed_snapshot;
};
using Shared = std::shared_ptr<Options>;

Shared AddAll(CLI::App& app) {
  auto options = std::make_shared<Options>();
  AddDirection(app, options->direction);
  return options;
}

// A command that says nothing more.
template <typename Request>
Action Plain(CLI::App& app) {
  return [options = AddAll(app)](Context& context) {
    return Direct(context, options->direction, Request());
  };
}

absl::StatusOr<std::string> IdOf(Context& context, const std::string& name) {
  const auto player = FindPlayer(context.Anonymous(), name);
  if (!player.ok()) return player.status();
  return player->player_id();
}

// A command about a player; `fill` sets what else the request has.
template <typename Request>
Action AboutPlayer(const Shared& options,
                   std::function<void(const Options&, Request&)> fill = nullptr) {
  return [options, fill](Context& context) -> absl::Status {
    const auto id = IdOf(context, options->player);
    if (!id.ok()) return id.status();
    Request request;
    request.set_player_id(*id);
    if (fill != nullptr) fill(*options, request);
    return Direct(context, options->direction, request);
  };
}

Shared AddPlayer(CLI::App& app) {
  auto options = AddAll(app);
  app.add_option("PLAYER", options->player, "A name or an id")->required();
  return options;
}

void AddBoard(CLI::App& app, Options& options) {
  app.add_option("BOARD", options.board, "From 1")->required()->check(CLI::Range(1u, 100'000u));
  app.add_option("--round", options.round, "From 1 (default: the last one)")
      ->check(CLI::Range(1, 65'535));
}

// "3-8", "5-bye".
absl::Status ReadBoard(const std::string& typed, v1::ManualPairing& pairing) {
  const size_t line = std::min(typed.find('-'), typed.size());
  const std::string second = line < typed.size() ? typed.substr(line + 1) : "";
  int32_t first = 0, other = 0;
  const bool numbers = absl::SimpleAtoi(typed.substr(0, line), &first) &&
                       (second == "bye" || absl::SimpleAtoi(second, &other));
  if (!numbers || first < 1 || other < 0) {
    return UsageError("A board is two numbers of players like 3-8, or 5-bye.");
  }
  pairing.set_first(first);
  pairing.set_second(other);
  return absl::OkStatus();
}

absl::Status RunPair(Context& context, const Options& options) {
  v1::EditPairingRequest request;
  for (const std::string& board : options.boards) {
    if (absl::Status read = ReadBoard(board, *request.add_pairings()); !read.ok()) return read;
  }
  return Direct(context, options.direction, request);
}

absl::Status RunForbid(Context& context, const Options& options) {
  const auto one = IdOf(context, options.player);
  if (!one.ok()) return one.status();
  const auto other = IdOf(context, options.other);
  if (!other.ok()) return other.status();
  v1::ForbidPairingRequest request;
  request.set_player_id(*one);
  request.set_other_player_id(*other);
  return Direct(context, options.direction, request);
}

constexpr std::pair<std::string_view, v1::TournamentRole> kRoles[] = {
    {"none", v1::TOURNAMENT_ROLE_UNSPECIFIED},
    {"director", v1::TOURNAMENT_ROLE_DIRECTOR},
    {"deputy", v1::TOURNAMENT_ROLE_DEPUTY},
    {"streamer", v1::TOURNAMENT_ROLE_STREAMER},
};

}  // namespace

Action DefineTournamentOpen(CLI::App& app) { return Plain<v1::OpenRegistrationRequest>(app); }
Action DefineTournamentOpenCheckIn(CLI::App& app) { return Plain<v1::OpenCheckInRequest>(app); }
Action DefineTournamentStart(CLI::App& app) {
  auto options = AddAll(app);
  app.add_option("--seed-by", options->seed_snapshot,
                 "Seed by a kept list of ratings: latest, official or a day like 2026-11-01");
  return [options](Context& context) {
    v1::StartTournamentRequest request;
    request.set_seed_snapshot(options->seed_snapshot);
    return Direct(context, options->direction, request);
  };
}
Action DefineTournamentDraft(CLI::App& app) { return Plain<v1::DraftRoundRequest>(app); }
Action DefineTournamentPublish(CLI::App& app) { return Plain<v1::PublishRoundRequest>(app); }
Action DefineTournamentUnpublish(CLI::App& app) { return Plain<v1::UnpublishRoundRequest>(app); }
Action DefineTournamentClose(CLI::App& app) { return Plain<v1::CloseRoundRequest>(app); }
Action DefineTournamentResume(CLI::App& app) { return Plain<v1::ResumeTournamentRequest>(app); }
Action DefineTournamentFinish(CLI::App& app) { return Plain<v1::FinishTournamentRequest>(app); }
Action DefineTournamentReopen(CLI::App& app) { return Plain<v1::ReopenTournamentRequest>(app); }
Action DefineTournamentCancel(CLI::App& app) { return Plain<v1::CancelTournamentRequest>(app); }

Action DefineTournamentPair(CLI::App& app) {
  auto options = AddAll(app);
  app.add_option("BOARDS", options->boards, "Numbers of players: 3-8, 5-bye")->required();
  return [options](Context& context) { return RunPair(context, *options); };
}

Action DefineTournamentResult(CLI::App& app) {
  auto options = AddAll(app);
  AddBoard(app, *options);
  app.add_option("FIRST", options->first, "What it is for the first one")
      ->check(CLI::IsMember(ResultWords()));
  app.add_option("SECOND", options->second, "And for the second")
      ->check(CLI::IsMember(ResultWords()));
  app.add_option("--places", options->places, "Of a table: the place of each seat, 2,1,3")
      ->delimiter(',');
  app.add_flag("--keep-advanced", options->keep, "Who went on in an elimination stays there");
  app.add_flag("--affects-rating", options->rating, "The rating of the match follows");
  return [options](Context& context) {
    v1::OverrideResultRequest request;
    for (const int place : options->places) request.add_places(place);
    request.set_keep_advanced(options->keep);
    request.set_affects_rating(options->rating);
    request.set_round(options->round);
    request.set_board(options->board);
    request.set_first(ResultFromWord(options->first));
    request.set_second(ResultFromWord(options->second));
    return Direct(context, options->direction, request);
  };
}

Action DefineTournamentReplay(CLI::App& app) {
  auto options = AddAll(app);
  AddBoard(app, *options);
  return [options](Context& context) {
    v1::ReplayMatchRequest request;
    request.set_round(options->round);
    request.set_board(options->board);
    return Direct(context, options->direction, request);
  };
}

Action DefineTournamentAdd(CLI::App& app) {
  auto options = AddPlayer(app);
  app.add_option("--rating", options->number, "What he is to be seeded by")
      ->check(CLI::Range(0, 9'999));
  return AboutPlayer<v1::AddPlayerRequest>(
      options, [](const Options& typed, auto& request) { request.set_rating(typed.number); });
}

Action DefineTournamentWithdraw(CLI::App& app) {
  auto options = AddPlayer(app);
  app.add_flag("--forfeit", options->forfeit, "The match that he is in is lost");
  return AboutPlayer<v1::WithdrawPlayerRequest>(
      options, [](const Options& typed, auto& request) { request.set_forfeit(typed.forfeit); });
}

Action DefineTournamentPause(CLI::App& app) {
  auto options = AddAll(app);
  app.add_option("PLAYER", options->player, "Who is not paired (default: nothing is published)");
  const Action player = AboutPlayer<v1::PausePlayerRequest>(options);
  return [options, player](Context& context) {
    if (!options->player.empty()) return player(context);
    return Direct(context, options->direction, v1::PauseTournamentRequest());
  };
}

Action DefineTournamentExpel(CLI::App& app) {
  return AboutPlayer<v1::ExpelPlayerRequest>(AddPlayer(app));
}

Action DefineTournamentForbid(CLI::App& app) {
  auto options = AddPlayer(app);
  app.add_option("OTHER", options->other, "A name or an id")->required();
  return [options](Context& context) { return RunForbid(context, *options); };
}

Action DefineTournamentAdjust(CLI::App& app) {
  auto options = AddPlayer(app);
  app.add_option("POINTS", options->points, "How many more: 1, -0.5")
      ->required()
      ->check(CLI::Range(-100.0, 100.0));
  return AboutPlayer<v1::AdjustPointsRequest>(options, [](const Options& typed, auto& request) {
    request.set_tenths(static_cast<int>(std::lround(typed.points * 10)));
  });
}

Action DefineTournamentRounds(CLI::App& app) {
  auto options = AddAll(app);
  app.add_option("ROUNDS", options->number, "How many")->required()->check(CLI::Range(1, 999));
  return [options](Context& context) {
    v1::ChangeRoundsRequest request;
    request.set_rounds(options->number);
    return Direct(context, options->direction, request);
  };
}

Action DefineTournamentTieBreakOrder(CLI::App& app) {
  auto options = AddAll(app);
  app.add_option("TIE_BREAKS", options->tie_breaks,
                 "By importance, with commas: PTS,DE,BH; none: those of the format")
      ->delimiter(',');
  return [options](Context& context) {
    v1::ChangeTieBreaksRequest request;
    for (const std::string& word : options->tie_breaks) request.add_tie_breaks(word);
    return Direct(context, options->direction, request);
  };
}

Action DefineTournamentRole(CLI::App& app) {
  auto options = AddPlayer(app);
  std::vector<std::string> words;
  for (const auto& [word, role] : kRoles) words.emplace_back(word);
  app.add_option("ROLE", options->role, "What he may do")->required()->check(CLI::IsMember(words));
  return AboutPlayer<v1::GiveRoleRequest>(options, [](const Options& typed, auto& request) {
    for (const auto& [word, role] : kRoles) {
      if (word == typed.role) request.set_role(role);
    }
  });
}

}  // namespace astragal::cli
