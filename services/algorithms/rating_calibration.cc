#include "services/algorithms/rating_calibration.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

#include "services/algorithms/bots.h"
#include "services/algorithms/chart.h"
#include "services/algorithms/selfplay.h"

namespace astragal::algorithms {
namespace {

constexpr double kShownPerMu = 30;

std::string NumberText(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

std::string BotOf(const BotPopulation& population, uint32_t player) {
  const int percent =
      static_cast<int>(std::lround(100.0 * player / std::max(1, population.players - 1)));
  return population.strong + '@' + std::to_string(percent);
}

absl::StatusOr<RatedMatch> PlayOne(const host::Ruleset& ruleset, const BotPopulation& population,
                                   absl::Span<const uint32_t> players, uint64_t seed, int round) {
  SelfPlay play;
  play.options = population.options;
  play.games = 1;
  play.seed = seed;
  play.rotate_seats = false;
  for (const uint32_t player : players) play.bots.push_back(BotOf(population, player));
  const absl::StatusOr<SelfPlayReport> report = RunSelfPlay(ruleset, play);
  if (!report.ok()) return report.status();
  RatedMatch match;
  match.finished_at = {round * kMicrosOfDay};
  match.seats = static_cast<uint8_t>(players.size());
  match.exempt = true;
  for (size_t seat = 0; seat < players.size(); ++seat) {
    match.players[seat] = players[seat];
    // Who did not come first alone shares the second place; in a draw all are equal.
    const bool first = report->draws > 0 || report->wins_by_bot[seat] > 0;
    match.places[seat] = first ? 1 : 2;
  }
  return match;
}

}  // namespace

absl::StatusOr<std::vector<RatedMatch>> PlayPopulation(const host::Ruleset& ruleset,
                                                       const BotPopulation& population) {
  const absl::StatusOr<host::Position> start = ruleset.Start(population.options);
  if (!start.ok()) return start.status();
  const auto seats = static_cast<size_t>(ruleset.Seats(*start));
  if (seats < 2 || seats > kMaxRatedSeats || population.players < static_cast<int>(seats) ||
      population.players % static_cast<int>(seats) != 0) {
    return absl::InvalidArgumentError("the players must fill whole tables of two, three or four");
  }
  std::vector<uint32_t> order(static_cast<size_t>(population.players));
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  PlayRandom random(population.seed);
  std::vector<RatedMatch> matches;
  const uint64_t all = order.size() / seats * static_cast<uint64_t>(population.rounds);
  for (int round = 1; round <= population.rounds; ++round) {
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.Below(i)]);
    for (size_t at = 0; at < order.size(); at += seats) {
      const absl::StatusOr<RatedMatch> match = PlayOne(
          ruleset, population, absl::MakeConstSpan(order).subspan(at, seats), random.Next(), round);
      if (!match.ok()) return match.status();
      matches.push_back(*match);
      if (population.progress) population.progress(matches.size(), all);
    }
  }
  return matches;
}

double LogLossOf(const RatingProfile& profile, SeatClass seats,
                 absl::Span<const RatedMatch> matches) {
  RatingPool pool(profile, seats);
  double loss = 0;
  double counted = 0;
  for (const RatedMatch& match : matches) {
    std::vector<WengLin> table;
    std::vector<Standing> standings;
    size_t winners = 0;
    size_t winner = 0;
    for (size_t seat = 0; seat < match.seats; ++seat) {
      standings.push_back(
          AgedStanding(profile, seats, pool.Of(match.players[seat]), match.finished_at));
      table.push_back({standings.back().rating, standings.back().deviation});
      if (match.places[seat] != 1) continue;
      ++winners;
      winner = seat;
    }
    if (winners == 1) {
      const auto glicko = [&](size_t seat) {
        const Standing& standing = standings[seat];
        return Glicko{standing.rating, standing.deviation, standing.volatility};
      };
      const double chance = seats == SeatClass::kTwo
                                ? ExpectedGlickoScore(glicko(winner), glicko(1 - winner),
                                                      MatchInformation(profile, match.length))
                                : FirstPlaceChances(table, profile.table.beta)[winner];
      loss -= std::log(chance);
      ++counted;
    }
    pool.Apply(match);
  }
  return counted > 0 ? loss / counted : 0;
}

std::vector<CalibrationPoint> LikelihoodGrid(const RatingProfile& base, SeatClass seats,
                                             absl::Span<const RatedMatch> matches,
                                             absl::Span<const double> deviations,
                                             absl::Span<const double> volatilities,
                                             absl::Span<const double> taus) {
  std::vector<CalibrationPoint> points;
  for (const double deviation : deviations) {
    for (const double volatility : volatilities) {
      for (const double tau : taus) {
        RatingProfile profile = base;
        profile.start.deviation = profile.most_deviation = deviation;
        profile.least_deviation = std::min(profile.least_deviation, deviation);
        profile.start.volatility = volatility;
        profile.tau = tau;
        profile.table_start.sigma = deviation / kShownPerMu;
        points.push_back({profile, LogLossOf(profile, seats, matches)});
        if (seats != SeatClass::kTwo) break;
      }
      if (seats != SeatClass::kTwo) break;
    }
  }
  return points;
}

double EloGap(double share) { return 400 * std::log10(share / (1 - share)); }

std::string CalibrationChart(std::string_view title, SeatClass seats,
                             absl::Span<const CalibrationPoint> points, double guessing) {
  std::map<std::pair<double, double>, ChartLine> lines;
  ChartLine guess{"guessing", {}, true};
  for (const CalibrationPoint& point : points) {
    const double deviation = point.profile.start.deviation;
    const auto key = std::pair(point.profile.start.volatility, point.profile.tau);
    ChartLine& line = lines[seats == SeatClass::kTwo ? key : std::pair(0.0, 0.0)];
    line.name = seats == SeatClass::kTwo
                    ? "volatility " + NumberText(key.first) + ", tau " + NumberText(key.second)
                    : "Plackett-Luce";
    line.points.push_back({deviation, point.log_loss});
    if (guess.points.empty() || guess.points.back().x < deviation) {
      guess.points.push_back({deviation, guessing});
    }
  }
  Chart chart;
  chart.title = std::string(title);
  chart.x_name = "starting deviation, points";
  chart.y_name = "log loss of the predictions";
  chart.y_digits = 4;
  for (auto& [key, line] : lines) chart.lines.push_back(std::move(line));
  chart.lines.push_back(std::move(guess));
  return DrawChart(chart);
}

}  // namespace astragal::algorithms
