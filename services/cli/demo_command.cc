#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/game_text.h"
#include "services/cli/random_game.h"
#include "services/cli/replay_stream.h"
#include "services/cli/replay_view.h"
#include "services/cli/seats.h"

namespace astragal::cli {
namespace {

// What the demo plays when nobody says otherwise, if the server has it.
constexpr std::string_view kUsualRuleset = "long_narde";

struct DemoOptions {
  std::string ruleset;
  std::string preset;
  std::vector<std::string> options;
  int games = 1;
  uint64_t seed = 0;
  bool has_seed = false;
  std::string boards = "few";
};

absl::StatusOr<std::string> ChooseRuleset(Context& context) {
  const auto all = context.Anonymous().Call(v1::ListRulesetsRequest());
  if (!all.ok()) return all.status();
  for (const v1::Ruleset& ruleset : all->rulesets()) {
    if (ruleset.ruleset_id() == kUsualRuleset) return ruleset.ruleset_id();
  }
  if (all->rulesets().empty()) return absl::NotFoundError("The server has loaded no ruleset.");
  return all->rulesets(0).ruleset_id();
}

// Prints the stored game and compares its end with what the players saw.
absl::Status PrintReplay(Context& context, const RandomGame::Outcome& outcome,
                         const std::string& boards) {
  context.out() << HeadingText(outcome.game) << "\n\n";
  ReplayView::Options how;
  how.boards = BoardsFromWord(boards).value_or(Boards::kFew);
  how.last = outcome.game.sequence();
  ReplayView view(std::move(how), Seats(outcome.game), context.out());
  v1::StreamReplayRequest request;
  request.set_game_id(outcome.game.game_id());
  std::string last_position;
  uint32_t last_sequence = 0;
  const absl::Status status =
      StreamReplay(context, request, [&](const v1::StreamReplayResponse& step) {
        last_position = step.position().data();
        last_sequence = step.event().sequence();
        view.Step(step);
        return true;
      });
  if (!status.ok()) return status;
  view.End();
  if (last_sequence != outcome.game.sequence() || last_position != outcome.position.data()) {
    return absl::DataLossError("The replay does not end where the game ended: event " +
                               std::to_string(last_sequence) + " of " +
                               std::to_string(outcome.game.sequence()) + ".");
  }
  return absl::OkStatus();
}

std::string ResultOf(const v1::Game& game) {
  return ResultText({game.seats().begin(), game.seats().end()}, game.ending());
}

absl::Status RunDemo(Context& context, const DemoOptions& options) {
  RandomGame::Options how;
  how.ruleset = options.ruleset;
  how.preset = options.preset;
  for (const std::string& option : options.options) {
    if (absl::Status read = ReadGameOption(option, how.options); !read.ok()) return read;
  }
  if (how.ruleset.empty()) {
    const absl::StatusOr<std::string> chosen = ChooseRuleset(context);
    if (!chosen.ok()) return chosen.status();
    how.ruleset = *chosen;
  }
  const uint64_t seed = options.has_seed ? options.seed : std::random_device{}();
  // The seed fixes what the players choose; the throws are the server's.
  context.err() << "Random players, seed " << seed << ", play " << how.ruleset << " at "
                << context.global().server << "\n";
  std::mt19937_64 random(seed);
  RandomGame demo(context, std::move(how), random);
  for (int i = 1; i <= options.games; ++i) {
    const auto outcome = demo.Play();
    if (!outcome.ok()) return outcome.status();
    if (options.games == 1) {
      if (absl::Status shown = PrintReplay(context, *outcome, options.boards); !shown.ok()) {
        return shown;
      }
      context.out() << "Result: " << ResultOf(outcome->game) << "\n"
                    << outcome->actions << " actions, " << outcome->game.sequence()
                    << " events. Again: " << context.ProgramForOthers() << " replay "
                    << outcome->game.game_id() << " --step\n";
    } else {
      context.out() << i << "  " << outcome->game.game_id() << "  " << outcome->actions
                    << " actions  " << ResultOf(outcome->game) << "\n"
                    << std::flush;
    }
  }
  return absl::OkStatus();
}

}  // namespace

Action DefineDemo(CLI::App& app) {
  auto options = std::make_shared<DemoOptions>();
  app.add_option("--ruleset", options->ruleset, "What to play (default: long_narde)");
  app.add_option("--preset", options->preset, "A named set of options");
  app.add_option("--option", options->options, "NAME=VALUE; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--games", options->games, "How many; more than one prints results only")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option_function<uint64_t>(
      "--seed",
      [options](const uint64_t& seed) {
        options->seed = seed;
        options->has_seed = true;
      },
      "Fixes the players' choices; the throws are the server's");
  app.add_option("--boards", options->boards,
                 "few: at the start, in the middle and at the end; all: after every turn; none")
      ->check(CLI::IsMember({"all", "few", "none"}))
      ->capture_default_str();
  return [options](Context& context) { return RunDemo(context, *options); };
}

}  // namespace astragal::cli
