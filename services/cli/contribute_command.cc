// Adding to the dice of a game: pledge, wait until pledges are closed, contribute, wait for the
// start.
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>

#include "services/base/crypto.h"
#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/contribution.h"
#include "services/cli/follow.h"

namespace astragal::cli {
namespace {

struct ContributeOptions {
  std::string game;
};

// Whose pledge this is.
int SeatOf(const v1::Game& game, const std::string& pledge) {
  for (const v1::DiceContribution& each : game.contributions()) {
    if (each.contribution_sha256() == pledge) return each.seat();
  }
  return -1;
}

// Sends what was pledged as soon as that is wanted; says whether the game may still wait for it.
absl::StatusOr<bool> Continue(Client& client, const std::string& game_id, int seat,
                              Contribution& contribution) {
  v1::GetGameRequest get;
  get.set_game_id(game_id);
  auto game = client.Call(get);
  if (!game.ok()) return game.status();
  const absl::Status done = contribution.Step(client, seat, *game->mutable_game());
  if (!done.ok()) return done;
  return IsBefore(game->game().status());
}

absl::Status RunContribute(Context& context, const ContributeOptions& options) {
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  v1::GetGameRequest get;
  get.set_game_id(options.game);
  const auto game = (*client)->Call(get);
  if (!game.ok()) return game.status();
  context.out() << "The server has committed to   " << base::Hex(game->game().fairness_commitment())
                << "\n";
  Contribution contribution;
  v1::ContributeToDiceRequest pledge;
  pledge.set_game_id(options.game);
  pledge.set_contribution_sha256(contribution.hash());
  const auto pledged = (*client)->Call(pledge);
  if (!pledged.ok()) return pledged.status();
  context.out() << "You pledge 32 random bytes of " << base::Hex(pledge.contribution_sha256())
                << "\nWaiting for the other seats ...\n"
                << std::flush;
  const int seat = SeatOf(pledged->game(), contribution.hash());
  Follow follow(**client, options.game, std::nullopt, absl::Minutes(5));
  for (;;) {
    const absl::StatusOr<bool> waits = Continue(**client, options.game, seat, contribution);
    if (!waits.ok()) return waits.status();
    if (!*waits) break;
    follow.Wait(absl::Milliseconds(500));
    for (const Follow::Item& item : follow.Take()) {
      const auto* end = std::get_if<Follow::End>(&item);
      if (end != nullptr && !end->status.ok()) return end->status;
    }
  }
  context.out() << (contribution.given() ? "The game begins, with your bytes in its dice: " +
                                               base::Hex(contribution.bytes())
                                         : "The game began without your bytes.")
                << "\nCompare them afterwards:  " << context.ProgramForOthers() << " proof "
                << options.game << "\n";
  return absl::OkStatus();
}

}  // namespace

Action DefineContribute(CLI::App& app) {
  auto options = std::make_shared<ContributeOptions>();
  app.add_option("GAME", options->game, "A game in which you hold a seat")->required();
  return [options](Context& context) { return RunContribute(context, *options); };
}

}  // namespace astragal::cli
