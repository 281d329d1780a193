#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/play_session.h"

namespace astragal::cli {
namespace {

struct PlayOptions {
  std::string game;
  double patience_s = 300;
};

absl::Status RunPlay(Context& context, const PlayOptions& options) {
  const absl::Duration patience = absl::Seconds(1) * options.patience_s;
  context.SetTimeout(patience);
  const absl::StatusOr<Client*> client = context.AsPlayer();
  if (!client.ok()) return client.status();
  return PlaySession(context, **client, options.game, patience).Run();
}

}  // namespace

Action DefinePlay(CLI::App& app) {
  auto options = std::make_shared<PlayOptions>();
  app.add_option("GAME", options->game, "The game's id")->required();
  app.add_option("--patience", options->patience_s,
                 "Seconds without a server until the session ends (--timeout does not count here)")
      ->check(CLI::Range(0.05, 86'400.0))
      ->capture_default_str();
  return [options](Context& context) { return RunPlay(context, *options); };
}

}  // namespace astragal::cli
