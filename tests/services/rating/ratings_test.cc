// Rating from the outbox, lists, histories and predictions, on a real PostgreSQL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "tests/services/rating/ratings_fixture.h"

namespace astragal::core {
namespace {

TEST_F(RatingsTest, AFinishedRatedGameIsRatedOnce) {
  const PlayerId winner = NewPlayer();
  const PlayerId loser = NewPlayer();
  const base::GameId game = Finish({{winner, loser}})[0];
  EXPECT_EQ(Count("rating_outbox"), 1);
  EXPECT_EQ(ratings_.Round().value(), 1u);
  EXPECT_EQ(ratings_.Round().value(), 0u);
  EXPECT_EQ(Count("rating_outbox"), 0);
  EXPECT_NEAR(StandingOf(winner).rating, 1564.543803, 1e-6);
  EXPECT_NEAR(StandingOf(loser).rating, 1435.456197, 1e-6);
  const auto [pool, match] = store_.FindMatch(base::MatchId(game.bytes())).value();
  EXPECT_EQ(match.rated_order, 1);
  EXPECT_EQ(match.finished_at, clock_.Now());
  // Should the outbox ever name it again, it is dropped.
  Change("INSERT INTO rating_outbox (game, due) SELECT match, 0 FROM rated_matches");
  EXPECT_EQ(ratings_.Round().value(), 1u);
  EXPECT_EQ(StandingOf(winner).matches, 1);
  ExpectSound();
}

TEST_F(RatingsTest, WhatIsNotToBeRatedIsNot) {
  const PlayerId one = NewPlayer();
  const PlayerId other = NewPlayer();
  const PlayerId bot = NewPlayer(true);
  const PlayerId robot = NewPlayer(true);
  Finish({{one, other, 0, false}});
  EXPECT_EQ(Count("rating_outbox"), 0) << "not rated";
  FinishAndRate({{bot, robot}, {one, other, 0, true, Ending::kResigned, 0}});
  EXPECT_EQ(Count("rated_matches"), 0) << "bots among themselves, and what nobody made a move in";
  FinishAndRate({{one, other, 0, true, Ending::kTimedOut, 1}, {one, bot}});
  EXPECT_EQ(Count("rated_matches"), 2);
  EXPECT_EQ(Count("rating_pools WHERE name LIKE 'long_narde/2/standard/%'"), 2);
  EXPECT_EQ(store_.ConductOf(other, 20)->early_losses, 1);
  EXPECT_EQ(store_.ConductOf(one, 20)->early_losses, 0);
  EXPECT_EQ(store_.ConductOf(other, 20)->games, 2) << "one that he gave up before anybody acted";
  EXPECT_EQ(store_.ConductOf(other, 20)->completed, 0);
  EXPECT_EQ(store_.ConductOf(one, 20)->completed, 2);
}

TEST_F(RatingsTest, EightMatchesOfOnePlayerThatEndAtOnceOnTwoNodesAreEightChanges) {
  const auto second = database_.OpenAs("second");
  storage::PgRatingStore second_store(second->pool());
  Ratings elsewhere(second_store, catalog_, clock_, {});
  const PlayerId busy = NewPlayer();
  for (int round = 0; round < 4; ++round) {
    const int32_t before = round == 0 ? 0 : StandingOf(busy).matches;
    clock_.Advance(kDay);
    std::vector<Result> results;
    for (const PlayerId other : NewPlayers(8)) results.push_back({busy, other, named_ % 2});
    Finish(results);
    std::vector<std::thread> workers;
    for (Ratings* node : {&ratings_, &elsewhere, &ratings_, &elsewhere}) {
      workers.emplace_back([node] {
        for (int i = 0; i < 20 && node->Round().value() > 0; ++i) {
        }
      });
    }
    for (std::thread& worker : workers) worker.join();
    EXPECT_EQ(Count("rating_outbox"), 0);
    EXPECT_EQ(StandingOf(busy).matches, before + 8);
  }
  // The serial result: the same log, folded by one thread.
  algorithms::RatingPool serial(ProfileOf(Pool()).value(), algorithms::SeatClass::kTwo);
  PlayerNumbers numbers;
  const auto log = store_.Matches(Pool().number, 0, 1'000).value();
  ASSERT_EQ(log.size(), 32u);
  for (size_t i = 0; i < log.size(); ++i) {
    EXPECT_EQ(log[i].rated_order, static_cast<int64_t>(i + 1));
    serial.Apply(MatchOf(log[i], numbers));
  }
  EXPECT_EQ(RecordOf(serial.Of(numbers.Of(busy)), busy, false), StandingOf(busy));
  EXPECT_EQ(store_.History(Pool(), busy, 0, 100)->size(), 32u);
  ExpectSound();
}

TEST_F(RatingsTest, TheListIsByTheLowerBoundInPagesAndAroundAPlayer) {
  const auto players = NewPlayers(12);
  PlayDays(players, 1, 5);
  const int32_t pool = Pool().number;
  std::vector<storage::ListedStanding> listed;
  for (size_t i = 0; i < players.size(); ++i) {
    storage::ListedStanding entry;
    entry.standing.player = players[i];
    entry.standing.deviation = 50;
    entry.standing.matches = 30;
    entry.standing.opponents = 10;
    entry.standing.last_at = clock_.Now();
    entry.standing.rating = 1500 + static_cast<double>(i % 4) * 10;
    entry.lower_bound = entry.standing.rating - 50;
    entry.listed = i != 11;
    listed.push_back(entry);
  }
  for (const auto& entry : listed) ASSERT_TRUE(store_.Pin(Pool(), entry, {}).value());
  std::vector<PlayerId> order;
  std::optional<storage::ListMark> mark;
  while (true) {
    const auto page = store_.ListAfter(pool, mark, 4).value();
    if (page.empty()) break;
    for (const auto& entry : page) order.push_back(entry.standing.player);
    mark = {page.back().lower_bound, page.back().standing.player};
  }
  EXPECT_EQ(order.size(), 11u);
  EXPECT_EQ(std::set<PlayerId>(order.begin(), order.end()).size(), 11u);
  const storage::ListedStanding own = store_.Standings(pool, {order[5]}).value()[0];
  const storage::ListMark place{own.lower_bound, order[5]};
  for (size_t i = 0; i < order.size(); ++i) {
    const auto at = store_.Standings(pool, {order[i]}).value();
    EXPECT_EQ(store_.CountBefore(pool, {at[0].lower_bound, order[i]}).value(),
              static_cast<int64_t>(i));
  }
  const auto above = store_.ListBefore(pool, place, 2).value();
  ASSERT_EQ(above.size(), 2u);
  EXPECT_EQ(above[0].standing.player, order[4]);
  EXPECT_EQ(above[1].standing.player, order[3]);
  // After the day's end those who stay away lose their place.
  Change("UPDATE ratings SET pinned = false");
  clock_.Advance(70 * kDay);
  ASSERT_TRUE(ratings_.RefreshLists().ok());
  EXPECT_TRUE(store_.ListAfter(pool, std::nullopt, 10)->empty());
  EXPECT_EQ(Count("rating_ranks WHERE players > 0"), 0) << "ranks follow whatever writes the list";
}

// Whatever the number of players, a page costs its entries: the plan walks the index from the mark.
TEST_F(RatingsTest, APageOfTheListIsReadByIndexAlone) {
  PlayDays(NewPlayers(2), 1, 1);
  auto connection = database_.Connect();
  const auto filled = connection->Script(
      "INSERT INTO ratings SELECT 1, gen_random_uuid(), false, 1500, 50, 0.04, 30, 10, 15, 0, 0, "
      "0, 0,"
      " 1500, 0, 1000 + random() * 1000, n % 10 > 0 FROM generate_series(1, 20000) n; ANALYZE "
      "ratings;"
      " SET plan_cache_mode = force_generic_plan");
  ASSERT_TRUE(filled.ok()) << filled.status();
  for (const storage::Statement& query : {storage::kListAfter, storage::kListBefore}) {
    ASSERT_TRUE(connection->Script("PREPARE " + std::string(query.name) + " AS " + query.sql).ok());
    const auto plan = connection->Script("EXPLAIN EXECUTE " + std::string(query.name) +
                                         " (1, 1500, '00000000-0000-4000-8000-000000000001', 50)");
    ASSERT_TRUE(plan.ok()) << plan.status();
    std::string text;
    for (size_t row = 0; row < plan->size(); ++row) text += std::string(plan->Text(row, 0)) + "\n";
    EXPECT_THAT(text, testing::HasSubstr("\"the list of a pool\"")) << text;
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("Sort"))) << text;
  }
}

TEST_F(RatingsTest, APredictionIsWhatThenHappens) {
  const auto players = NewPlayers(2);
  FinishAndRate({{players[0], players[1]}});
  clock_.Advance(10 * kDay);
  const auto predicted = ratings_.Predict(Pool(), players, 1).value();
  EXPECT_GT(predicted[0].first, 0.5);
  EXPECT_NEAR(predicted[0].first + predicted[1].first, 1, 1e-12);
  FinishAndRate({{players[0], players[1], 1}});
  EXPECT_EQ(StandingOf(players[0]).rating, predicted[0].loss.rating);
  EXPECT_EQ(StandingOf(players[1]).rating, predicted[1].win.rating);
  EXPECT_FALSE(ratings_.Predict(Pool(), {players[0], players[0]}, 1).ok());
  EXPECT_FALSE(ratings_.Predict(Pool(), {players[0]}, 1).ok());
}

TEST_F(RatingsTest, APinnedBotIsNeverRated) {
  const PlayerId human = NewPlayer();
  const PlayerId bot = NewPlayer(true);
  const PlayerId other = NewPlayer(true);
  FinishAndRate({{human, other}});
  const auto pool = [&] { return store_.GetPool("long_narde/2/standard/bot").value(); };
  ASSERT_TRUE(ratings_.Pin(pool(), bot, 1700, 30).ok());
  EXPECT_TRUE(absl::IsAlreadyExists(ratings_.Pin(pool(), other, 1700, 30)));
  for (int i = 0; i < 3; ++i) {
    clock_.Advance(kDay);
    FinishAndRate({{human, bot}});
  }
  const auto standing = store_.Standings(pool().number, {bot}).value()[0].standing;
  EXPECT_EQ(standing.rating, 1700);
  EXPECT_EQ(standing.deviation, 30);
  EXPECT_EQ(standing.matches, 3);
  EXPECT_THAT(ratings_.Recompute(pool(), {}, Ratings::Write::kNever)->differences,
              testing::IsEmpty());
}

TEST_F(RatingsTest, TheHistoryKnowsWhatARatingWas) {
  const auto players = NewPlayers(4);
  PlayDays(players, 30, 6);
  const auto newest = store_.History(Pool(), players[0], 0, 3).value();
  ASSERT_EQ(newest.size(), 3u);
  EXPECT_EQ(newest[0].step.after, StandingOf(players[0]));
  const auto older =
      store_.History(Pool(), players[0], newest.back().step.rated_order, 100).value();
  EXPECT_EQ(older.size() + 3, static_cast<size_t>(StandingOf(players[0]).matches));
  EXPECT_EQ(older[0].step.after.rating, newest[2].step.rating_before);
  const auto then = store_.StepAt(Pool(), players[0], newest[1].match.finished_at).value();
  ASSERT_TRUE(then.has_value());
  EXPECT_EQ(then->after, newest[1].step.after);
  EXPECT_FALSE(store_.StepAt(Pool(), players[0], {kStart}).value().has_value());
}

TEST_F(RatingsTest, AMatchIsRatedWhenItIsOver) {
  const auto players = NewPlayers(2);
  MatchForRating match;
  match.players = players;
  match.places = {2, 1};
  match.length = 5;
  match.finished_at = clock_.Now();
  Ratings::Options options;
  options.find_match = [&](base::MatchId) { return match; };
  Ratings ratings(store_, catalog_, clock_, options);
  const auto play = [&] {
    const base::GameId game = Finish({{players[0], players[1], 0}})[0];
    Change("UPDATE games SET match = '00000000-0000-4000-8000-000000000001', match_game = " +
           std::to_string(++named_) + " WHERE id = '" + storage::UuidText(game.bytes()) + "'");
    EXPECT_EQ(ratings.Round().value(), 1u);
  };
  play();
  EXPECT_EQ(Count("rated_matches"), 0) << "it goes on";
  match.over = true;
  play();
  play();
  EXPECT_EQ(Count("rated_matches"), 1);
  EXPECT_EQ(Count("rating_outbox"), 0);
  EXPECT_GT(StandingOf(players[1]).rating, 1570) << "five points tell more than one";
}

TEST_F(RatingsTest, AGameThatFailsItsAuditIsAnnulled) {
  const auto players = NewPlayers(2);
  Ratings::Options options;
  options.audit = [](base::GameId) { return absl::DataLossError("other dice"); };
  Ratings ratings(store_, catalog_, clock_, options);
  Finish({{players[0], players[1]}});
  EXPECT_EQ(ratings.Round().value(), 1u);
  EXPECT_EQ(Count("rated_matches WHERE state = 2"), 1);
  EXPECT_EQ(Count("ratings"), 0);
  ExpectSound();
}

}  // namespace
}  // namespace astragal::core
