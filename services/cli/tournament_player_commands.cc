// What players do for themselves, and directors for them under the same word.
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>

#include "services/cli/context.h"
#include "services/cli/errors.h"
#include "services/cli/json.h"
#include "services/cli/rating_text.h"
#include "services/cli/tournament_client.h"
#include "services/cli/tournament_commands.h"
#include "services/cli/tournament_direction.h"
#include "services/cli/tournament_text.h"

namespace astragal::cli {
namespace {

struct OwnOptions {
  Direction direction;
  std::string player;  // of a director's command; empty: the caller himself
  int rating = 0;
  int round = 0;
  std::string value = "zero";
  std::string code;
  bool second = false;
};

template <typename Request>
absl::Status DoOwn(Context& context, const Direction& direction, Request request) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  request.set_tournament_id(direction.tournament);
  const auto done = TournamentClient(**client).Call(request);
  if (!done.ok()) return done.status();
  if (direction.json) {
    context.out() << JsonDocument(done->tournament()) << "\n";
  } else {
    context.out() << TournamentText(done->tournament()) << "\n";
  }
  return absl::OkStatus();
}

// With the player's id, as a director.
template <typename Request>
absl::Status DirectPlayer(Context& context, const OwnOptions& options, Request request) {
  const auto player = FindPlayer(context.Anonymous(), options.player);
  if (!player.ok()) return player.status();
  request.set_player_id(player->player_id());
  return Direct(context, options.direction, request);
}

absl::Status RunReturn(Context& context, const OwnOptions& options) {
  if (!options.player.empty()) return DirectPlayer(context, options, v1::ReturnPlayerRequest());
  return DoOwn(context, options.direction, v1::ReturnToTournamentRequest());
}

absl::Status RunBye(Context& context, const OwnOptions& options) {
  if (!options.player.empty()) {
    v1::GiveByeRequest request;
    request.set_round(options.round);
    request.set_value(ResultFromWord(options.value));
    return DirectPlayer(context, options, request);
  }
  if (options.value == "full") return UsageError("Only a director gives a whole point.");
  v1::RequestByeRequest request;
  request.set_round(options.round);
  request.set_half_point(options.value == "half");
  return DoOwn(context, options.direction, request);
}

std::shared_ptr<OwnOptions> AddOwn(CLI::App& app) {
  auto options = std::make_shared<OwnOptions>();
  app.add_option("TOURNAMENT", options->direction.tournament, "Its id")->required();
  app.add_flag("--json", options->direction.json, "Print the tournament as JSON");
  return options;
}

}  // namespace

Action DefineTournamentRegister(CLI::App& app) {
  auto options = AddOwn(app);
  app.add_option("--rating", options->rating, "What you are to be seeded by, if nothing is known")
      ->check(CLI::Range(0, 9'999));
  app.add_option("--code", options->code, "Of the invitation, where one is needed");
  app.add_flag("--second", options->second, "Where you choose who begins, the other one does");
  return [options](Context& context) {
    v1::RegisterRequest request;
    request.set_rating(options->rating);
    request.set_invite_code(options->code);
    request.set_begins_second(options->second);
    return DoOwn(context, options->direction, request);
  };
}

Action DefineTournamentChallenge(CLI::App& app) {
  auto options = AddOwn(app);
  app.add_option("PLAYER", options->player, "A name or an id")->required();
  return [options](Context& context) -> absl::Status {
    const auto player = FindPlayer(context.Anonymous(), options->player);
    if (!player.ok()) return player.status();
    v1::ChallengeRequest request;
    request.set_player_id(player->player_id());
    return DoOwn(context, options->direction, request);
  };
}

Action DefineTournamentCheckIn(CLI::App& app) {
  auto options = AddOwn(app);
  return [options](Context& context) {
    return DoOwn(context, options->direction, v1::CheckInRequest());
  };
}

Action DefineTournamentLeave(CLI::App& app) {
  auto options = AddOwn(app);
  return [options](Context& context) {
    return DoOwn(context, options->direction, v1::WithdrawFromTournamentRequest());
  };
}

Action DefineTournamentReturn(CLI::App& app) {
  auto options = std::make_shared<OwnOptions>();
  AddDirection(app, options->direction);
  app.add_option("PLAYER", options->player, "Whom a director lets return (default: you)");
  return [options](Context& context) { return RunReturn(context, *options); };
}

Action DefineTournamentBye(CLI::App& app) {
  auto options = std::make_shared<OwnOptions>();
  AddDirection(app, options->direction);
  app.add_option("ROUND", options->round, "From 1")->required()->check(CLI::Range(1, 999));
  app.add_option("PLAYER", options->player, "To whom a director gives it (default: you)");
  app.add_option("--value", options->value, "What it is worth")
      ->check(CLI::IsMember({"zero", "half", "full"}))
      ->capture_default_str();
  return [options](Context& context) { return RunBye(context, *options); };
}

}  // namespace astragal::cli
