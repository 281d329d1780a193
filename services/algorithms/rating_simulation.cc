#include "services/algorithms/rating_simulation.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "services/algorithms/bots.h"

namespace astragal::algorithms {
namespace {

class Chance {
 public:
  explicit Chance(uint64_t seed) : random_(seed) {}

  // In (0, 1).
  double Uniform() { return (static_cast<double>(random_.Next() >> 11) + 0.5) * 0x1p-53; }
  double Normal() {
    return std::sqrt(-2 * std::log(Uniform())) * std::cos(2 * std::numbers::pi * Uniform());
  }

 private:
  PlayRandom random_;
};

class Simulation {
 public:
  Simulation(const RatingProfile& profile, const RatingSimulation& wanted)
      : wanted_(wanted), chance_(wanted.seed), pool_(profile, wanted.seats) {
    for (int i = 0; i < wanted.players; ++i) {
      strengths_.push_back(wanted.spread * chance_.Normal());
      order_.push_back(static_cast<uint32_t>(i));
    }
  }

  SimulatedRatings Run() {
    const size_t seats = wanted_.seats == SeatClass::kTwo ? 2 : 4;
    SimulatedRatings result;
    result.guessing = std::log(static_cast<double>(seats));
    double matches = 0;
    for (int round = 1; round <= wanted_.rounds; ++round) {
      Arrange();
      for (size_t at = 0; at + seats <= order_.size(); at += seats) {
        result.log_loss += seats == 2 ? PlayTwo(at, round) : PlayTable(at, round);
        ++matches;
      }
      if (std::ranges::find(kSpreadMarks, round) != std::end(kSpreadMarks)) {
        result.shown_spreads.push_back(Spread());
      }
    }
    result.log_loss /= matches;
    result.correlation = Correlation();
    return result;
  }

 private:
  // Neighbours in order_ sit together.
  void Arrange() {
    std::vector<double> keys;
    for (uint32_t i = 0; i < order_.size(); ++i) {
      const double shown = ShownRating(wanted_.seats, pool_.Of(i).rating);
      keys.push_back((wanted_.similar ? shown : 0) + wanted_.closeness * chance_.Normal());
    }
    std::sort(order_.begin(), order_.end(),
              [&](uint32_t x, uint32_t y) { return keys[x] > keys[y]; });
  }

  RatedMatch MatchOf(size_t at, int round, size_t seats) const {
    RatedMatch match;
    match.finished_at = {round * kMicrosOfDay};
    match.seats = static_cast<uint8_t>(seats);
    match.exempt = true;
    for (size_t seat = 0; seat < seats; ++seat) match.players[seat] = order_[at + seat];
    return match;
  }

  Standing Now(uint32_t player, int round) const {
    return AgedStanding(pool_.profile(), wanted_.seats, pool_.Of(player), {round * kMicrosOfDay});
  }

  double PlayTwo(size_t at, int round) {
    RatedMatch match = MatchOf(at, round, 2);
    const Standing one = Now(match.players[0], round);
    const Standing other = Now(match.players[1], round);
    const double expected = ExpectedGlickoScore({one.rating, one.deviation, one.volatility},
                                                {other.rating, other.deviation, other.volatility});
    const double gap = strengths_[match.players[0]] - strengths_[match.players[1]];
    const bool won = chance_.Uniform() < 1 / (1 + std::pow(10, -gap / 400));
    match.places = {static_cast<uint8_t>(won ? 1 : 2), static_cast<uint8_t>(won ? 2 : 1)};
    pool_.Apply(match);
    return -std::log(won ? expected : 1 - expected);
  }

  double PlayTable(size_t at, int round) {
    RatedMatch match = MatchOf(at, round, 4);
    std::vector<WengLin> players;
    // The first of exponential clocks that run at the players' weights is the winner, and so on.
    std::vector<std::pair<double, size_t>> clocks;
    for (size_t seat = 0; seat < 4; ++seat) {
      const Standing standing = pool_.Of(match.players[seat]);
      players.push_back({standing.rating, standing.deviation});
      clocks.push_back(
          {-std::log(chance_.Uniform()) / std::exp(strengths_[match.players[seat]]), seat});
    }
    std::ranges::sort(clocks);
    for (size_t i = 0; i < 4; ++i) match.places[clocks[i].second] = static_cast<uint8_t>(i + 1);
    const double expected =
        FirstPlaceChances(players, pool_.profile().table.beta)[clocks[0].second];
    pool_.Apply(match);
    return -std::log(expected);
  }

  std::vector<double> Shown() const {
    std::vector<double> shown;
    for (uint32_t i = 0; i < strengths_.size(); ++i) {
      shown.push_back(ShownRating(wanted_.seats, pool_.Of(i).rating));
    }
    return shown;
  }

  double Spread() const {
    const std::vector<double> shown = Shown();
    return EstimateOf(shown).error * std::sqrt(static_cast<double>(shown.size()));
  }

  double Correlation() const {
    const std::vector<double> shown = Shown();
    const double rating_mean = EstimateOf(shown).mean;
    const double strength_mean = EstimateOf(strengths_).mean;
    double both = 0;
    double ratings = 0;
    double strengths = 0;
    for (size_t i = 0; i < shown.size(); ++i) {
      const double x = shown[i] - rating_mean;
      const double y = strengths_[i] - strength_mean;
      both += x * y;
      ratings += x * x;
      strengths += y * y;
    }
    return both / std::sqrt(ratings * strengths);
  }

  const RatingSimulation wanted_;
  Chance chance_;
  RatingPool pool_;
  std::vector<double> strengths_;
  std::vector<uint32_t> order_;
};

}  // namespace

SimulatedRatings SimulateRatings(const RatingProfile& profile, const RatingSimulation& simulation) {
  return Simulation(profile, simulation).Run();
}

Estimate EstimateOf(absl::Span<const double> values) {
  Estimate estimate;
  const auto count = static_cast<double>(values.size());
  if (values.empty()) return estimate;
  estimate.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - estimate.mean) * (value - estimate.mean);
  if (values.size() > 1) estimate.error = std::sqrt(squares / (count - 1) / count);
  return estimate;
}

Estimate PairedDifference(absl::Span<const double> first, absl::Span<const double> second) {
  std::vector<double> differences;
  for (size_t i = 0; i < first.size() && i < second.size(); ++i) {
    differences.push_back(first[i] - second[i]);
  }
  return EstimateOf(differences);
}

}  // namespace astragal::algorithms
