// What players say of themselves, and whom a recomputation concerns, on a real PostgreSQL.
#include "storage/pg_affair_store.h"
#include "tests/services/rating/ratings_fixture.h"

namespace astragal::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class EstimatesTest : public RatingsTest {
 protected:
  absl::Status Estimate(PlayerId player, int level) {
    return ratings_.Estimate(Pool(), player, level, [&](const StandingRecord& start) {
      begins_at_ = start.rating;
      return storage::Answer{player, make_.NewRequest(), {}, "kept"};
    });
  }
  double StartOf(PlayerId player, base::Instant at) {
    return ratings_.NewcomerOf(Pool(), player, at)->rating;
  }
  base::MatchId MatchAt(int64_t order) {
    return store_.Matches(Pool().number, order - 1, 1).value().at(0).match;
  }
  void Recompute(base::MatchId match, bool annul) {
    const auto done =
        ratings_.Recompute(Pool(), Fix(match, annul, {}, "x"), Ratings::Write::kIfDifferent);
    ASSERT_TRUE(done.ok() && done->switched) << done.status();
  }

  double begins_at_ = 0;
};

TEST_F(EstimatesTest, WhoEstimatesHimselfBeginsThereAndReplaysDoToo) {
  const auto players = NewPlayers(4);
  FinishAndRate({{players[2], players[3]}});  // there is a pool now
  clock_.Advance(kDay);
  ASSERT_TRUE(Estimate(players[0], 1).ok());
  EXPECT_EQ(begins_at_, 1650);
  EXPECT_EQ(absl::StatusCode::kAlreadyExists, Estimate(players[0], -1).code()) << "once";
  EXPECT_EQ(absl::StatusCode::kAlreadyExists, Estimate(players[2], 1).code()) << "he was rated";
  EXPECT_EQ(StartOf(players[0], clock_.Now()), 1650);
  EXPECT_EQ(StartOf(players[0], {clock_.Now().micros - 1}), 1500);
  EXPECT_EQ(Count("rating_estimates"), 1);
  EXPECT_EQ(Count("answers"), 1);

  const auto predicted = ratings_.Predict(Pool(), {players[0], players[1]}, 1);
  ASSERT_TRUE(predicted.ok()) << predicted.status();
  EXPECT_EQ((*predicted)[0].now.rating, 1650);
  FinishAndRate({{players[0], players[1]}, {players[1], players[0]}});
  const auto history = store_.History(Pool(), players[0], 0, 10).value();
  ASSERT_THAT(history, SizeIs(2));
  EXPECT_EQ(history[1].step.rating_before, 1650);
  EXPECT_EQ(history[1].step.after.rating, (*predicted)[0].win.rating);
  const auto log = store_.Matches(Pool().number, 1, 10).value();
  ASSERT_THAT(log, SizeIs(2));
  for (const storage::RatedMatchRecord& match : log) {
    ASSERT_THAT(match.estimates, SizeIs(2));
    EXPECT_EQ(match.estimates[match.players[0] == players[0] ? 0 : 1], 1);
  }
  EXPECT_THAT(store_.Matches(Pool().number, 0, 1).value()[0].estimates, IsEmpty());
  ExpectSound();

  const auto original = AllStandings();
  Recompute(MatchAt(2), true);
  EXPECT_EQ(store_.History(Pool(), players[0], 0, 10).value()[0].step.rating_before, 1650)
      << "the second match is his first now";
  ExpectSound();
  Recompute(MatchAt(3), true);
  EXPECT_EQ(StandingOf(players[0]).matches, 0);
  clock_.Advance(kDay);
  FinishAndRate({{players[0], players[3]}});
  EXPECT_EQ(store_.History(Pool(), players[0], 0, 10).value()[0].step.rating_before, 1650);
  ExpectSound();
  Recompute(MatchAt(4), true);
  Recompute(MatchAt(3), false);
  Recompute(MatchAt(2), false);
  EXPECT_EQ(AllStandings(), original) << "bit for bit";
  ExpectSound();
}

TEST_F(EstimatesTest, ARecomputationIsToldToThoseWhoseRatingItChanged) {
  const auto players = NewPlayers(4);
  FinishAndRate({{players[0], players[1]}});
  FinishAndRate({{players[2], players[3]}});
  const double before = StandingOf(players[0]).rating;
  storage::PgAffairStore affairs(open_->pool());
  const auto news = [&](base::Instant since) {
    return affairs.RatingNewsOf(players, 10, since).value();
  };
  EXPECT_THAT(news({0}), IsEmpty());
  clock_.Advance(kDay);
  const auto dry =
      ratings_.Recompute(Pool(), Fix(MatchAt(1), true, {}, "x"), Ratings::Write::kNever);
  ASSERT_TRUE(dry.ok());
  EXPECT_THAT(news({0}), IsEmpty()) << "nothing was changed";
  Recompute(MatchAt(1), true);
  auto told = news({0});
  ASSERT_THAT(told, SizeIs(2));
  EXPECT_EQ(told[0].player, 0u);
  EXPECT_EQ(told[1].player, 1u);
  EXPECT_EQ(told[0].pool, kPool);
  EXPECT_EQ(told[0].seats, 2);
  EXPECT_EQ(told[0].revision, 2);
  EXPECT_EQ(told[0].first_order, 1);
  EXPECT_EQ(told[0].players, 2);
  EXPECT_EQ(told[0].at, clock_.Now());
  EXPECT_EQ(told[0].before, before);
  EXPECT_EQ(told[0].after, 1500);
  EXPECT_THAT(news({clock_.Now().micros + 1}), IsEmpty());
  EXPECT_THAT(affairs.RatingNewsOf(players, 0, {0}).value(), IsEmpty());

  clock_.Advance(kDay);
  Recompute(MatchAt(1), false);
  told = news({0});
  ASSERT_THAT(told, SizeIs(2)) << "one for each player and pool";
  EXPECT_EQ(told[0].revision, 3);
  EXPECT_EQ(told[0].before, 1500);
  EXPECT_EQ(told[0].after, before);
  EXPECT_EQ(Count("rating_news"), 2);
}

// Watched by thousands twice a second: a look into an index for each of them, however many rows
// there are.
TEST_F(EstimatesTest, NewsAreReadByIndexAlone) {
  auto connection = database_.Connect();
  const auto filled = connection->Script(
      "INSERT INTO rating_pools (name, ruleset, seats, profile, next_order, revision, shadow,"
      " refreshed_at, created_at) SELECT 'pool' || n, 'x', 2, '', 1, 1, 0, 0, 0"
      " FROM generate_series(1, 2000) n;"
      " INSERT INTO rating_revisions SELECT n, r, 1, r, 1 FROM generate_series(1, 2000) n,"
      " generate_series(1, 5) r;"
      " INSERT INTO rating_news SELECT gen_random_uuid(), 1 + n % 2000, 5, 1500, 1501"
      " FROM generate_series(1, 20000) n;"
      " ANALYZE; SET plan_cache_mode = force_generic_plan;"
      " SET enable_hashjoin = off; SET enable_mergejoin = off");
  ASSERT_TRUE(filled.ok()) << filled.status();
  const std::string name(storage::kRatingNewsOf.name);
  ASSERT_TRUE(
      connection->Script("PREPARE " + name + " AS " + std::string(storage::kRatingNewsOf.sql))
          .ok());
  const auto plan = connection->Script("EXPLAIN EXECUTE " + name + "(NULL, NULL, NULL)");
  ASSERT_TRUE(plan.ok()) << plan.status();
  std::string text;
  for (size_t row = 0; row < plan->size(); ++row) text += std::string(plan->Text(row, 0)) + "\n";
  EXPECT_THAT(text, testing::HasSubstr("\"a player is told of a pool once\"")) << text;
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("Seq Scan"))) << text;
}

}  // namespace
}  // namespace astragal::core
