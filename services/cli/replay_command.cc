#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>

#include "absl/time/clock.h"
#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/game_text.h"
#include "services/cli/json.h"
#include "services/cli/lines.h"
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
  bool json = false;
};

// Waits between two turns: for a key press, for a while, or not at all.
std::function<bool()> PauseOf(Context& context, const ReplayOptions& options,
                              std::shared_ptr<Lines> lines) {
  if (options.step) {
    return [&context, lines = std::move(lines)] {
      if (context.terminal().in_is_tty) {
        context.out() << "-- Enter: next, q: quit -- " << std::flush;
      }
      if (!lines->Wait()) return false;
      const std::string typed = lines->Take();
      return typed != "q" && typed != "quit";
    };
  }
  if (options.delay_ms <= 0) return nullptr;
  return [delay = absl::Milliseconds(options.delay_ms)] {
    absl::SleepFor(delay);
    return true;
  };
}

absl::Status RunReplay(Context& context, const ReplayOptions& options) {
  v1::GetGameRequest get;
  get.set_game_id(options.game);
  const auto game = context.Anonymous().Call(get);
  if (!game.ok()) return game.status();

  v1::StreamReplayRequest request;
  request.set_game_id(options.game);
  request.set_from_sequence(options.from);
  request.set_to_sequence(options.to);
  StreamStop stop;
  if (options.json) {
    return context.Anonymous().Stream(request, stop, [&](const v1::StreamReplayResponse& step) {
      context.out() << JsonLine(step) << "\n";
      return true;
    });
  }
  context.out() << HeadingText(game->game()) << "\n\n";
  ReplayView::Options how;
  how.boards = BoardsFromWord(options.boards).value_or(Boards::kAll);
  how.first = std::max(1u, options.from);
  how.last = options.to > 0 ? options.to : game->game().sequence();
  how.pause = PauseOf(context, options, std::make_shared<Lines>(context.terminal().in_fd));
  ReplayView view(std::move(how), Seats(game->game()), context.out());
  bool is_enough = false;
  const absl::Status status =
      context.Anonymous().Stream(request, stop, [&](const v1::StreamReplayResponse& step) {
        is_enough = !view.Step(step);
        return !is_enough;
      });
  if (status.ok() && !is_enough) view.End();
  return status;
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
  app.add_flag("--step", options->step, "Wait for Enter after every turn")->excludes(delay);
  app.add_option("--boards", options->boards,
                 "all: after every turn; few: at the start, in the middle and at the end; none")
      ->check(CLI::IsMember({"all", "few", "none"}))
      ->capture_default_str();
  app.add_flag("--json", options->json, "One JSON object a line: event and position");
  return [options](Context& context) { return RunReplay(context, *options); };
}

}  // namespace astragal::cli
