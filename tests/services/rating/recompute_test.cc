// Recomputing pools on a real PostgreSQL: corrections, checks, and what may come between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/services/rating/ratings_fixture.h"

namespace astragal::core {
namespace {

TEST_F(RatingsTest, ACorrectionAndItsReversalIsTheOriginalBitForBit) {
  const auto players = NewPlayers(6);
  const auto games = PlayDays(players, 40, 1);
  const auto original = AllStandings();
  const auto steps = Count("rating_steps");
  const base::MatchId wrong(games[5].bytes());
  const storage::RatedMatchRecord before = store_.FindMatch(wrong)->second;
  std::vector<int32_t> swapped = before.places;
  swapped = swapped == std::vector<int32_t>{1, 2} ? std::vector<int32_t>{2, 1}
                                                  : std::vector<int32_t>{1, 2};

  const auto preview =
      ratings_.Recompute(Pool(), Fix(wrong, false, swapped, "misread"), Ratings::Write::kNever);
  ASSERT_TRUE(preview.ok()) << preview.status();
  EXPECT_GT(preview->steps_changed, 0);
  EXPECT_EQ(AllStandings(), original);
  EXPECT_EQ(Pool().revision, 1);

  const auto corrected = ratings_.Recompute(Pool(), Fix(wrong, false, swapped, "misread"),
                                            Ratings::Write::kIfDifferent);
  ASSERT_TRUE(corrected.ok()) << corrected.status();
  EXPECT_TRUE(corrected->switched);
  EXPECT_EQ(corrected->steps_changed, preview->steps_changed);
  EXPECT_EQ(Pool().revision, 2);
  EXPECT_NE(AllStandings(), original);
  EXPECT_EQ(store_.FindMatch(wrong)->second.reason, "misread");
  EXPECT_EQ(Count("rating_steps"), steps + corrected->steps_changed) << "all revisions are kept";
  ExpectSound();

  const auto annulled =
      ratings_.Recompute(Pool(), Fix(wrong, true, {}, "void"), Ratings::Write::kIfDifferent);
  ASSERT_TRUE(annulled.ok()) << annulled.status();
  EXPECT_EQ(StandingOf(before.players[0]).matches, original.at(before.players[0]).matches - 1);
  const auto pair = store_.HeadToHead(before.players[0], before.players[1]).value();
  ExpectSound();

  const auto back = ratings_.Recompute(Pool(), Fix(wrong, false, before.places, "right after all"),
                                       Ratings::Write::kIfDifferent);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(AllStandings(), original);
  EXPECT_EQ(store_.HeadToHead(before.players[0], before.players[1]).value()[0].matches,
            (pair.empty() ? 0 : pair[0].matches) + 1);
  EXPECT_EQ(Count("rating_changes"), 3);
  ExpectSound();
  const auto again = ratings_.Recompute(Pool(), {}, Ratings::Write::kIfDifferent);
  EXPECT_FALSE(again->switched);
}

TEST_F(RatingsTest, ACheckFindsWhatWasTamperedWithAndARecomputationMendsIt) {
  const auto players = NewPlayers(5);
  PlayDays(players, 20, 2);
  const auto sound = AllStandings();
  Change(
      "UPDATE ratings SET rating = rating + 1 WHERE player = (SELECT max(player::text)::uuid FROM "
      "ratings)");
  EXPECT_EQ(Check().standings_changed, 1);
  Change("UPDATE rating_steps SET deviation = deviation + 0.000001 WHERE rated_order = 7");
  const Recomputation found = Check();
  EXPECT_EQ(found.steps_changed, 2);
  EXPECT_EQ(found.differences.size(), 3u);
  EXPECT_FALSE(found.switched);
  EXPECT_TRUE(ratings_.Recompute(Pool(), {}, Ratings::Write::kIfDifferent)->switched);
  EXPECT_EQ(AllStandings(), sound);
  ExpectSound();
}

TEST_F(RatingsTest, ARecomputationCatchesUpWithAPoolThatIsRatedOn) {
  const auto players = NewPlayers(6);
  const auto games = PlayDays(players, 30, 3);
  std::thread rating([&] {
    for (int i = 0; i < 20; ++i) {
      Finish({{players[0], players[1], i % 2}});
      while (ratings_.Round().value() > 0) {
      }
    }
  });
  int switched = 0;
  for (int i = 0; i < 10; ++i) {
    const base::MatchId match(games[static_cast<size_t>(i)].bytes());
    const auto done =
        ratings_.Recompute(Pool(), Fix(match, true, {}, "void"), Ratings::Write::kIfDifferent);
    ASSERT_TRUE(done.ok()) << done.status();
    switched += done->switched;
  }
  rating.join();
  EXPECT_EQ(switched, 10);
  EXPECT_EQ(Pool().next_order, 51);
  EXPECT_EQ(Pool().revision, 11);
  ExpectSound();
}

TEST_F(RatingsTest, OfTwoRecomputationsTheLaterOneWins) {
  const auto players = NewPlayers(3);
  PlayDays(players, 5, 4);
  const PoolRecord pool = Pool();
  const int32_t first = store_.BeginShadow(pool).value();
  const int32_t second = store_.BeginShadow(pool).value();
  EXPECT_GT(second, first);
  storage::StepRecord step;
  step.rated_order = 1;
  step.after.player = players[0];
  EXPECT_TRUE(absl::IsAborted(store_.WriteShadow(pool, first, absl::MakeConstSpan(&step, 1))));
  EXPECT_TRUE(store_.WriteShadow(pool, second, absl::MakeConstSpan(&step, 1)).ok());
  storage::RatingSwitch change;
  change.pool = pool.number;
  change.expected_order = pool.next_order;
  change.expected_revision = pool.revision;
  change.shadow = first;
  EXPECT_FALSE(store_.Switch(change).value());
  // What was begun and left does no harm.
  ExpectSound();
  const auto done = ratings_.Recompute(pool, {}, Ratings::Write::kIfDifferent);
  ASSERT_TRUE(done.ok()) << done.status();
  EXPECT_FALSE(done->switched);
  EXPECT_EQ(Count("rating_steps WHERE revision > 1"), 0);
}

}  // namespace
}  // namespace astragal::core
