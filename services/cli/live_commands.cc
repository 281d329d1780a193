// Commands of a running or waiting game beside its actions: offers, taking back, leaving, claims.
#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <ostream>
#include <string>

#include "services/cli/clock_text.h"
#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/json.h"
#include "services/cli/seats.h"

namespace astragal::cli {
namespace {

// How a game stands after a command, in one line.
std::string StandingText(const v1::Game& game) {
  const Seats seats(game);
  if (game.status() == v1::GAME_STATUS_OPEN) return "The game waits for players.";
  if (game.status() != v1::GAME_STATUS_RUNNING) {
    return "Result: " + ResultText({game.seats().begin(), game.seats().end()}, game.ending());
  }
  std::string text = seats.Name(game.seats_to_act(0)) + " is to act";
  for (int seat = 0; seat < game.clocks().seats_size(); ++seat) {
    text += (seat == 0 ? " (" : ", ") + seats.Name(seat) + " " +
            SeatClockText(game.clocks().seats(seat));
  }
  if (game.has_clocks()) text += ")";
  if (game.has_offer()) text += "; the offer of " + seats.Name(game.offer().seat()) + " is open";
  return text + ".";
}

// Sends a request of which only the game's id matters, and prints the game after it.
template <typename Request>
absl::Status Send(Context& context, Request request, const std::string& game, bool json) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  request.set_game_id(game);
  const auto answer = (*client)->Call(request);
  if (!answer.ok()) return answer.status();
  if (json) {
    context.out() << JsonDocument(answer->game()) << "\n";
  } else {
    context.out() << StandingText(answer->game()) << "\n";
  }
  return absl::OkStatus();
}

// The same for requests that are answered with events.
template <typename Request>
absl::Status SendTurn(Context& context, Request request, const std::string& game, bool json) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  request.set_game_id(game);
  const auto answer = (*client)->Call(request);
  if (!answer.ok()) return answer.status();
  if (json) {
    context.out() << JsonDocument(*answer) << "\n";
  } else {
    context.out() << answer->position().board();
  }
  return absl::OkStatus();
}

struct GameOptions {
  std::string game;
  bool json = false;
};

void AddGameOptions(CLI::App& app, GameOptions& options) {
  app.add_option("GAME", options.game, "The game's id")->required();
  app.add_flag("--json", options.json, "Print the server's answer as JSON");
}

template <typename Request>
Action DefineSimple(CLI::App& app) {
  auto options = std::make_shared<GameOptions>();
  AddGameOptions(app, *options);
  return [options](Context& context) {
    return Send(context, Request(), options->game, options->json);
  };
}

}  // namespace

Action DefineLeave(CLI::App& app) { return DefineSimple<v1::LeaveGameRequest>(app); }
Action DefineAbort(CLI::App& app) { return DefineSimple<v1::AbortGameRequest>(app); }
Action DefineClaim(CLI::App& app) { return DefineSimple<v1::ClaimResultRequest>(app); }

Action DefineOffer(CLI::App& app) {
  struct Options : GameOptions {
    std::string kind;
    int64_t points = 0;
  };
  static const std::map<std::string, v1::OfferKind> kKinds = {{"draw", v1::OFFER_KIND_DRAW},
                                                              {"abort", v1::OFFER_KIND_ABORT},
                                                              {"resign", v1::OFFER_KIND_RESIGN}};
  auto options = std::make_shared<Options>();
  AddGameOptions(app, *options);
  app.add_option("OFFER", options->kind, "draw, abort (call the game off) or resign")
      ->required()
      ->check(CLI::IsMember({"draw", "abort", "resign"}));
  app.add_option("--points", options->points, "With resign: how many points you would lose");
  return [options](Context& context) {
    v1::MakeOfferRequest request;
    request.set_kind(kKinds.at(options->kind));
    request.set_points(options->points);
    return Send(context, request, options->game, options->json);
  };
}

Action DefineAnswer(CLI::App& app) {
  struct Options : GameOptions {
    std::string answer;
  };
  auto options = std::make_shared<Options>();
  AddGameOptions(app, *options);
  app.add_option("ANSWER", options->answer, "yes or no; no withdraws your own offer")
      ->required()
      ->check(CLI::IsMember({"yes", "no"}));
  return [options](Context& context) {
    v1::RespondToOfferRequest request;
    request.set_accept(options->answer == "yes");
    return Send(context, request, options->game, options->json);
  };
}

Action DefineUndo(CLI::App& app) {
  struct Options : GameOptions {
    int count = 1;
  };
  auto options = std::make_shared<Options>();
  AddGameOptions(app, *options);
  app.add_option("COUNT", options->count, "How many actions")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  return [options](Context& context) {
    v1::UndoActionsRequest request;
    request.set_count(options->count);
    return SendTurn(context, request, options->game, options->json);
  };
}

Action DefineEndTurn(CLI::App& app) {
  auto options = std::make_shared<GameOptions>();
  AddGameOptions(app, *options);
  return [options](Context& context) {
    return SendTurn(context, v1::EndTurnRequest(), options->game, options->json);
  };
}

}  // namespace astragal::cli
