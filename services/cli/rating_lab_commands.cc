// `astragal ratings simulate` and `calibrate`: what rating profiles are worth, on this machine.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "services/algorithms/rating_calibration.h"
#include "services/algorithms/rating_simulation.h"
#include "services/algorithms/selfplay.h"
#include "services/cli/context.h"
#include "services/cli/local_rulesets.h"
#include "services/cli/rating_commands.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

using algorithms::Estimate;
using algorithms::RatingProfile;
using algorithms::SeatClass;

// Standard errors that a difference must exceed to count.
constexpr double kClear = 3;

std::string Fixed(double number, int digits) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

// ---- simulate

struct SimulateOptions {
  int seeds = 20;
  uint64_t first_seed = 1;
  algorithms::RatingSimulation simulation;
  bool any_opponent = false;
  bool check = false;
  bool json = false;
};

struct SimulatedProfile {
  RatingProfile profile;
  std::vector<double> losses;  // one for each seed
  std::vector<std::vector<double>> spreads;
};

// Profiles of one kind of table in one world; the first one is the one that is judged, the others
// are chess's.
struct SimulatedWorld {
  SeatClass seats = SeatClass::kTwo;
  double spread = 0;
  double guessing = 0;
  std::vector<SimulatedProfile> profiles;
};

std::vector<RatingProfile> ProfilesOf(SeatClass seats) {
  if (seats == SeatClass::kTwo) {
    return {RatingProfile(), algorithms::PaperProfile(), algorithms::LichessProfile()};
  }
  RatingProfile openskill;
  openskill.name = "openskill";
  openskill.table_start.sigma = 25.0 / 3;
  openskill.table.tau = 25.0 / 300;
  return {RatingProfile(), openskill};
}

SimulatedWorld Simulate(const SimulateOptions& options, SeatClass seats, double spread) {
  SimulatedWorld world{seats, spread, 0, {}};
  for (const RatingProfile& profile : ProfilesOf(seats)) {
    SimulatedProfile simulated{profile, {}, {}};
    for (int seed = 0; seed < options.seeds; ++seed) {
      algorithms::RatingSimulation simulation = options.simulation;
      simulation.seats = seats;
      simulation.spread = spread;
      simulation.similar = !options.any_opponent;
      simulation.seed = options.first_seed + static_cast<uint64_t>(seed);
      const algorithms::SimulatedRatings result = algorithms::SimulateRatings(profile, simulation);
      world.guessing = result.guessing;
      simulated.losses.push_back(result.log_loss);
      simulated.spreads.push_back(result.shown_spreads);
    }
    world.profiles.push_back(std::move(simulated));
  }
  return world;
}

Estimate AgainstGuessing(const SimulatedWorld& world, const SimulatedProfile& profile) {
  return algorithms::PairedDifference(profile.losses,
                                      std::vector<double>(profile.losses.size(), world.guessing));
}

Estimate AgainstFirst(const SimulatedWorld& world, const SimulatedProfile& profile) {
  return algorithms::PairedDifference(world.profiles.front().losses, profile.losses);
}

// "-0.0021 (8.3 errors below)".
std::string DifferenceText(const Estimate& difference) {
  const double errors = difference.ErrorsBelowZero();
  return Fixed(difference.mean, 4) + " (" + Fixed(std::abs(errors), 1) + " errors " +
         (errors >= 0 ? "below)" : "above)");
}

std::string SpreadsText(const SimulatedProfile& profile) {
  std::string text;
  const size_t marks = profile.spreads.empty() ? 0 : profile.spreads.front().size();
  for (size_t mark = 0; mark < marks; ++mark) {
    double sum = 0;
    for (const std::vector<double>& spreads : profile.spreads) sum += spreads[mark];
    text += (mark > 0 ? " / " : "") + Fixed(sum / static_cast<double>(profile.spreads.size()), 0);
  }
  return text;
}

std::string WorldText(const SimulatedWorld& world) {
  return world.seats == SeatClass::kTwo ? "2 seats, " + Fixed(world.spread, 0) + " points"
                                        : "4 seats, " + Fixed(world.spread, 2) + " nat";
}

void PrintWorlds(Context& context, const std::vector<SimulatedWorld>& worlds) {
  std::vector<std::vector<std::string>> rows = {{"TRUE SPREAD", "PROFILE", "LOG LOSS",
                                                 "AGAINST GUESSING", "DICE AGAINST IT",
                                                 "SHOWN SPREAD"}};
  for (const SimulatedWorld& world : worlds) {
    rows.push_back({WorldText(world), "guessing", Fixed(world.guessing, 4), "", "", ""});
    for (const SimulatedProfile& profile : world.profiles) {
      const bool first = &profile == &world.profiles.front();
      rows.push_back(
          {"", profile.profile.name, Fixed(algorithms::EstimateOf(profile.losses).mean, 4),
           DifferenceText(AgainstGuessing(world, profile)),
           first ? "" : DifferenceText(AgainstFirst(world, profile)), SpreadsText(profile)});
    }
  }
  context.out() << TableText(rows);
}

nlohmann::ordered_json ToJson(const Estimate& estimate) {
  return {{"mean", estimate.mean}, {"error", estimate.error}};
}

void PrintWorldsJson(Context& context, const std::vector<SimulatedWorld>& worlds) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const SimulatedWorld& world : worlds) {
    for (const SimulatedProfile& profile : world.profiles) {
      out.push_back({{"seats", world.seats == SeatClass::kTwo ? 2 : 4},
                     {"spread", world.spread},
                     {"guessing", world.guessing},
                     {"profile", profile.profile.name},
                     {"log_loss", ToJson(algorithms::EstimateOf(profile.losses))},
                     {"against_guessing", ToJson(AgainstGuessing(world, profile))},
                     {"dice_against_it", ToJson(AgainstFirst(world, profile))},
                     {"shown_spreads", profile.spreads}});
    }
  }
  context.out() << out.dump(2) << "\n";
}

// Two seats: the dice profile beats guessing and every chess profile clearly.
absl::Status Judge(const std::vector<SimulatedWorld>& worlds) {
  for (const SimulatedWorld& world : worlds) {
    for (const SimulatedProfile& profile : world.profiles) {
      const bool first = &profile == &world.profiles.front();
      const Estimate difference =
          first ? AgainstGuessing(world, profile) : AgainstFirst(world, profile);
      if (difference.ErrorsBelowZero() > kClear) continue;
      return absl::FailedPreconditionError(
          WorldText(world) + ": the dice profile is not clearly better than " +
          (first ? "guessing" : "the profile " + profile.profile.name) + ".");
    }
  }
  return absl::OkStatus();
}

absl::Status RunSimulate(Context& context, const SimulateOptions& options) {
  std::vector<SimulatedWorld> worlds;
  for (const double spread : {60.0, 100.0}) {
    worlds.push_back(Simulate(options, SeatClass::kTwo, spread));
  }
  for (const double spread : {0.2, 0.35}) {
    worlds.push_back(Simulate(options, SeatClass::kTable, spread));
  }
  options.json ? PrintWorldsJson(context, worlds) : PrintWorlds(context, worlds);
  return options.check ? Judge(worlds) : absl::OkStatus();
}

// ---- calibrate

struct CalibrateOptions {
  LocalGame local;
  algorithms::BotPopulation population;
  uint64_t duels = 1'000;
  std::string svg;
  bool json = false;
};

constexpr std::array kDeviations = {25.0,  50.0,  75.0,  100.0, 125.0, 150.0,
                                    175.0, 200.0, 250.0, 300.0, 350.0, 500.0};
constexpr std::array kVolatilities = {0.03, 0.04, 0.06};
constexpr std::array kTaus = {0.3, 0.5};

struct Calibration {
  SeatClass seats = SeatClass::kTwo;
  double guessing = 0;
  double strong_share = 0;  // of games of two that the strong bot wins against random
  size_t matches = 0;
  std::vector<algorithms::CalibrationPoint> points;

  const algorithms::CalibrationPoint& Best() const {
    return *std::ranges::min_element(points, {}, &algorithms::CalibrationPoint::log_loss);
  }
};

// Half a game more for each, so that a bot that always wins has a gap too.
absl::StatusOr<double> StrongShare(const host::Ruleset& ruleset, const CalibrateOptions& options,
                                   size_t seats) {
  algorithms::SelfPlay play;
  play.options = options.population.options;
  play.games = options.duels;
  play.seed = options.population.seed;
  play.bots.assign(seats, "random");
  play.bots[0] = options.population.strong;
  const auto report = algorithms::RunSelfPlay(ruleset, play);
  if (!report.ok()) return report.status();
  // Of a table of more than two: the odds against one of the others.
  const auto wins = static_cast<double>(report->wins_by_bot[0]) + 0.5;
  const double others =
      static_cast<double>(report->games - report->draws - report->wins_by_bot[0]) + 0.5;
  return wins / (wins + others / static_cast<double>(seats - 1));
}

absl::StatusOr<Calibration> Calibrate(const host::Ruleset& ruleset,
                                      const CalibrateOptions& options) {
  const auto start = ruleset.Start(options.population.options);
  if (!start.ok()) return start.status();
  const auto seats = static_cast<size_t>(ruleset.Seats(*start));
  Calibration calibration;
  calibration.seats = seats == 2 ? SeatClass::kTwo : SeatClass::kTable;
  calibration.guessing = std::log(static_cast<double>(seats));
  const auto share = StrongShare(ruleset, options, seats);
  if (!share.ok()) return share.status();
  calibration.strong_share = *share;
  const auto matches = algorithms::PlayPopulation(ruleset, options.population);
  if (!matches.ok()) return matches.status();
  calibration.matches = matches->size();
  calibration.points = algorithms::LikelihoodGrid(RatingProfile(), calibration.seats, *matches,
                                                  kDeviations, kVolatilities, kTaus);
  return calibration;
}

void PrintCalibration(Context& context, const CalibrateOptions& options,
                      const Calibration& calibration) {
  const double gap = algorithms::EloGap(calibration.strong_share);
  context.out() << options.population.strong
                << " against random: " << Fixed(100 * calibration.strong_share, 1) << " % of "
                << options.duels << " games, " << Fixed(gap, 0)
                << " points; a quarter of that: " << Fixed(gap / 4, 0) << "\n"
                << calibration.matches << " games of " << options.population.players
                << " bots from random to " << options.population.strong << ", seed "
                << options.population.seed << "; guessing: " << Fixed(calibration.guessing, 4)
                << "\n\n";
  std::vector<std::vector<std::string>> rows = {
      {"START DEVIATION", "VOLATILITY", "TAU", "LOG LOSS", "AGAINST GUESSING"}};
  for (const algorithms::CalibrationPoint& point : calibration.points) {
    const bool two = calibration.seats == SeatClass::kTwo;
    rows.push_back({Fixed(point.profile.start.deviation, 0),
                    two ? Fixed(point.profile.start.volatility, 2) : "-",
                    two ? Fixed(point.profile.tau, 1) : "-", Fixed(point.log_loss, 4),
                    Fixed(point.log_loss - calibration.guessing, 4) +
                        (&point == &calibration.Best() ? "  best" : "")});
  }
  context.out() << TableText(rows);
}

void PrintCalibrationJson(Context& context, const CalibrateOptions& options,
                          const Calibration& calibration) {
  nlohmann::ordered_json out;
  out["strong"] = options.population.strong;
  out["strong_share"] = calibration.strong_share;
  out["gap"] = algorithms::EloGap(calibration.strong_share);
  out["matches"] = calibration.matches;
  out["seed"] = options.population.seed;
  out["guessing"] = calibration.guessing;
  out["best_start_deviation"] = calibration.Best().profile.start.deviation;
  for (const algorithms::CalibrationPoint& point : calibration.points) {
    out["points"].push_back({{"start_deviation", point.profile.start.deviation},
                             {"volatility", point.profile.start.volatility},
                             {"tau", point.profile.tau},
                             {"log_loss", point.log_loss}});
  }
  context.out() << out.dump(2) << "\n";
}

absl::Status RunCalibrate(Context& context, CalibrateOptions options) {
  const auto ruleset = OpenLocal(options.local);
  if (!ruleset.ok()) return ruleset.status();
  auto values = OptionsOf(options.local, **ruleset);
  if (!values.ok()) return values.status();
  options.population.options = *std::move(values);
  if (context.terminal().out_is_tty) {
    options.population.progress = [&](uint64_t done, uint64_t all) {
      if (done % 20 != 0 && done != all) return;
      context.err() << "\r" << done << " of " << all << " games" << (done == all ? "\r\x1b[K" : "")
                    << std::flush;
    };
  }
  const auto calibration = Calibrate(**ruleset, options);
  if (!calibration.ok()) return calibration.status();
  if (options.json) {
    PrintCalibrationJson(context, options, *calibration);
  } else {
    PrintCalibration(context, options, *calibration);
  }
  if (options.svg.empty()) return absl::OkStatus();
  std::ofstream file(options.svg);
  file << algorithms::CalibrationChart((*ruleset)->about().name + ": starting deviation",
                                       calibration->seats, calibration->points,
                                       calibration->guessing);
  file.close();
  if (!file) return absl::FailedPreconditionError("Cannot write " + options.svg);
  context.err() << "Drawn to " << options.svg << "\n";
  return absl::OkStatus();
}

}  // namespace

Action DefineRatingsSimulate(CLI::App& app) {
  auto options = std::make_shared<SimulateOptions>();
  app.add_option("--seeds", options->seeds, "How many worlds of each kind")
      ->check(CLI::Range(2, 10'000))
      ->capture_default_str();
  app.add_option("--seed", options->first_seed, "The first one")->capture_default_str();
  app.add_option("--players", options->simulation.players, "In each world; a multiple of four")
      ->check(CLI::Range(4, 100'000))
      ->capture_default_str();
  app.add_option("--rounds", options->simulation.rounds, "Games of each player")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  app.add_flag("--any-opponent", options->any_opponent,
               "Anybody plays anybody, instead of those with similar ratings each other");
  app.add_flag("--check", options->check,
               "Fail unless the dice profile is better than guessing and than the profiles of "
               "chess by three standard errors");
  app.add_flag("--json", options->json, "For programs");
  return [options](Context& context) { return RunSimulate(context, *options); };
}

Action DefineRatingsCalibrate(CLI::App& app) {
  auto options = std::make_shared<CalibrateOptions>();
  app.add_option("RULESET", options->local.ruleset, "A ruleset's id, or the path of its library")
      ->required();
  app.add_option("--strong", options->population.strong,
                 "The bot that the best of the players are: greedy or expectimax")
      ->capture_default_str();
  app.add_option("--players", options->population.players, "From random to strong, evenly")
      ->check(CLI::Range(2, 10'000))
      ->capture_default_str();
  app.add_option("--rounds", options->population.rounds, "Games of each player")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--duels", options->duels, "Games of strong against random, for the gap")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--seed", options->population.seed, "The same seed gives the same games")
      ->capture_default_str();
  AddLocalGameOptions(app, options->local);
  app.add_option("--svg", options->svg, "Draw the likelihoods as a chart, to this file");
  app.add_flag("--json", options->json, "For programs");
  return [options](Context& context) { return RunCalibrate(context, *options); };
}

}  // namespace astragal::cli
