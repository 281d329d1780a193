#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>

#include "services/algorithms/drawing.h"
#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/local_rulesets.h"
#include "services/cli/picture.h"
#include "services/cli/scene.h"

namespace astragal::cli {
namespace {

struct DrawOptions {
  std::string game_id;
  uint32_t at = 0;
  LocalGame local;
  std::string position;
  std::string output;
  int unit = 0;
  bool no_labels = false;
};

absl::StatusOr<algorithms::Scene> SceneOfGame(Context& context, const DrawOptions& options) {
  Client& client = context.Anonymous();
  v1::GetGameRequest game_request;
  game_request.set_game_id(options.game_id);
  const auto game = client.Call(game_request);
  if (!game.ok()) return game.status();
  v1::GetRulesetRequest ruleset_request;
  ruleset_request.set_ruleset_id(game->game().ruleset_id());
  ruleset_request.set_rules_version(game->game().rules_version());
  const auto ruleset = client.Call(ruleset_request);
  if (!ruleset.ok()) return ruleset.status();
  v1::GetGeometryRequest geometry_request;
  geometry_request.set_ruleset_id(game->game().ruleset_id());
  geometry_request.set_rules_version(game->game().rules_version());
  *geometry_request.mutable_options() = game->game().options();
  const auto geometry = client.Call(geometry_request);
  if (!geometry.ok()) return geometry.status();
  v1::GetPositionRequest position_request;
  position_request.set_game_id(options.game_id);
  if (options.at > 0) position_request.set_sequence(options.at);
  const auto position = client.Call(position_request);
  if (!position.ok()) return position.status();
  return SceneOf(ruleset->ruleset(), game->game(), *geometry, position->position());
}

absl::StatusOr<algorithms::Scene> SceneOfPosition(const DrawOptions& options) {
  const auto ruleset = OpenLocal(options.local);
  if (!ruleset.ok()) return ruleset.status();
  absl::StatusOr<host::Position> position;
  if (options.position.empty()) {
    const auto values = OptionsOf(options.local, **ruleset);
    if (!values.ok()) return values.status();
    position = (*ruleset)->Start(*values);
  } else {
    position = (*ruleset)->ParsePosition(options.position);
  }
  if (!position.ok()) return position.status();
  return algorithms::SceneOf(**ruleset, *position);
}

absl::Status RunDraw(Context& context, const DrawOptions& options) {
  if (options.game_id.empty() == options.local.ruleset.empty()) {
    return absl::InvalidArgumentError("Name a GAME of the server, or a --ruleset of this machine.");
  }
  const absl::StatusOr<algorithms::Scene> scene =
      options.game_id.empty() ? SceneOfPosition(options) : SceneOfGame(context, options);
  if (!scene.ok()) return scene.status();
  algorithms::DrawingOptions how;
  how.unit_pixels = options.unit;
  how.labels = !options.no_labels;
  const std::string svg = algorithms::DrawSvg(*scene, how);
  if (options.output.empty()) {
    context.out() << svg;
    return absl::OkStatus();
  }
  if (absl::Status written = WritePicture(svg, options.output); !written.ok()) return written;
  context.err() << "Drawn to " << options.output << "\n";
  return absl::OkStatus();
}

}  // namespace

Action DefineDraw(CLI::App& app) {
  auto options = std::make_shared<DrawOptions>();
  app.add_option("GAME", options->game_id, "A game of the server");
  app.add_option("--at", options->at, "After this event of the game (default: the last one)");
  app.add_option("--ruleset", options->local.ruleset,
                 "Draw without a server: a ruleset's id, or the path of its library");
  app.add_option("--position", options->position, "Its position as text (default: the first one)");
  AddLocalGameOptions(app, options->local);
  app.add_option("-o,--output", options->output,
                 "FILE.svg or FILE.png (default: SVG to the screen)");
  app.add_option("--unit", options->unit, "Pixels of a square (default: a page in all)")
      ->check(CLI::Range(8, 200));
  app.add_flag("--no-labels", options->no_labels, "Without the names of places");
  return [options](Context& context) { return RunDraw(context, *options); };
}

}  // namespace astragal::cli
