// What the rating formulas promise beyond the reference data, which vector_check compares.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "services/algorithms/bots.h"
#include "services/algorithms/fibs.h"
#include "services/algorithms/glicko2.h"
#include "services/algorithms/rating_profile.h"
#include "services/algorithms/weng_lin.h"

namespace astragal::algorithms {
namespace {

using testing::DoubleNear;

bool IsFinite(const Glicko& player) {
  return std::isfinite(player.rating) && std::isfinite(player.deviation) &&
         std::isfinite(player.volatility) && player.deviation > 0;
}

TEST(Glicko2Test, GivesFiniteNumbersInEveryCorner) {
  for (const double rating : {-5000.0, 100.0, 1500.0, 3500.0, 20000.0}) {
    for (const double other : {-5000.0, 100.0, 1500.0, 3500.0, 20000.0}) {
      for (const double deviation : {1e-3, 40.0, 350.0, 5000.0}) {
        for (const double volatility : {1e-6, 0.04, 1.0}) {
          for (const double information : {1.0 / 15, 1.0, 1000.0}) {
            for (const double score : {0.0, 0.5, 1.0}) {
              for (const double tau : {0.0, 0.05, 0.3, 2.0}) {
                const GlickoGame game{other, deviation, score, information, 0};
                const Glicko after =
                    UpdateGlicko({rating, deviation, volatility}, {&game, 1}, tau, 0);
                ASSERT_TRUE(IsFinite(after))
                    << rating << ' ' << other << ' ' << deviation << ' ' << volatility << ' '
                    << information << ' ' << score << ' ' << tau;
              }
            }
          }
        }
      }
    }
  }
}

TEST(Glicko2Test, AWinNeverLowersARatingAndALossNeverRaisesIt) {
  PlayRandom random(7);
  const auto within = [&](double least, double most) {
    return least + (most - least) * static_cast<double>(random.Below(1'000'001)) / 1e6;
  };
  for (int i = 0; i < 100'000; ++i) {
    const Glicko player{within(100, 3500), within(40, 500), within(0.01, 0.1)};
    GlickoGame game{within(100, 3500), within(40, 500), 1, within(0.1, 10), within(-50, 50)};
    ASSERT_GE(UpdateGlicko(player, {&game, 1}, 0.3, 0).rating, player.rating) << i;
    game.score = 0;
    ASSERT_LE(UpdateGlicko(player, {&game, 1}, 0.3, 0).rating, player.rating) << i;
  }
}

// Section 1.4 of the specification of ratings: first matches of newcomers.
TEST(Glicko2Test, AFirstMatchMovesANewcomerAsFarAsTheProfileSays) {
  const struct {
    RatingProfile profile;
    double change;
  } cases[] = {{RatingProfile(), 51}, {PaperProfile(), 162}};
  for (const auto& [profile, change] : cases) {
    const GlickoGame game{1500, profile.start.deviation, 1, 1, 0};
    const Glicko after = UpdateGlicko(profile.start, {&game, 1}, profile.tau, 0);
    EXPECT_THAT(after.rating - 1500, DoubleNear(change, 0.5)) << profile.name;
  }
}

// Its table: matches against equals of deviation 80 until the own one is below a bound.
TEST(Glicko2Test, TheDeviationFallsAsFastAsTheTableSays) {
  const struct {
    double information;
    std::vector<int> matches;  // until below 110, 90, 75, 60, 50
  } rows[] = {{1, {5, 11, 18, 30, 46}},
              {2, {3, 6, 9, 15, 23}},
              {3, {2, 4, 6, 10, 16}},
              {4, {2, 3, 5, 8, 12}}};
  const double bounds[] = {110, 90, 75, 60, 50};
  for (const auto& [information, matches] : rows) {
    for (size_t i = 0; i < matches.size(); ++i) {
      Glicko player = RatingProfile().start;
      int played = 0;
      while (player.deviation >= bounds[i]) {
        const GlickoGame game{1500, 80, played % 2 == 0 ? 1.0 : 0.0, information, 0};
        player.deviation = UpdateGlicko(player, {&game, 1}, 0.3, 0).deviation;
        ++played;
      }
      EXPECT_EQ(played, matches[i]) << "information " << information << ", below " << bounds[i];
    }
  }
}

TEST(Glicko2Test, SilenceGrowsTheDeviationFrom50To100InAYear) {
  const RatingProfile profile;
  EXPECT_THAT(AgedDeviation(50, 0.04, 365 * profile.periods_per_day), DoubleNear(100, 0.01));
  // Lichess: 60 grows to 110 in a year at volatility 0.06.
  EXPECT_THAT(AgedDeviation(60, 0.06, 365 * LichessProfile().periods_per_day),
              DoubleNear(110.0008, 0.0001));
}

TEST(WengLinTest, GivesFiniteNumbersInEveryCorner) {
  for (const double mu : {-1e6, 0.0, 25.0, 1e6}) {
    for (const double sigma : {1e-6, 2.5, 1000.0}) {
      for (const std::vector<int>& places :
           {std::vector<int>{1, 1, 1, 1}, {1, 2, 3, 4}, {4, 3, 2, 1}, {1, 2, 2, 2}, {7, 7, 0, 9}}) {
        const std::vector<WengLin> players = {{mu, sigma}, {25, 2.5}, {-mu, 1}, {0, sigma}};
        for (const auto& update : {UpdatePlackettLuce, UpdateBradleyTerry}) {
          for (const WengLin& after : update(players, places, {})) {
            EXPECT_TRUE(std::isfinite(after.mu) && std::isfinite(after.sigma) && after.sigma > 0)
                << mu << ' ' << sigma;
          }
        }
        for (const double chance : FirstPlaceChances(players, 25.0 / 6)) {
          EXPECT_TRUE(chance >= 0 && chance <= 1);
        }
      }
    }
  }
}

TEST(WengLinTest, TheFirstNeverLosesAndTheLastNeverGains) {
  PlayRandom random(11);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<WengLin> players;
    for (int seat = 0; seat < 4; ++seat) {
      players.push_back({static_cast<double>(random.Below(50)),
                         0.5 + static_cast<double>(random.Below(80)) / 10});
    }
    const std::vector<WengLin> after = UpdatePlackettLuce(players, {1, 2, 3, 4}, {});
    ASSERT_GE(after[0].mu, players[0].mu);
    ASSERT_LE(after[3].mu, players[3].mu);
  }
}

TEST(WengLinTest, AllOrdersTogetherAreCertain) {
  std::vector<WengLin> players = {{28, 2}, {26, 2}, {24, 2}};
  const std::vector<double> first = FirstPlaceChances(players, 25.0 / 6);
  std::vector<size_t> order = {0, 1, 2};
  double all = 0;
  std::vector<double> as_first(3);
  do {
    const double chance =
        OrderChance({{players[order[0]], players[order[1]], players[order[2]]}}, 25.0 / 6);
    all += chance;
    as_first[order[0]] += chance;
  } while (std::ranges::next_permutation(order).found);
  EXPECT_THAT(all, DoubleNear(1, 1e-12));
  for (size_t i = 0; i < 3; ++i) EXPECT_THAT(as_first[i], DoubleNear(first[i], 1e-12));
}

TEST(FibsTest, IsAZeroSumBetweenOldHands) {
  const FibsChange change = UpdateFibs({1600, 1000}, {1500, 1000}, 5);
  EXPECT_EQ(change.winner_change, -change.loser_change);
  EXPECT_EQ(change.winner.experience, 1005);
}

TEST(RatingProfileTest, IsReadBackFromItsText) {
  for (RatingProfile profile : {RatingProfile(), PaperProfile(), LichessProfile()}) {
    profile.fibs = !profile.fibs;
    profile.tau = 1.0 / 3;
    const auto read = ParseProfile(FormatProfile(profile));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, profile);
  }
}

TEST(RatingProfileTest, RefusesWhatMakesNoSense) {
  for (const char* text :
       {"tau", "tau=", "tau=x", "tau=-1", "tau=nan", "start_deviation=0", "unknown=1", "fibs=1",
        "name=", "least_deviation=200 most_deviation=100", "tau=0.3x"}) {
    EXPECT_FALSE(ParseProfile(text).ok()) << text;
  }
}

}  // namespace
}  // namespace astragal::algorithms
