#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "services/cli/clock_text.h"
#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/errors.h"
#include "services/cli/game_text.h"
#include "services/cli/json.h"
#include "services/cli/lines.h"
#include "services/cli/seats.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

// ---- new

struct NewOptions {
  std::string ruleset;
  std::string preset;
  std::vector<std::string> options;
  std::string seat = "0";
  bool no_seat = false;
  std::string clock;
  std::string first_turn;
  bool unlisted = false;
  bool rated = false;
  bool json = false;
};

absl::Status ReadTerms(const NewOptions& options, v1::CreateGameRequest& request) {
  request.set_rated(options.rated);
  if (options.unlisted) request.set_visibility(v1::GAME_VISIBILITY_UNLISTED);
  if (options.clock.empty()) return absl::OkStatus();
  const absl::StatusOr<v1::ClockPolicy> clock = ReadClockPolicy(options.clock);
  if (!clock.ok()) return clock.status();
  *request.mutable_clock_policy() = *clock;
  if (options.first_turn.empty()) return absl::OkStatus();
  const absl::StatusOr<int64_t> first_turn = ReadDurationMs(options.first_turn);
  if (!first_turn.ok()) return first_turn.status();
  request.mutable_clock_policy()->set_first_turn_ms(*first_turn);
  return absl::OkStatus();
}

absl::StatusOr<int> SeatOfRuleset(Client& client, const NewOptions& options) {
  // A number needs no names.
  if (auto number = ReadSeat(options.seat, {}); number.ok()) return number;
  v1::GetRulesetRequest request;
  request.set_ruleset_id(options.ruleset);
  const auto ruleset = client.Call(request);
  if (!ruleset.ok()) return ruleset.status();
  const auto& names = ruleset->ruleset().seat_names();
  return ReadSeat(options.seat, {names.begin(), names.end()});
}

absl::StatusOr<v1::CreateGameRequest> NewRequest(Client& client, const NewOptions& options) {
  v1::CreateGameRequest request;
  request.set_ruleset_id(options.ruleset);
  request.set_preset(options.preset);
  if (absl::Status read = ReadTerms(options, request); !read.ok()) return read;
  for (const std::string& option : options.options) {
    if (absl::Status read = ReadGameOption(option, *request.mutable_options()); !read.ok()) {
      return read;
    }
  }
  if (!options.no_seat) {
    const absl::StatusOr<int> seat = SeatOfRuleset(client, options);
    if (!seat.ok()) return seat.status();
    request.set_seat(*seat);
  }
  return request;
}

absl::Status RunNew(Context& context, const NewOptions& options) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  const auto request = NewRequest(**client, options);
  if (!request.ok()) return request.status();
  const auto created = (*client)->Call(*request);
  if (!created.ok()) return created.status();
  const v1::Game& game = created->game();
  if (options.json) {
    context.out() << JsonDocument(game) << "\n";
    return absl::OkStatus();
  }
  // The id alone goes to standard output, so that a script can take it.
  context.out() << game.game_id() << "\n" << std::flush;
  const std::string program = context.ProgramForOthers();
  context.err() << SeatsText(game) << "\nThe others type:  " << program << " join "
                << game.game_id() << "\n";
  if (!options.no_seat) {
    context.err() << "Then you type:    " << program << " play " << game.game_id() << "\n";
  }
  return absl::OkStatus();
}

// ---- join

struct JoinOptions {
  std::string game;
  std::string seat;
  bool json = false;
};

absl::StatusOr<int> SeatOfGame(Client& client, const JoinOptions& options) {
  v1::GetGameRequest request;
  request.set_game_id(options.game);
  const auto game = client.Call(request);
  if (!game.ok()) return game.status();
  std::vector<std::string> names;
  for (const v1::Seat& seat : game->game().seats()) names.push_back(seat.name());
  return ReadSeat(options.seat, names);
}

absl::Status RunJoin(Context& context, const JoinOptions& options) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  v1::JoinGameRequest request;
  request.set_game_id(options.game);
  if (!options.seat.empty()) {
    const absl::StatusOr<int> seat = SeatOfGame(**client, options);
    if (!seat.ok()) return seat.status();
    request.set_seat(*seat);
  }
  const auto joined = (*client)->Call(request);
  if (!joined.ok()) return joined.status();
  if (options.json) {
    context.out() << JsonDocument(*joined) << "\n";
    return absl::OkStatus();
  }
  const v1::Game& game = joined->game();
  context.out() << "You play " << Seats(game).Name(joined->seat()) << ". " << SeatsText(game)
                << "\nGo on with:  " << context.ProgramForOthers() << " play " << game.game_id()
                << "\n";
  return absl::OkStatus();
}

// ---- games

struct GamesOptions {
  std::string ruleset;
  std::string status;
  bool mine = false;
  int limit = 20;
  bool json = false;
};

absl::Status Filter(Context& context, const GamesOptions& options, v1::ListGamesRequest& request) {
  request.set_ruleset_id(options.ruleset);
  if (!options.status.empty()) request.set_status(StatusFromWord(options.status));
  if (!options.mine) return absl::OkStatus();
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  const auto me = (*client)->Call(v1::WhoAmIRequest());
  if (!me.ok()) return me.status();
  request.set_player_id(me->player().player_id());
  return absl::OkStatus();
}

std::string ToActText(const v1::Game& game, const Seats& seats) {
  std::vector<std::string> names;
  for (const int seat : game.seats_to_act()) names.push_back(seats.Name(seat));
  return Join(names, ", ");
}

std::vector<std::string> GameRow(const v1::Game& game) {
  const Seats seats(game);
  std::vector<std::string> who;
  for (const v1::Seat& seat : game.seats()) who.push_back(seats.Who(seat.seat()));
  return {game.game_id(),
          game.ruleset_id(),
          std::string(StatusWord(game.status())),
          std::to_string(game.sequence()),
          ToActText(game, seats),
          TimeText(game.update_time()),
          Join(who, ", ")};
}

absl::Status RunGames(Context& context, const GamesOptions& options) {
  v1::ListGamesRequest request;
  if (absl::Status filtered = Filter(context, options, request); !filtered.ok()) return filtered;
  // Hidden games are shown to their players alone.
  Client* reader = options.mine ? *context.AsPlayer() : &context.Anonymous();
  v1::ListGamesResponse all;
  do {
    request.set_page_size(options.limit - all.games_size());
    auto page = reader->Call(request);
    if (!page.ok()) return page.status();
    all.MergeFrom(*page);
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty() && all.games_size() < options.limit);
  const bool has_more = !request.page_token().empty();
  if (options.json) {
    all.clear_next_page_token();
    context.out() << JsonDocument(all) << "\n";
    return absl::OkStatus();
  }
  std::vector<std::vector<std::string>> rows = {
      {"GAME", "RULESET", "STATUS", "EVENTS", "TO ACT", "LAST EVENT (UTC)", "SEATS"}};
  for (const v1::Game& game : all.games()) rows.push_back(GameRow(game));
  context.out() << TableText(rows);
  if (all.games().empty()) context.err() << "No such games; `astragal new RULESET` creates one.\n";
  if (has_more) context.err() << "There are more; --limit N shows N.\n";
  return absl::OkStatus();
}

// ---- resign

bool Confirms(Context& context, const std::string& question) {
  context.out() << question << " [y/N] " << std::flush;
  Lines lines(context.terminal().in_fd);
  return lines.Wait() && (lines.Front() == "y" || lines.Front() == "yes");
}

absl::Status RunResign(Context& context, const std::string& game, bool yes) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  if (!yes && context.terminal().in_is_tty && !Confirms(context, "Give game " + game + " up?")) {
    return absl::CancelledError("Nothing was changed.");
  }
  v1::ResignGameRequest request;
  request.set_game_id(game);
  const auto resigned = (*client)->Call(request);
  if (!resigned.ok()) return resigned.status();
  const v1::Game& after = resigned->game();
  if (after.status() == v1::GAME_STATUS_FINISHED) {
    context.out() << "Result: "
                  << ResultText({after.seats().begin(), after.seats().end()}, after.ending())
                  << "\n";
  } else {
    context.out() << "You gave the game up; the others play on.\n";
  }
  return absl::OkStatus();
}

}  // namespace

Action DefineNew(CLI::App& app) {
  auto options = std::make_shared<NewOptions>();
  app.add_option("RULESET", options->ruleset, "One of `astragal rulesets`")->required();
  app.add_option("--preset", options->preset, "A named set of options (default: standard)");
  app.add_option("--option", options->options, "NAME=VALUE, on top of the preset; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  auto* seat = app.add_option("--seat", options->seat, "Your seat, by number from 0 or by name")
                   ->capture_default_str();
  app.add_flag("--no-seat", options->no_seat, "Only create it; others play")->excludes(seat);
  auto* clock = app.add_option("--clock", options->clock,
                               "delay:14m+8s, bronstein:6m+12s, fischer:5m+3s, turn:20s, turn:3d");
  app.add_option("--first-turn", options->first_turn,
                 "Each seat's first turn is free but must end within this time")
      ->needs(clock);
  app.add_flag("--unlisted", options->unlisted, "In no list: found by its id alone");
  app.add_flag("--rated", options->rated, "The result counts for ratings");
  app.add_flag("--json", options->json, "Print the game as JSON");
  return [options](Context& context) { return RunNew(context, *options); };
}

Action DefineJoin(CLI::App& app) {
  auto options = std::make_shared<JoinOptions>();
  app.add_option("GAME", options->game, "The game's id")->required();
  app.add_option("--seat", options->seat, "By number from 0 or by name (default: the first free)");
  app.add_flag("--json", options->json, "Print the server's answer as JSON");
  return [options](Context& context) { return RunJoin(context, *options); };
}

Action DefineGames(CLI::App& app) {
  auto options = std::make_shared<GamesOptions>();
  app.add_option("--ruleset", options->ruleset, "Only of this ruleset");
  app.add_option("--status", options->status, "Only in this status")
      ->check(CLI::IsMember({"open", "running", "finished", "aborted"}));
  app.add_flag("--mine", options->mine, "Only those you hold a seat of");
  app.add_option("--limit", options->limit, "At most this many")
      ->check(CLI::Range(1, 1'000))
      ->capture_default_str();
  app.add_flag("--json", options->json, "Print the games as JSON");
  return [options](Context& context) { return RunGames(context, *options); };
}

Action DefineResign(CLI::App& app) {
  auto game = std::make_shared<std::string>();
  auto yes = std::make_shared<bool>(false);
  app.add_option("GAME", *game, "The game's id")->required();
  app.add_flag("--yes,-y", *yes, "Do not ask");
  return [game, yes](Context& context) { return RunResign(context, *game, *yes); };
}

}  // namespace astragal::cli
