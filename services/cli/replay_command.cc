#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>

#include "absl/time/clock.h"
#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/game_text.h"
#include "services/cli/json.h"
#include "services/cli/replay_page.h"
#include "services/cli/replay_player.h"
#include "services/cli/replay_stream.h"
#include "services/cli/replay_view.h"

namespace astragal::cli {
namespace {

struct ReplayOptions {
  std::string game;
  uint32_t from = 0;
  uint32_t to = 0;
  int delay_ms = 0;
  bool step = false;
  std::string boards = "all";
  std::string html;
  bool json = false;
};

using OnStep = std::function<bool(const v1::StreamReplayResponse&)>;

absl::Status ReadReplay(Context& context, const ReplayOptions& options, const OnStep& on_step) {
  v1::StreamReplayRequest request;
  request.set_game_id(options.game);
  request.set_from_sequence(options.from);
  request.set_to_sequence(options.to);
  return StreamReplay(context, std::move(request), on_step);
}

absl::Status StepThrough(Context& context, const ReplayOptions& options, const v1::Game& game) {
  ReplayPlayer player(game);
  const absl::Status read =
      ReadReplay(context, options, [&player](const v1::StreamReplayResponse& step) {
        player.Add(step);
        return true;
      });
  if (!read.ok()) return read;
  player.Close();
  context.out() << HeadingText(game) << "\n\n";
  return RunReplayPlayer(context, std::move(player));
}

// Written beside and moved into place, so that the file is whole or as it was.
absl::Status WriteFile(const std::string& path, const std::string& text) {
  const std::string part = path + ".part";
  std::ofstream file(part, std::ios::binary);
  file << text << std::flush;
  std::error_code failed;
  if (file) std::filesystem::rename(part, path, failed);
  if (!file || failed) return absl::InvalidArgumentError("cannot write " + path);
  return absl::OkStatus();
}

absl::Status WritePage(Context& context, const ReplayOptions& options, const v1::Game& game) {
  v1::GetRulesetRequest ruleset_request;
  ruleset_request.set_ruleset_id(game.ruleset_id());
  ruleset_request.set_rules_version(game.rules_version());
  auto ruleset = context.Anonymous().Call(ruleset_request);
  if (!ruleset.ok()) return ruleset.status();
  v1::GetGeometryRequest geometry_request;
  geometry_request.set_ruleset_id(game.ruleset_id());
  geometry_request.set_rules_version(game.rules_version());
  *geometry_request.mutable_options() = game.options();
  auto geometry = context.Anonymous().Call(geometry_request);
  if (!geometry.ok()) return geometry.status();
  ReplayPage page(std::move(*ruleset->mutable_ruleset()), game, *std::move(geometry));
  const absl::Status read =
      ReadReplay(context, options, [&page](const v1::StreamReplayResponse& step) {
        page.Add(step);
        return true;
      });
  if (!read.ok()) return read;
  if (absl::Status written = WriteFile(options.html, page.Finish()); !written.ok()) return written;
  context.err() << "Written to " << options.html << "; open it in a browser\n";
  return absl::OkStatus();
}

absl::Status Print(Context& context, const ReplayOptions& options, const v1::Game& game) {
  context.out() << HeadingText(game) << "\n\n";
  ReplayView::Options how;
  how.boards = BoardsFromWord(options.boards).value_or(Boards::kAll);
  how.first = std::max(1u, options.from);
  how.last = options.to > 0 ? options.to : game.sequence();
  if (options.delay_ms > 0) {
    how.pause = [delay = absl::Milliseconds(options.delay_ms)] { absl::SleepFor(delay); };
  }
  ReplayView view(std::move(how), Seats(game), context.out());
  const absl::Status read =
      ReadReplay(context, options, [&view](const v1::StreamReplayResponse& step) {
        view.Step(step);
        return true;
      });
  if (read.ok()) view.End();
  return read;
}

absl::Status RunReplay(Context& context, const ReplayOptions& options) {
  if (options.json) {
    return ReadReplay(context, options, [&context](const v1::StreamReplayResponse& step) {
      context.out() << JsonLine(step) << "\n";
      return true;
    });
  }
  v1::GetGameRequest get;
  get.set_game_id(options.game);
  const auto game = context.Anonymous().Call(get);
  if (!game.ok()) return game.status();
  if (!options.html.empty()) return WritePage(context, options, game->game());
  if (options.step) return StepThrough(context, options, game->game());
  return Print(context, options, game->game());
}

}  // namespace

Action DefineReplay(CLI::App& app) {
  auto options = std::make_shared<ReplayOptions>();
  app.add_option("GAME", options->game, "The game's id")->required();
  app.add_option("--from", options->from, "First event (default: 1)")->check(CLI::PositiveNumber);
  app.add_option("--to", options->to, "Last event (default: the last there is)")
      ->check(CLI::PositiveNumber);
  auto* delay = app.add_option("--delay", options->delay_ms, "Milliseconds between turns")
                    ->check(CLI::Range(0, 60'000));
  auto* step =
      app.add_flag("--step", options->step,
                   "Keys: an event or a turn on or back, play, any event by its number, flip")
          ->excludes(delay);
  app.add_option("--boards", options->boards,
                 "all: after every turn; few: at the start, in the middle and at the end; none")
      ->check(CLI::IsMember({"all", "few", "none"}))
      ->capture_default_str();
  auto* html = app.add_option("--html", options->html,
                              "Write one file for a browser: board, turns, buttons and keys")
                   ->excludes(delay)
                   ->excludes(step);
  app.add_flag("--json", options->json, "One JSON object a line: event and position")
      ->excludes(step)
      ->excludes(html);
  return [options](Context& context) { return RunReplay(context, *options); };
}

}  // namespace astragal::cli
