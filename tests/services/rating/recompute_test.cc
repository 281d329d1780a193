// Recomputing pools on a real PostgreSQL: corrections, checks, and what may come between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "services/core/tournaments/rating_corrections.h"
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

TEST_F(RatingsTest, AChangeOfATournamentComesOnceHoweverOftenItIsAsked) {
  const auto players = NewPlayers(4);
  const auto games = PlayDays(players, 10, 1);
  const auto original = AllStandings();
  RatingChange change;
  change.request.bytes[0] = 7;
  change.match = base::MatchId(games[3].bytes());
  change.reason = "the clock was wrong";
  const storage::RatedMatchRecord before = store_.FindMatch(change.match)->second;
  const int32_t first = before.places[0] == 1 ? 2 : 1;
  // In whatever order they sit.
  change.places = {{before.players[1], 3 - first}, {before.players[0], first}};
  for (int asked = 0; asked < 3; ++asked) {
    const absl::StatusOr<bool> done = ChangeRating(ratings_, change);
    ASSERT_TRUE(done.ok()) << done.status();
    EXPECT_TRUE(*done);
    EXPECT_EQ(Pool().revision, 2);
  }
  EXPECT_EQ(Count("rating_changes"), 1);
  EXPECT_NE(AllStandings(), original);
  EXPECT_EQ(store_.FindMatch(change.match)->second.places[0], first);
  ExpectSound();

  RatingChange unrated = change;
  unrated.request.bytes[0] = 8;
  unrated.match = base::MatchId(players[0].bytes());
  EXPECT_FALSE(ChangeRating(ratings_, unrated).value()) << "nothing is rated under this id";
  EXPECT_EQ(Pool().revision, 2);
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

// Matches of the pool by their order, from 1.
base::MatchId MatchAt(storage::RatingStore& store, const PoolRecord& pool, int64_t order) {
  return store.Matches(pool.number, order - 1, 1).value().at(0).match;
}

TEST_F(RatingsTest, ACorrectionBeginsAtTheLastCheckpointThatHolds) {
  const auto players = NewPlayers(6);
  PlayDays(players, 20, 5);
  EXPECT_TRUE(ratings_.TakeCheckpoints().ok());
  EXPECT_EQ(Count("rating_checkpoints"), 0) << "the pool is not a month old";
  PlayDays(players, 20, 6);
  ASSERT_TRUE(ratings_.TakeCheckpoints().ok());
  ASSERT_TRUE(ratings_.TakeCheckpoints().ok());
  EXPECT_EQ(Count("rating_checkpoints WHERE rated_order = 40"), 1) << "once a month";
  PlayDays(players, 10, 7);
  const auto original = AllStandings();

  const auto annul = [&](int64_t order, bool is_void) {
    const auto done =
        ratings_.Recompute(Pool(), Fix(MatchAt(store_, Pool(), order), is_void, {}, "x"),
                           Ratings::Write::kIfDifferent);
    EXPECT_TRUE(done.ok() && done->switched) << done.status();
    ExpectSound();  // begins at the first match
    return done->checkpoint;
  };
  EXPECT_EQ(annul(45, true), 40);
  EXPECT_EQ(annul(45, false), 40);
  EXPECT_EQ(AllStandings(), original) << "bit for bit";
  EXPECT_EQ(annul(41, true), 40);
  EXPECT_EQ(annul(41, false), 40);
  EXPECT_EQ(annul(40, true), 0) << "it was taken after this match";
  EXPECT_EQ(annul(45, true), 0) << "and does not hold any more";
  EXPECT_EQ(annul(45, false), 0);
  EXPECT_EQ(annul(40, false), 0);
  EXPECT_EQ(AllStandings(), original);

  for (int month = 1; month <= 4; ++month) {
    PlayDays(players, 31, static_cast<uint64_t>(10 + month));
    ASSERT_TRUE(ratings_.TakeCheckpoints().ok());
  }
  EXPECT_EQ(Count("rating_checkpoints"), 3);
  EXPECT_EQ(Count("(SELECT DISTINCT rated_order FROM rating_checkpoint_standings) AS s"), 3);
  EXPECT_EQ(Count("(SELECT DISTINCT rated_order FROM rating_checkpoint_pairs) AS s"), 3);
  EXPECT_EQ(annul(Pool().next_order - 1, true), Pool().next_order - 1 - 31);
}

TEST_F(RatingsTest, ACheckThatFindsTheStoreWrongTrustsNoCheckpoint) {
  const auto players = NewPlayers(4);
  PlayDays(players, 35, 8);
  Change("UPDATE ratings SET rating = rating + 1");
  ASSERT_TRUE(ratings_.TakeCheckpoints().ok());
  EXPECT_EQ(store_.FindCheckpoint(Pool(), 100).value(), 35);
  EXPECT_TRUE(ratings_.Recompute(Pool(), {}, Ratings::Write::kIfDifferent)->switched);
  EXPECT_EQ(store_.FindCheckpoint(Pool(), 100).value(), std::nullopt);
}

TEST_F(RatingsTest, StandingsAreComparedWithTheLastStepsThatCount) {
  const auto players = NewPlayers(4);
  PlayDays(players, 12, 11);
  const auto rated = static_cast<int64_t>(AllStandings().size());
  const auto annul = Fix(MatchAt(store_, Pool(), 12), true, {}, "void");
  ASSERT_TRUE(ratings_.Recompute(Pool(), annul, Ratings::Write::kIfDifferent).ok());
  const auto sound = store_.CheckStandings(10).value();
  EXPECT_EQ(sound.compared, rated);
  EXPECT_THAT(sound.wrong, testing::IsEmpty()) << "the annulled match was the last of two players";

  const PlayerId liar = AllStandings().begin()->first;
  Change("UPDATE ratings SET rating = rating + 1 WHERE player = '" +
         storage::UuidText(liar.bytes()) + "'");
  EXPECT_THAT(store_.CheckStandings(10).value().wrong,
              testing::ElementsAre(testing::Pair(kPool, liar)));
}

TEST_F(RatingsTest, ATextThatTheDatabaseCannotHoldIsTheCallersFault) {
  const absl::Status zero = store_.GetPool(std::string("a\0b", 3)).status();
  EXPECT_EQ(base::ReasonOf(zero), base::Reason::kBadField) << zero;
  const absl::Status no_utf8 = store_.GetPool("\xff").status();
  EXPECT_EQ(base::ReasonOf(no_utf8), base::Reason::kBadField) << no_utf8;
}

TEST_F(RatingsTest, AnAnswerIsKeptWithWhatItAnswers) {
  const auto players = NewPlayers(3);
  PlayDays(players, 5, 9);
  const storage::Answer answer{storage::OperatorAccount(), make_.NewRequest(), {}, "first"};
  const auto with = [&](const std::string& payload) {
    return [answer, payload](const Recomputation& done) {
      storage::Answer changed = answer;
      changed.payload = payload + (done.switched ? " switched" : "");
      return changed;
    };
  };
  const auto annul = Fix(MatchAt(store_, Pool(), 2), true, {}, "void");
  ASSERT_TRUE(ratings_.Recompute(Pool(), annul, Ratings::Write::kIfDifferent, with("one")).ok());
  const auto kept = store_.FindAnswer(answer.account, answer.request).value();
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->payload, "one switched");

  const auto before = AllStandings();
  const auto other = Fix(MatchAt(store_, Pool(), 3), true, {}, "void");
  const auto twice = ratings_.Recompute(Pool(), other, Ratings::Write::kIfDifferent, with("two"));
  EXPECT_TRUE(absl::IsAborted(twice.status())) << "the request was carried out";
  EXPECT_EQ(AllStandings(), before);
  EXPECT_EQ(Pool().revision, 2);
  EXPECT_EQ(store_.FindAnswer(answer.account, answer.request).value()->payload, "one switched");
  ASSERT_TRUE(ratings_.Recompute(Pool(), {}, Ratings::Write::kIfDifferent, with("three")).ok());
  EXPECT_EQ(store_.FindAnswer(answer.account, answer.request).value()->payload, "one switched");
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
