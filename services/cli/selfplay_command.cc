#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "services/algorithms/selfplay.h"
#include "services/cli/command.h"
#include "services/cli/context.h"
#include "services/cli/local_rulesets.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

using algorithms::SelfPlay;
using algorithms::SelfPlayReport;

struct SelfPlayOptions {
  LocalGame local;
  SelfPlay play;
  bool fixed_seats = false;
  bool json = false;
};

std::string Percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%",
                100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

// Half the width of the 95 % interval of a share, in percent.
std::string Margin(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  const double share = static_cast<double>(part) / static_cast<double>(whole);
  char text[32];
  std::snprintf(text, sizeof text, "+-%.1f",
                196.0 * std::sqrt(share * (1 - share) / static_cast<double>(whole)));
  return text;
}

std::string Fixed(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", number);
  return text;
}

std::string Average(uint64_t sum, uint64_t count) {
  return count == 0 ? "-" : Fixed(static_cast<double>(sum) / static_cast<double>(count));
}

std::string BotOf(const SelfPlay& play, size_t index) {
  return play.bots[play.bots.size() == 1 ? 0 : index];
}

void PrintTables(Context& context, const host::Ruleset& ruleset, const SelfPlay& play,
                 const SelfPlayReport& report, double seconds) {
  std::vector<std::vector<std::string>> bots = {{"BOT", "WINS", "SHARE", "95 %", "POINTS"}};
  for (size_t i = 0; i < report.wins_by_bot.size(); ++i) {
    bots.push_back({BotOf(play, i), std::to_string(report.wins_by_bot[i]),
                    Percent(report.wins_by_bot[i], report.games),
                    Margin(report.wins_by_bot[i], report.games),
                    std::to_string(report.points_by_bot[i])});
  }
  context.out() << TableText(bots) << "\n";

  std::vector<std::vector<std::string>> seats = {{"SEAT", "WINS", "SHARE", "95 %"}};
  for (size_t i = 0; i < report.wins_by_seat.size(); ++i) {
    seats.push_back({ruleset.about().seat_names[i], std::to_string(report.wins_by_seat[i]),
                     Percent(report.wins_by_seat[i], report.games),
                     Margin(report.wins_by_seat[i], report.games)});
  }
  seats.push_back({"first mover", std::to_string(report.wins_of_first_mover),
                   Percent(report.wins_of_first_mover, report.games),
                   Margin(report.wins_of_first_mover, report.games)});
  context.out() << TableText(seats) << "\n";

  const uint64_t steps = report.actions + report.throws;
  context.out() << report.games << " games, " << report.draws << " draws, seed " << play.seed
                << "; actions and throws a game: " << Average(steps, report.games)
                << " on average, " << report.shortest << " to " << report.longest << "; "
                << Fixed(static_cast<double>(report.games) / seconds) << " games a second\n\n";

  std::vector<std::vector<std::string>> throws = {
      {"THROW", "OUTCOME", "CAME", "SHARE", "EXPECTED"}};
  for (size_t kind = 0; kind < report.outcomes.size(); ++kind) {
    const host::ThrowKind& thrown = ruleset.about().throw_kinds[kind];
    uint64_t total = 0;
    for (const uint64_t count : report.outcomes[kind]) total += count;
    for (size_t i = 0; total > 0 && i < thrown.labels.size(); ++i) {
      throws.push_back({thrown.name, thrown.labels[i], std::to_string(report.outcomes[kind][i]),
                        Percent(report.outcomes[kind][i], total),
                        Percent(thrown.weights[i], thrown.total_weight)});
    }
  }
  context.out() << TableText(throws);
}

void PrintJson(Context& context, const SelfPlay& play, const SelfPlayReport& report,
               double seconds) {
  nlohmann::ordered_json out;
  out["bots"] = play.bots;
  out["seed"] = play.seed;
  out["games"] = report.games;
  out["draws"] = report.draws;
  out["wins_by_bot"] = report.wins_by_bot;
  out["points_by_bot"] = report.points_by_bot;
  out["wins_by_seat"] = report.wins_by_seat;
  out["wins_of_first_mover"] = report.wins_of_first_mover;
  out["actions"] = report.actions;
  out["throws"] = report.throws;
  out["shortest"] = report.shortest;
  out["longest"] = report.longest;
  out["outcomes"] = report.outcomes;
  out["seconds"] = seconds;
  context.out() << out.dump(2) << "\n";
}

// One line that is written over, while somebody looks.
void ShowProgress(Context& context, uint64_t done, uint64_t all) {
  const uint64_t step = std::max<uint64_t>(1, all / 200);
  if (!context.terminal().out_is_tty || done % step != 0) return;
  context.err() << "\r" << done << " of " << all << " games (" << Percent(done, all) << ")"
                << (done == all ? "\r\x1b[K" : "") << std::flush;
}

absl::Status RunSelfPlayCommand(Context& context, const SelfPlayOptions& options) {
  const auto ruleset = OpenLocal(options.local);
  if (!ruleset.ok()) return ruleset.status();
  auto values = OptionsOf(options.local, **ruleset);
  if (!values.ok()) return values.status();
  SelfPlay play = options.play;
  play.options = *std::move(values);
  play.rotate_seats = !options.fixed_seats;
  play.progress = [&](uint64_t done) { ShowProgress(context, done, play.games); };
  const auto started = std::chrono::steady_clock::now();
  const absl::StatusOr<SelfPlayReport> report = algorithms::RunSelfPlay(**ruleset, play);
  if (!report.ok()) return report.status();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  if (options.json) {
    PrintJson(context, play, *report, seconds);
  } else {
    PrintTables(context, **ruleset, play, *report, seconds);
  }
  return absl::OkStatus();
}

}  // namespace

Action DefineSelfPlay(CLI::App& app) {
  auto options = std::make_shared<SelfPlayOptions>();
  options->play.bots = {"random"};
  app.add_option("RULESET", options->local.ruleset, "A ruleset's id, or the path of its library")
      ->required();
  app.add_option("--bots", options->play.bots,
                 "random, greedy or expectimax: one for all seats, or one for each")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--games", options->play.games, "How many")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  app.add_option("--seed", options->play.seed, "The same seed gives the same games")
      ->capture_default_str();
  AddLocalGameOptions(app, options->local);
  app.add_flag("--fixed-seats", options->fixed_seats, "The bots keep their seats");
  app.add_flag("--json", options->json, "For programs");
  return [options](Context& context) { return RunSelfPlayCommand(context, *options); };
}

}  // namespace astragal::cli
