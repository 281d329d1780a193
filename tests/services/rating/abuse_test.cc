// The rules against abuse on a real PostgreSQL: who does not show up, who lives together, and what
// is annulled of a player who cheated.
#include "tests/services/rating/ratings_fixture.h"

namespace astragal::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class AbuseTest : public RatingsTest {
 protected:
  // A game that this seat does not begin in time. The seat to act waits after the first throws.
  RatingsTest::Result NotBegun(PlayerId first, PlayerId second) {
    auto position = long_narde_->Start(DefaultsOf(long_narde_->about()));
    EXPECT_TRUE(position.ok()) << position.status();
    for (int outcome = 0; long_narde_->Actor(*position) == host::kChance && outcome < 36;) {
      const std::optional<int> kind = long_narde_->ThrowKind(*position);
      if (!long_narde_->Apply(*position, host::kChance, host::ChanceAction(*kind, outcome)).ok()) {
        ADD_FAILURE() << "throw " << outcome;
      }
      ++outcome;
    }
    to_act_ = long_narde_->Actor(*position);
    EXPECT_GE(to_act_, 0);
    waiting_position_ = std::string(position->bytes());
    return {first, second, 0, true, Ending::kNotBegun, 0};
  }

  // A game of four that this one wins; the others share the second place.
  base::GameId FinishTable(const std::vector<PlayerId>& players, size_t winner) {
    if (ashtapada_ == nullptr) {
      ashtapada_ = Library("ashtapada");
      catalog_.Add(ashtapada_);
    }
    storage::GameCommit begun = make_.Create(players[0], make_.NewRequest(), "ashtapada");
    begun.create->rules_version = ashtapada_->about().rules_version;
    begun.create->options = DefaultsOf(ashtapada_->about());
    begun.create->seats = static_cast<uint8_t>(players.size());
    begun.create->terms.rated = true;
    begun.seats.clear();
    storage::GameCommit ended = make_.Play(begun.create->id, 2);
    ended.head.status = storage::GameStatus::kFinished;
    ended.head.ending = Ending::kPlayed;
    ended.head.updated_at = clock_.Now();
    for (size_t i = 0; i < players.size(); ++i) {
      const auto seat = static_cast<int8_t>(i);
      begun.seats.push_back({seat, players[i], 0, 0});
      ended.seats.push_back({seat, players[i], i == winner ? 1 : 2, 0});
    }
    const base::GameId game = begun.create->id;
    for (const storage::GameCommit& commit : {begun, ended}) {
      const auto report = open_->games().Commit({commit});
      EXPECT_TRUE(report.ok()) << report.status();
      EXPECT_EQ(report->outcomes[0], storage::CommitOutcome::kCommitted);
    }
    EXPECT_EQ(ratings_.Round().value(), 1u);
    return game;
  }

  std::pair<int32_t, storage::RatedMatchRecord> Logged(base::GameId game) {
    return store_.FindMatch(base::MatchId(game.bytes())).value();
  }

  void LiveTogether(const std::vector<PlayerId>& players) {
    const storage::Answer answer{storage::OperatorAccount(), make_.NewRequest(), {}, ""};
    const absl::Status settled = store_.SetHousehold(players, answer);
    EXPECT_TRUE(settled.ok()) << settled;
  }

  std::shared_ptr<const host::Ruleset> ashtapada_;
  int to_act_ = -1;
};

TEST_F(AbuseTest, WhoCallsARatedGameOffOrDoesNotBeginHasNotShownUp) {
  const auto players = NewPlayers(3);
  FinishAndRate({{players[0], players[1], 0}});
  clock_.Advance(1'000);
  const Result aborted{players[0], players[1], 0, true, Ending::kAborted, 0, players[1]};
  FinishAndRate({aborted, aborted});
  clock_.Advance(1'000);
  FinishAndRate({NotBegun(players[1], players[2])});
  const PlayerId late = players[static_cast<size_t>(1 + to_act_)];
  EXPECT_EQ(Count("rating_outbox"), 0);
  EXPECT_EQ(Count("rated_matches"), 1) << "what came to nothing is not rated";
  EXPECT_EQ(Count("no_shows"), 3);

  const storage::Conduct one = store_.ConductOf(players[1], 20).value();
  EXPECT_EQ(one.games, late == players[1] ? 4 : 3) << "one rated match, and what came to nothing";
  EXPECT_EQ(one.no_shows, late == players[1] ? 3 : 2);
  EXPECT_EQ(one.early_losses, 0);
  const storage::Conduct other = store_.ConductOf(players[2], 20).value();
  EXPECT_EQ(other.games, late == players[2] ? 1 : 0);
  EXPECT_EQ(store_.ConductOf(players[0], 20)->no_shows, 0) << "it was not his doing";
  EXPECT_EQ(store_.ConductOf(players[1], 2)->no_shows, 2) << "of the latest";
}

TEST_F(AbuseTest, WhoGivesUpBeforeAnybodyActedHasNotShownUp) {
  const auto players = NewPlayers(2);
  FinishAndRate({{players[0], players[1], 0, true, Ending::kResigned, 0}});
  EXPECT_EQ(Count("rated_matches"), 0);
  EXPECT_EQ(store_.ConductOf(players[1], 20)->no_shows, 1);
  EXPECT_EQ(store_.ConductOf(players[0], 20)->no_shows, 0);
}

TEST_F(AbuseTest, ARateIsOfTheLastGamesAndGoesDownByPlaying) {
  const auto players = NewPlayers(2);
  FinishAndRate({{players[0], players[1], 0, true, Ending::kAborted, 0, players[0]}});
  EXPECT_EQ(store_.ConductOf(players[0], 5)->no_shows, 1);
  for (int game = 0; game < 5; ++game) {
    clock_.Advance(kDay);
    FinishAndRate({{players[0], players[1], game % 2}});
  }
  EXPECT_EQ(store_.ConductOf(players[0], 5)->games, 5);
  EXPECT_EQ(store_.ConductOf(players[0], 5)->no_shows, 0);
}

TEST_F(AbuseTest, WhatEndsWithoutAResultAndWithoutFaultCountsForNobody) {
  const auto players = NewPlayers(2);
  Finish({{players[0], players[1], 0, true, Ending::kAbortAgreed, 0, players[0]},
          {players[0], {}, 0, true, Ending::kNotFilled, 0},
          {players[0], players[1], 0, false, Ending::kAborted, 0, players[0]}});
  EXPECT_EQ(Count("rating_outbox"), 0) << "agreed, not filled, not rated";
  // Taken back while a seat was free.
  FinishAndRate({{players[0], {}, 0, true, Ending::kAborted, 0, players[0]}});
  EXPECT_EQ(Count("rating_outbox"), 0);
  EXPECT_EQ(Count("no_shows"), 0);
}

TEST_F(AbuseTest, ATableWithTwoOfAHouseholdIsVoidAtOnceAndMayBeCountedAgain) {
  const auto players = NewPlayers(4);
  const auto counted = Logged(FinishTable(players, 0)).second;
  EXPECT_EQ(counted.state, storage::MatchState::kCounted);
  LiveTogether({players[1], players[3]});
  const auto [number, flagged] = Logged(FinishTable(players, 1));
  EXPECT_EQ(flagged.state, storage::MatchState::kAnnulled);
  EXPECT_EQ(flagged.reason, "two of the players live together");
  const PoolRecord table = store_.PoolsByNumber({number}).value()[0];
  EXPECT_EQ(store_.Standings(number, {players[0]}).value()[0].standing.matches, 1);

  ASSERT_TRUE(ratings_
                  .Recompute(table, Fix(flagged.match, false, {}, "they do not"),
                             Ratings::Write::kIfDifferent)
                  .ok());
  EXPECT_EQ(store_.Standings(number, {players[0]}).value()[0].standing.matches, 2);

  LiveTogether({players[1]});
  EXPECT_EQ(Logged(FinishTable(players, 2)).second.state, storage::MatchState::kCounted)
      << "he moved out";
  LiveTogether({players[0], players[2], players[3]});
  FinishAndRate({{players[0], players[2], 0}});
  EXPECT_EQ(StandingOf(players[0]).matches, 1) << "two alone hurt no third";
}

TEST_F(AbuseTest, AHouseholdIsSetOnceForARequest) {
  const auto players = NewPlayers(2);
  const storage::Answer answer{storage::OperatorAccount(), make_.NewRequest(), {}, "first"};
  ASSERT_TRUE(store_.SetHousehold(players, answer).ok());
  LiveTogether({players[0]});
  const absl::Status again = store_.SetHousehold(players, answer);
  EXPECT_EQ(base::ReasonOf(again), base::Reason::kStaleVersion) << again;
  EXPECT_EQ(Count("households"), 1) << "a repeat changes nothing";
}

TEST_F(AbuseTest, OfAPlayerWhoCheatedTheLastNinetyDaysAreVoidAndOlderMatchesStay) {
  const auto players = NewPlayers(3);
  const PlayerId cheat = players[0];
  std::vector<base::GameId> games;
  // One a week: 20 of them; those of the last 90 days are the last 12 and that of today.
  for (int week = 0; week < 20; ++week) {
    if (week > 0) clock_.Advance(7 * kDay);
    games.push_back(FinishAndRate({{cheat, players[1 + static_cast<size_t>(week % 2)], 0}})[0]);
    FinishAndRate({{players[1], players[2], week % 2}});
  }
  const auto corrections =
      ratings_.CorrectionsOf(Pool(), {cheat, PlayerAnnulment::kDays, "cheating"});
  ASSERT_TRUE(corrections.ok()) << corrections.status();
  ASSERT_EQ(corrections->size(), 13u);
  EXPECT_EQ(corrections->front().match, base::MatchId(games[7].bytes()));
  const auto done = ratings_.Recompute(Pool(), *corrections, Ratings::Write::kIfDifferent);
  ASSERT_TRUE(done.ok()) << done.status();
  EXPECT_TRUE(done->switched);
  EXPECT_EQ(StandingOf(cheat).matches, 7);
  EXPECT_EQ(Logged(games[6]).second.state, storage::MatchState::kCounted);
  EXPECT_EQ(Logged(games[19]).second.reason, "cheating");
  ExpectSound();
  EXPECT_THAT(ratings_.CorrectionsOf(Pool(), {cheat, PlayerAnnulment::kDays, "again"}).value(),
              IsEmpty())
      << "nothing is left";
  EXPECT_EQ(ratings_.CorrectionsOf(Pool(), {cheat, 3'650, "all"})->size(), 7u);
}

// What farming left unrated would count once the matches before it are void.
TEST_F(AbuseTest, MatchesThatDidNotCountAreVoidToo) {
  const auto players = NewPlayers(2);
  for (int game = 0; game < 22; ++game) FinishAndRate({{players[0], players[1], 0}});
  ASSERT_EQ(StandingOf(players[0]).matches, 20);
  const auto corrections = ratings_.CorrectionsOf(Pool(), {players[0], 90, "cheating"});
  ASSERT_EQ(corrections->size(), 22u);
  ASSERT_TRUE(ratings_.Recompute(Pool(), *corrections, Ratings::Write::kIfDifferent).ok());
  EXPECT_EQ(StandingOf(players[0]).matches, 0);
  EXPECT_EQ(StandingOf(players[1]).rating, 1500);
}

}  // namespace
}  // namespace astragal::core
