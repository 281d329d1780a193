#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <variant>

#include "services/algorithms/bots.h"
#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/contribution.h"
#include "services/cli/follow.h"
#include "services/cli/local_rulesets.h"
#include "services/cli/seats.h"

namespace astragal::cli {
namespace {

struct BotOptions {
  std::string game_id;
  std::string bot = "greedy";
  std::string plugins;
  uint64_t seed = 0;
};

// Plays one seat of one game until it is over. Random play knows no rules; the other bots need the
// game's ruleset on this machine.
class BotSession {
 public:
  BotSession(Context& context, Client& client, const BotOptions& options)
      : context_(context), client_(client), options_(options) {}

  absl::Status Run() {
    if (absl::Status seated = Sit(); !seated.ok()) return seated;
    auto bot = algorithms::MakeBot(options_.bot, options_.seed);
    if (!bot.ok()) return bot.status();
    bot_ = *std::move(bot);
    LocalGame local;
    local.ruleset = game_.ruleset_id();
    local.plugins = options_.plugins;
    auto ruleset = OpenLocal(local);
    if (!ruleset.ok()) return ruleset.status();
    ruleset_ = *std::move(ruleset);
    if (ruleset_->about().rules_version != game_.rules_version()) {
      return absl::FailedPreconditionError("The ruleset here has other rules than the game.");
    }
    context_.err() << options_.bot << " plays " << Seats(game_).Name(seat_) << "\n";
    return PlayOn();
  }

 private:
  absl::Status Sit() {
    const auto me = client_.Call(v1::WhoAmIRequest());
    if (!me.ok()) return me.status();
    v1::GetGameRequest get;
    get.set_game_id(options_.game_id);
    auto game = client_.Call(get);
    if (!game.ok()) return game.status();
    game_ = std::move(*game->mutable_game());
    if (const auto held = Seats(game_).SeatOf(me->player().player_id())) {
      seat_ = *held;
      return absl::OkStatus();
    }
    v1::JoinGameRequest join;
    join.set_game_id(options_.game_id);
    auto joined = client_.Call(join);
    if (!joined.ok()) return joined.status();
    seat_ = joined->seat();
    game_ = std::move(*joined->mutable_game());
    return absl::OkStatus();
  }

  // Looks at the game whenever something happened in it.
  absl::Status PlayOn() {
    Follow follow(client_, options_.game_id, std::nullopt, absl::Minutes(10));
    while (true) {
      follow.Wait(absl::Seconds(5));
      bool news = false;
      for (const Follow::Item& item : follow.Take()) {
        if (const auto* end = std::get_if<Follow::End>(&item)) return Finish(end->status);
        news |= std::holds_alternative<v1::GameSnapshot>(item) ||
                std::holds_alternative<v1::Event>(item);
      }
      if (!news) continue;
      if (absl::Status added = AddToDice(); !added.ok()) return added;
      if (absl::Status acted = ActWhileAwaited(); !acted.ok()) return acted;
    }
  }

  // Until the game begins.
  absl::Status AddToDice() {
    if (!IsBefore(game_.status())) return absl::OkStatus();
    v1::GetGameRequest get;
    get.set_game_id(options_.game_id);
    auto game = client_.Call(get);
    if (!game.ok()) return game.status();
    game_ = std::move(*game->mutable_game());
    return contribution_.Step(client_, seat_, game_);
  }

  absl::Status ActWhileAwaited() {
    v1::ListLegalActionsRequest request;
    request.set_game_id(options_.game_id);
    while (true) {
      const auto legal = client_.Call(request);
      if (!legal.ok()) return legal.status();
      if (legal->actions().empty() || legal->position().actor() != seat_) return absl::OkStatus();
      const auto position = ruleset_->FromBytes(legal->position().data());
      if (!position.ok()) return position.status();
      const absl::StatusOr<int64_t> action = bot_->Choose(*ruleset_, *position);
      if (!action.ok()) return action.status();
      v1::PlayActionsRequest play;
      play.set_game_id(options_.game_id);
      play.set_expected_sequence(legal->sequence());
      play.add_actions()->set_action(*action);
      const auto played = client_.Call(play);
      // Somebody resigned, or this player acts elsewhere too: the stream tells.
      if (absl::IsAborted(played.status()) || absl::IsFailedPrecondition(played.status())) {
        return absl::OkStatus();
      }
      if (!played.ok()) return played.status();
    }
  }

  absl::Status Finish(const absl::Status& status) {
    if (!status.ok()) return status;
    v1::GetGameRequest get;
    get.set_game_id(options_.game_id);
    const auto game = client_.Call(get);
    if (!game.ok()) return game.status();
    const v1::Game& over = game->game();
    context_.out() << ResultText({over.seats().begin(), over.seats().end()}, over.ending()) << "\n";
    return absl::OkStatus();
  }

  Context& context_;
  Client& client_;
  const BotOptions& options_;
  v1::Game game_;
  int seat_ = -1;
  Contribution contribution_;
  std::unique_ptr<algorithms::Bot> bot_;
  std::shared_ptr<const host::Ruleset> ruleset_;
};

absl::Status RunBot(Context& context, BotOptions options) {
  if (options.seed == 0) options.seed = std::random_device{}();
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  return BotSession(context, **client, options).Run();
}

}  // namespace

Action DefineBot(CLI::App& app) {
  auto options = std::make_shared<BotOptions>();
  app.add_option("GAME", options->game_id, "The game; a free seat is taken")->required();
  app.add_option("--bot", options->bot, "Who plays")
      ->check(CLI::IsMember(algorithms::BotNames()))
      ->capture_default_str();
  app.add_option("--plugins", options->plugins,
                 "Folder of ruleset libraries (default: this build's)");
  app.add_option("--seed", options->seed, "Fixes its choices (default: drawn)");
  return [options](Context& context) { return RunBot(context, *options); };
}

}  // namespace astragal::cli
