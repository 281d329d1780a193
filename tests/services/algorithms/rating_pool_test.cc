// A pool of ratings: the properties that a recomputation rests on, the rules around it.
#include "services/algorithms/rating_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "services/algorithms/bots.h"

namespace astragal::algorithms {
namespace {

constexpr int64_t kHour = kMicrosOfDay / 24;

base::Instant Day(double days) {
  return {1'700'000'000'000'000 + static_cast<int64_t>(days * kMicrosOfDay)};
}

RatedMatch Duel(uint32_t winner, uint32_t loser, double day) {
  RatedMatch match;
  match.finished_at = Day(day);
  match.players = {winner, loser};
  match.places = {1, 2};
  return match;
}

std::vector<RatedMatch> RandomMatches(size_t count, uint32_t players, SeatClass seats,
                                      uint64_t seed) {
  PlayRandom random(seed);
  std::vector<RatedMatch> matches;
  int64_t at = Day(0).micros;
  while (matches.size() < count) {
    RatedMatch match;
    at += static_cast<int64_t>(random.Below(10 * kHour));
    match.finished_at = {at};
    match.seats = static_cast<uint8_t>(seats == SeatClass::kTwo ? 2 : 3 + random.Below(2));
    match.length = static_cast<uint16_t>(1 + random.Below(7));
    match.exempt = random.Below(3) == 0;
    for (size_t seat = 0; seat < match.seats; ++seat) {
      do {
        match.players[seat] = static_cast<uint32_t>(random.Below(players));
      } while (std::find(match.players.begin(), match.players.begin() + seat,
                         match.players[seat]) != match.players.begin() + seat);
      match.estimates[seat] = static_cast<int8_t>(static_cast<int>(match.players[seat] % 3) - 1);
      match.places[seat] = static_cast<uint8_t>(1 + random.Below(match.seats));
    }
    matches.push_back(match);
  }
  return matches;
}

std::vector<Standing> StandingsOf(const RatingPool& pool) {
  std::vector<Standing> standings;
  for (uint32_t i = 0; i < pool.players(); ++i) standings.push_back(pool.Of(i));
  return standings;
}

void ApplyAll(RatingPool& pool, const std::vector<RatedMatch>& matches, size_t from = 0) {
  for (size_t i = from; i < matches.size(); ++i) pool.Apply(matches[i]);
}

class PoolOf : public testing::TestWithParam<SeatClass> {};

INSTANTIATE_TEST_SUITE_P(Seats, PoolOf, testing::Values(SeatClass::kTwo, SeatClass::kTable),
                         [](const testing::TestParamInfo<SeatClass>& tested) {
                           return tested.param == SeatClass::kTwo ? "Two" : "Table";
                         });

TEST_P(PoolOf, ReplaysFromAnyCheckpointToTheSameBits) {
  const auto matches = RandomMatches(2'000, 30, GetParam(), 1);
  RatingPool live({}, GetParam());
  std::vector<RatingPool> checkpoints;
  for (size_t i = 0; i < matches.size(); ++i) {
    if (i % 500 == 0) checkpoints.push_back(live);
    live.Apply(matches[i]);
  }
  for (size_t i = 0; i < checkpoints.size(); ++i) {
    RatingPool replayed = checkpoints[i];
    ApplyAll(replayed, matches, i * 500);
    EXPECT_EQ(StandingsOf(replayed), StandingsOf(live)) << "from match " << i * 500;
  }
}

TEST_P(PoolOf, ACorrectionAndItsReversalIsTheOriginalBitForBit) {
  const auto matches = RandomMatches(1'000, 20, GetParam(), 2);
  RatingPool original({}, GetParam());
  ApplyAll(original, matches);
  for (const size_t changed : {size_t{0}, size_t{17}, size_t{500}, size_t{999}}) {
    for (const bool annul : {false, true}) {
      auto corrected = matches;
      RatedMatch& match = corrected[changed];
      if (annul) {
        match.annulled = true;
      } else {
        std::reverse(match.places.begin(), match.places.begin() + match.seats);
        match.places[0] = static_cast<uint8_t>(match.places[0] + 1);
      }
      RatingPool shadow({}, GetParam());
      ApplyAll(shadow, corrected);
      EXPECT_NE(StandingsOf(shadow), StandingsOf(original)) << changed;
      corrected[changed] = matches[changed];
      RatingPool back({}, GetParam());
      ApplyAll(back, corrected);
      EXPECT_EQ(StandingsOf(back), StandingsOf(original)) << changed;
    }
  }
}

TEST_P(PoolOf, MatchesOfDifferentPlayersCommute) {
  PlayRandom random(3);
  const size_t seats = GetParam() == SeatClass::kTwo ? 2 : 4;
  for (int round = 0; round < 500; ++round) {
    auto matches = RandomMatches(2, 100, GetParam(), random.Next());
    for (size_t seat = 0; seat < seats; ++seat) {
      matches[0].players[seat] = static_cast<uint32_t>(seat);
      matches[1].players[seat] = static_cast<uint32_t>(seats + seat);
    }
    RatingPool one({}, GetParam());
    ApplyAll(one, RandomMatches(50, 8, GetParam(), 4));
    RatingPool other = one;
    one.Apply(matches[0]);
    one.Apply(matches[1]);
    other.Apply(matches[1]);
    other.Apply(matches[0]);
    ASSERT_EQ(StandingsOf(one), StandingsOf(other)) << "round " << round;
  }
}

TEST_P(PoolOf, GoesOnFromStoredValuesAsIfItHadNeverStopped) {
  const auto matches = RandomMatches(1'000, 12, GetParam(), 5);
  RatingPool live({}, GetParam());
  ApplyAll(live, {matches.begin(), matches.begin() + 600});
  RatingPool loaded({}, GetParam());
  for (uint32_t i = 0; i < 12; ++i) {
    loaded.Set(i, live.Of(i));
    for (uint32_t j = 0; j < i; ++j) {
      const PairRecord pair = live.PairOf(i, j);
      if (pair.matches > 0) loaded.SetPair(i, j, pair);
      EXPECT_EQ(loaded.PairOf(j, i), pair);
    }
  }
  ApplyAll(live, matches, 600);
  ApplyAll(loaded, matches, 600);
  EXPECT_EQ(StandingsOf(loaded), StandingsOf(live));
}

TEST(RatingPoolTest, AMillionMatchesBetweenEqualsStayBounded) {
  PlayRandom random(6);
  RatingPool pool({}, SeatClass::kTwo);
  double lowest = 1500;
  double highest = 1500;
  for (int i = 0; i < 1'000'000; ++i) {
    const auto one = static_cast<uint32_t>(random.Below(50));
    const auto other = static_cast<uint32_t>((one + 1 + random.Below(49)) % 50);
    RatedMatch match = Duel(one, other, i / 5'000.0);
    match.exempt = true;
    const MatchOutcome outcome = pool.Apply(match);
    for (size_t seat = 0; seat < 2; ++seat) {
      const Standing& after = outcome.changes[seat].after;
      ASSERT_TRUE(std::isfinite(after.rating) && std::isfinite(after.deviation));
      ASSERT_GE(after.volatility, 0.01);
      ASSERT_LE(after.volatility, 0.08);
      lowest = std::min(lowest, after.rating);
      highest = std::max(highest, after.rating);
    }
  }
  EXPECT_GT(lowest, 1150);
  EXPECT_LT(highest, 1850);
}

TEST(RatingPoolTest, AWinNeverLowersARating) {
  const auto matches = RandomMatches(20'000, 40, SeatClass::kTwo, 8);
  RatingPool pool({}, SeatClass::kTwo);
  for (const RatedMatch& match : matches) {
    const MatchOutcome outcome = pool.Apply(match);
    if (!outcome.rated || match.places[0] == match.places[1]) continue;
    const size_t winner = match.places[0] < match.places[1] ? 0 : 1;
    ASSERT_GE(outcome.changes[winner].after.rating, outcome.changes[winner].before.rating);
    ASSERT_LE(outcome.changes[1 - winner].after.rating, outcome.changes[1 - winner].before.rating);
  }
}

TEST(RatingPoolTest, OneMatchMovesARatingByAtMostTheProfilesMost) {
  RatingProfile profile;
  profile.most_change = 20;
  RatingPool pool(profile, SeatClass::kTwo);
  const MatchOutcome outcome = pool.Apply(Duel(0, 1, 0));
  EXPECT_EQ(outcome.changes[0].after.rating, 1520);
  EXPECT_EQ(outcome.changes[1].after.rating, 1480);
}

TEST(RatingPoolTest, ThePairRuleWeighsFromTheSixthMatchAndEndsAtTwenty) {
  RatingPool pool({}, SeatClass::kTwo);
  for (int n = 1; n <= 25; ++n) {
    const MatchOutcome outcome = pool.Apply(Duel(n % 2, 1 - n % 2, n * 0.1));
    EXPECT_EQ(outcome.rated, n <= 20) << n;
    const double weight = n <= 20 ? 1.0 / std::max(1, n - 5) : 0;
    EXPECT_DOUBLE_EQ(outcome.information, weight) << n;
  }
  RatedMatch paired = Duel(0, 1, 3);
  paired.exempt = true;
  EXPECT_EQ(pool.Apply(paired).information, 1) << "a tournament paired them";
  EXPECT_TRUE(pool.Apply(Duel(2, 1, 3)).rated) << "another pair";
  EXPECT_EQ(pool.Apply(Duel(0, 1, 60)).information, 1) << "a month later";
  EXPECT_EQ(pool.Of(0).matches, 22u);
}

TEST(RatingPoolTest, APinnedPlayerIsNeverRatedAndItsOpponentsAre) {
  RatingPool pool({}, SeatClass::kTwo);
  Standing fixed = StartingStanding({}, SeatClass::kTwo);
  fixed.rating = 1600;
  fixed.deviation = 30;
  pool.Set(0, fixed);
  pool.Pin(0);
  for (int i = 0; i < 10; ++i) pool.Apply(Duel(1, 0, i));
  EXPECT_EQ(pool.Of(0).rating, 1600);
  EXPECT_EQ(pool.Of(0).deviation, 30);
  EXPECT_GT(pool.Of(1).rating, 1600);
}

TEST(RatingPoolTest, CountsWhatAPlayerIsRankedBy) {
  RatingPool pool({}, SeatClass::kTwo);
  for (uint32_t i = 0; i < 48; ++i) {
    RatedMatch match = Duel(0, 1 + i % 8, i);
    if (i % 4 == 3) match.places = {1, 1};
    pool.Apply(match);
  }
  const Standing standing = pool.Of(0);
  EXPECT_EQ(standing.matches, 48u);
  EXPECT_EQ(standing.opponents, 8u);
  EXPECT_EQ(standing.wins, 36u);
  EXPECT_EQ(standing.draws, 12u);
  EXPECT_EQ(standing.last_at, Day(47));
  const PairRecord pair = pool.PairOf(0, 4);
  EXPECT_EQ(pair.matches, 6u);
  EXPECT_EQ(pair.draws, 6u);
  EXPECT_EQ(StateOf(SeatClass::kTwo, AgedStanding({}, SeatClass::kTwo, standing, Day(48)), Day(48)),
            RankState::kRanked);
  EXPECT_NE(
      StateOf(SeatClass::kTwo, AgedStanding({}, SeatClass::kTwo, standing, Day(108)), Day(108)),
      RankState::kRanked)
      << "sixty-one days later";
  EXPECT_EQ(StateOf(SeatClass::kTwo, pool.Of(3), Day(48)), RankState::kProvisional);
  EXPECT_GE(standing.peak, standing.rating);
}

TEST(RatingPoolTest, ThePeakIsOfValuesThatWereNotProvisionalAndFollowsACorrection) {
  std::vector<RatedMatch> matches;
  for (uint32_t i = 0; i < 30; ++i) matches.push_back(Duel(0, 1 + i, i));
  for (uint32_t i = 0; i < 10; ++i) matches.push_back(Duel(40 + i, 0, 40 + i));
  RatingPool pool({}, SeatClass::kTwo);
  double best_of_all = 0;
  for (const RatedMatch& match : matches) {
    pool.Apply(match);
    best_of_all = std::max(best_of_all, pool.Of(0).rating);
    EXPECT_EQ(pool.Of(0).peak > 0, pool.Of(0).deviation < kProvisionalDeviation &&
                                       pool.Of(0).matches >= kProvisionalMatches);
  }
  EXPECT_EQ(pool.Of(0).peak, best_of_all);
  EXPECT_EQ(pool.Of(0).peak_at, Day(29));
  matches[29].annulled = true;
  RatingPool corrected({}, SeatClass::kTwo);
  ApplyAll(corrected, matches);
  EXPECT_LT(corrected.Of(0).peak, pool.Of(0).peak);
  EXPECT_EQ(corrected.Of(0).peak_at, Day(28));
}

TEST(RatingPoolTest, StayingAwayLowersWhatTheListIsOrderedByAndNotTheRating) {
  RatingPool pool({}, SeatClass::kTwo);
  for (uint32_t i = 0; i < 30; ++i) pool.Apply(Duel(0, 1 + i, i));
  const Standing now = AgedStanding({}, SeatClass::kTwo, pool.Of(0), Day(30));
  const Standing later = AgedStanding({}, SeatClass::kTwo, pool.Of(0), Day(300));
  EXPECT_EQ(now.rating, later.rating);
  EXPECT_LT(LowerBound(SeatClass::kTwo, later), LowerBound(SeatClass::kTwo, now));
  EXPECT_LE(AgedStanding({}, SeatClass::kTwo, pool.Of(0), Day(1e5)).deviation, 150);
}

// Profiles and matches at the ends of what a profile may say, and everybody so often that
// everything meets everything.
TEST_P(PoolOf, NoCornerGivesAnythingButFiniteNumbers) {
  const char* corners[] = {
      "",
      "start_deviation=1 least_deviation=1 most_deviation=1 start_volatility=0.0001"
      " least_volatility=0.0001 most_volatility=0.0001 start_sigma=0.01 beta=0.01 kappa=0",
      "start_deviation=1000 most_deviation=1000 start_volatility=1 most_volatility=1 tau=2"
      " periods_per_day=100 most_change=5000 length_information=2 start_sigma=25 table_tau=10",
      "start_rating=5000 least_rating=0 most_rating=5000 tau=0 start_mu=100 beta=100 kappa=1",
      "start_rating=0 least_rating=0 most_rating=0 periods_per_day=0 start_mu=0 start_sigma=25"
      " beta=0.01 kappa=0",
  };
  for (const char* corner : corners) {
    const auto profile = ParseProfile(corner);
    ASSERT_TRUE(profile.ok()) << profile.status();
    RatingPool pool(*profile, GetParam());
    auto matches = RandomMatches(3'000, 6, GetParam(), 9);
    for (size_t i = 0; i < matches.size(); ++i) {
      matches[i].exempt = i % 50 != 0;
      matches[i].length = i % 3 == 0 ? 1'000 : 1;
      matches[i].estimates = {1, -1, 0, 1};
      // Some end long before or long after those before them.
      if (i % 7 == 0) matches[i].finished_at.micros += 40'000 * kMicrosOfDay;
      const MatchOutcome outcome = pool.Apply(matches[i]);
      if (!outcome.rated) continue;
      for (size_t seat = 0; seat < matches[i].seats; ++seat) {
        const Standing& after = outcome.changes[seat].after;
        ASSERT_TRUE(std::isfinite(after.rating) && std::isfinite(after.deviation) &&
                    std::isfinite(after.volatility) && std::isfinite(after.peak))
            << corner << ", match " << i;
        ASSERT_TRUE(std::isfinite(LowerBound(GetParam(), after)));
      }
    }
  }
}

TEST_P(PoolOf, WhoEstimatedHimselfBeginsThereInHisFirstMatchThatCounts) {
  const SeatClass seats = GetParam();
  auto matches = RandomMatches(3, 3, seats, 10);
  for (RatedMatch& match : matches) {
    match.seats = seats == SeatClass::kTwo ? 2 : 3;
    match.players = {0, 1, 2};
    match.places = {1, 2, 3};
    match.estimates = {1, 0, 0};
  }
  RatingPool pool({}, seats);
  const MatchOutcome first = pool.Apply(matches[0]);
  EXPECT_DOUBLE_EQ(ShownRating(seats, first.changes[0].before.rating), 1650);
  EXPECT_DOUBLE_EQ(ShownRating(seats, first.changes[1].before.rating), 1500);
  EXPECT_EQ(first.changes[0].before.deviation, first.changes[1].before.deviation);
  const MatchOutcome second = pool.Apply(matches[1]);
  EXPECT_EQ(second.changes[0].before.rating, first.changes[0].after.rating);
  matches[0].annulled = true;
  RatingPool corrected({}, seats);
  EXPECT_FALSE(corrected.Apply(matches[0]).rated);
  EXPECT_DOUBLE_EQ(ShownRating(seats, corrected.Apply(matches[1]).changes[0].before.rating), 1650);
}

// Rounding included, and with what the rule against farming leaves of a match.
TEST(RatingPoolTest, TheFirstOfATableNeverLosesAndTheLastNeverGains) {
  RatingPool pool({}, SeatClass::kTable);
  for (RatedMatch match : RandomMatches(20'000, 40, SeatClass::kTable, 12)) {
    for (size_t seat = 0; seat < match.seats; ++seat) {
      match.places[seat] = static_cast<uint8_t>(1 + seat);
    }
    const MatchOutcome outcome = pool.Apply(match);
    if (!outcome.rated) continue;
    const size_t last = match.seats - 1U;
    ASSERT_GE(outcome.changes[0].after.rating, outcome.changes[0].before.rating - 1e-9);
    ASSERT_LE(outcome.changes[last].after.rating, outcome.changes[last].before.rating + 1e-9);
  }
}

TEST(RatingPoolTest, FibsIsKeptWhereTheProfileSaysSo) {
  RatingProfile profile;
  profile.fibs = true;
  RatingPool pool(profile, SeatClass::kTwo);
  RatedMatch match = Duel(0, 1, 0);
  match.length = 7;
  pool.Apply(match);
  EXPECT_EQ(pool.Of(0).fibs.experience, 7);
  EXPECT_GT(pool.Of(0).fibs.rating, 1500);
  EXPECT_LT(pool.Of(1).fibs.rating, 1500);
}

}  // namespace
}  // namespace astragal::algorithms
