// Matches over the simulated store: games that follow each other, exactly once on two nodes and
// after a crash.
#include <gmock/gmock.h>

#include <functional>
#include <string>

#include "services/core/next_game.h"
#include "tests/services/core/sim/match_fixture.h"

namespace astragal::tests {
namespace {

using storage::GameStatus;
using testing::ElementsAre;

TEST_F(MatchesTest, GamesFollowEachOtherUntilItIsDecided) {
  const MatchId id = Created(First(), Terms(MatchKind::kPoints, 3));
  EXPECT_EQ(Now(id)->Stage(), MatchStage::kPlaying);
  const GameId first = Last(id);
  const core::StatePtr state = StateOf(first);
  EXPECT_EQ(state->status, GameStatus::kRunning);
  EXPECT_EQ(state->facts->terms.match, id);
  EXPECT_EQ(state->facts->terms.match_game, 1);

  Resign(id, 1);
  ASSERT_EQ(Now(id)->games.size(), 2U);
  EXPECT_THAT(Points(id), ElementsAre(0, 2));
  EXPECT_EQ(StateOf(Last(id))->status, GameStatus::kRunning);
  EXPECT_EQ(StateOf(Last(id))->facts->options, state->facts->options);
  EXPECT_EQ(StateOf(Last(id))->facts->terms.match_game, 2);
  ExpectSoundLog(Last(id));

  Resign(id, 1);
  EXPECT_EQ(Now(id)->games.size(), 2U);
  EXPECT_EQ(Now(id)->Stage(), MatchStage::kOver);
  EXPECT_THAT(Points(id), ElementsAre(0, 3)) << "points over the length do not count";
  EXPECT_EQ(Now(id)->score.winner, 1);
  EXPECT_EQ(base::ReasonOf(StartNext(*on_a_, id, 3).status()), Reason::kMatchOver);
  EXPECT_EQ(StartNext(*on_a_, id, 1).value()->games.front().game.id, first) << "it has started";
}

TEST_F(MatchesTest, OfAllWhoStartTheNextGameOneDoes) {
  for (int round = 0; round < 30; ++round) {
    const MatchId id = Created(First(), Terms(MatchKind::kGames, 5));
    // The process that ends the game, a player on either node, and whoever looks, all at once.
    Inbox resigned;
    a_->games.Submit(Last(id), ResignBy(1 + round % 2, ++request_), resigned.Done());
    while (resigned.answers == 0 && a_->scheduler.RunOne()) {
    }
    const MatchPtr seen = Now(id);
    ASSERT_EQ(seen->Stage(), MatchStage::kDue);
    MatchInbox answers[3];
    on_a_->StartNext(seen, 0, answers[0].Done());
    on_b_->StartNext(seen, 2, answers[1].Done());
    on_b_->Get(id, {}, answers[2].Done());
    RunAll();
    const MatchPtr after = Now(id);
    ASSERT_EQ(after->games.size(), 2U) << "round " << round;
    for (MatchInbox& answer : answers) {
      const MatchResult result = Await(answer);
      ASSERT_TRUE(result.ok()) << result.status();
      ASSERT_EQ((*result)->games.size(), 2U);
      EXPECT_EQ((*result)->games[1].game.id, after->games[1].game.id);
    }
  }
}

TEST_F(MatchesTest, AStartInDoubtIsTheSameGame) {
  for (const BatchFault fault :
       {BatchFault::kDoubtStored, BatchFault::kDoubtLost, BatchFault::kAway}) {
    StartNothing();
    const MatchId id = Created(First(), Terms(MatchKind::kGames, 5));
    Resign(id, 1);
    store_.Fail(fault);
    (void)StartNext(*on_a_, id, 2);
    const MatchResult again = StartNext(*on_b_, id, 2);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ((*again)->games.size(), 2U);
    EXPECT_EQ(Now(id)->games.size(), 2U);
  }
}

TEST_F(MatchesTest, WhoeverLooksMovesOnAfterACrash) {
  StartNothing();
  const MatchId id = Created(First(), Terms(MatchKind::kGames, 5));
  Resign(id, 1);
  Restart();
  Begin();
  ASSERT_EQ(Now(id)->games.size(), 1U);
  ASSERT_EQ(Now(id)->Stage(), MatchStage::kDue);
  MatchInbox inbox;
  on_b_->Get(id, {}, inbox.Done());
  const MatchResult moved = Await(inbox);
  ASSERT_TRUE(moved.ok()) << moved.status();
  EXPECT_EQ((*moved)->games.size(), 2U);
  EXPECT_EQ((*moved)->Stage(), MatchStage::kPlaying);
}

TEST_F(MatchesTest, AWatchMovesOnToo) {
  StartNothing();
  const MatchId id = Created(First(), Terms(MatchKind::kGames, 2));
  int woken = 0;
  const auto watch = *on_b_->StartWatch(id, {}, [&] { ++woken; });
  EXPECT_EQ(watch->Next()->games.size(), 1U);
  EXPECT_EQ(watch->Next(), nullptr);
  Resign(id, 1);
  on_b_->Poll();
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(watch->Next()->Stage(), MatchStage::kDue);
  on_b_->Poll();  // still due: nobody else starts it
  RunAll();
  const MatchPtr second = watch->Next();
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->games.size(), 2U);
  EXPECT_EQ(second->Stage(), MatchStage::kPlaying);
  Resign(id, 1);
  on_b_->Poll();
  EXPECT_EQ(watch->Next()->Stage(), MatchStage::kOver);
  EXPECT_EQ(woken, 3);
}

TEST_F(MatchesTest, TheProcessThatEndsTheGameTellsItsWatchersAtOnce) {
  const MatchId id = Created(First(), Terms(MatchKind::kGames, 2));
  const auto watch = *on_a_->StartWatch(id, {}, [] {});
  Resign(*a_, id, 2);
  EXPECT_EQ(watch->Next()->games.size(), 2U);
  EXPECT_EQ(watch->Next(), nullptr);
}

TEST_F(MatchesTest, AStoreThatIsAwayForAMomentDelaysTheNextGame) {
  const MatchId id = Created(First(), Terms(MatchKind::kGames, 2));
  const GameId first = Last(id);
  matches_.Fail(2);
  const Result resigned = Do(*a_, first, ResignBy(1, ++request_));
  ASSERT_TRUE(resigned.ok());
  Advance(400);
  EXPECT_EQ(Now(id)->games.size(), 2U);
}

TEST_F(MatchesTest, AGameCalledOffDoesNotCountAndWaitsForThePlayers) {
  const MatchId id = Created(First(), Terms(MatchKind::kPoints, 5, FirstMover::kWinner));
  Resign(id, 1);
  core::Command abort = JoinBy(1, ++request_);
  abort.what = core::Abort{};
  EXPECT_EQ(ReasonOf(Do(*a_, Last(id), abort)), Reason::kGameBegun)
      << "a first throw cannot be called off alone";
  EXPECT_EQ(base::ReasonOf(StartNext(*on_a_, id, 3).status()), Reason::kGameStillRunning);
  Agree(id, storage::OfferKind::kAbort);
  EXPECT_EQ(Now(id)->Stage(), MatchStage::kWaiting);
  EXPECT_EQ(Now(id)->games.size(), 2U);
  EXPECT_EQ(base::ReasonOf(StartNext(*on_a_, id, 4).status()), Reason::kBadField);
  ASSERT_TRUE(StartNext(*on_b_, id, 0).ok());
  EXPECT_EQ(Now(id)->games.size(), 3U);
  EXPECT_EQ(Now(id)->score.games, 1);
  EXPECT_EQ(Beginner(id), 2) << "the winner of the last game that counts";
}

TEST_F(MatchesTest, ARepeatedCreationIsTheSameMatch) {
  core::CreateGame first = First();
  const MatchTerms terms = Terms(MatchKind::kPoints, 3);
  const MatchId id = Created(first, terms);
  EXPECT_EQ(Created(first, terms), id);
  first.body_hash = Body("another match");
  EXPECT_EQ(base::ReasonOf(Create(first, terms).status()), Reason::kRequestIdReused);
  // The request of its next game is not to be guessed wrongly by anybody.
  EXPECT_NE(core::MatchGameRequest(id, 2), core::MatchGameRequest(id, 3));
}

TEST_F(MatchesTest, APrivateMatchIsThereForItsPlayers) {
  core::CreateGame first = First();
  first.terms.visibility = storage::Visibility::kPrivate;
  const MatchId id = Created(first, Terms(MatchKind::kPoints, 3));
  EXPECT_TRUE(on_a_->Read(id, Player(2)).ok());
  for (const base::PlayerId& viewer : {base::PlayerId(), Player(3)}) {
    EXPECT_EQ(base::ReasonOf(on_a_->Read(id, viewer).status()), Reason::kNotFound);
    EXPECT_EQ(base::ReasonOf(on_a_->StartWatch(id, viewer, [] {}).status()), Reason::kNotFound);
    EXPECT_TRUE(on_a_->List(Player(1), viewer, {}, 10)->empty());
  }
  EXPECT_EQ(on_a_->List(Player(1), Player(1), {}, 10)->size(), 1U);
  EXPECT_EQ(base::ReasonOf(on_a_->Read(MatchId(), Player(1)).status()), Reason::kNotFound);
}

TEST_F(MatchesTest, ListsHaveTheScoreOfEach) {
  const MatchId one = Created(First(), Terms(MatchKind::kPoints, 3));
  Resign(one, 1);
  const MatchId two = Created(First(), Terms(MatchKind::kGames, 3));
  const auto list = *on_a_->List(Player(2), {}, {}, 10);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0]->match.record.id, two);
  EXPECT_EQ(list[0]->games.size(), 1U);
  EXPECT_EQ(list[1]->match.record.id, one);
  EXPECT_EQ(list[1]->games.size(), 2U);
  EXPECT_EQ(list[1]->score.players[1].points, 2);
}

}  // namespace
}  // namespace astragal::tests
