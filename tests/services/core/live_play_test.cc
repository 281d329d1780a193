// Live play beyond single actions: open turns, offers, leaving, and every ending. Each case ends
// with a log that replays.
#include <gmock/gmock.h>

#include "services/core/command.h"
#include "tests/services/core/sim/core_test.h"

namespace astragal::tests {
namespace {

using core::ActionChoice;
using core::Command;
using storage::Ending;
using storage::EventKind;
using storage::GameStatus;
using storage::OfferKind;
using testing::ElementsAre;

class LivePlayTest : public CoreTest {
 protected:
  template <typename What>
  Command By(int player, What what, bool keep_body = false) {
    Command command = JoinBy(player, ++request_);
    command.body_hash = Body("body " + std::to_string(keep_body ? 0 : request_));
    command.what = std::move(what);
    return command;
  }
  template <typename What>
  Result Try(GameId id, int player, What what) {
    return Do(*a_, id, By(player, std::move(what)));
  }
  Result Play(GameId id, int player, std::vector<ActionChoice> actions, bool end_turn = true) {
    return Try(id, player, core::Play{std::move(actions), end_turn});
  }
  GameId StartedWith(storage::ClockPolicy clock, const std::string& ruleset = "race",
                     int seats = 2) {
    core::CreateGame create = NewRace(++request_ + 1'000);
    create.ruleset = ruleset;
    create.options = {{"seats", std::to_string(seats)}, {"length", "60"}};
    create.terms.clock = clock;
    create.seat.reset();
    for (int player = 1; player <= seats; ++player) {
      create.players.push_back(Player(static_cast<uint8_t>(player)));
    }
    const Result created = Create(*a_, create);
    EXPECT_TRUE(created.ok()) << created.status();
    EXPECT_EQ(created->after->status, GameStatus::kRunning);
    return created->after->facts->id;
  }
  GameId Running(const std::string& ruleset = "race", int seats = 2) {
    return StartedWith({}, ruleset, seats);
  }
  std::vector<EventKind> Kinds(const Result& result) {
    std::vector<EventKind> kinds;
    if (!result.ok()) return kinds;
    for (const core::EventPtr& event : result->events) kinds.push_back(event->record.kind);
    return kinds;
  }
  // The game is over in this way, on both nodes, and its log replays.
  void ExpectEnded(GameId id, Ending ending) {
    for (Node* node : {a_.get(), b_.get()}) {
      const core::StatePtr state = StateOf(id, *node);
      EXPECT_EQ(state->ending, ending);
      EXPECT_EQ(state->status,
                storage::HasResult(ending) ? GameStatus::kFinished : GameStatus::kAborted);
      EXPECT_EQ(state->Actor(), host::kOver);
    }
    EXPECT_EQ(ReasonOf(Try(id, 1, core::Resign{})), Reason::kGameOver);
    ExpectSoundLog(id);
  }
  void BeatAll() {
    a_->games.Poll();
    b_->games.Poll();
    RunAll();
  }
  // Time goes by with living nodes, in steps of half a second.
  void LetPass(int64_t ms) {
    for (int64_t passed = 0; passed < ms; passed += 500) {
      clock_.Advance(500'000);
      RunAll();
      BeatAll();
    }
  }

  uint64_t request_ = 5'000;
};

// Open turns.

TEST_F(LivePlayTest, AKeptTurnDrawsNothingAndCanBeTakenBack) {
  const GameId id = Running();
  const int player = ToAct(id);
  const core::StatePtr before = StateOf(id);
  const Result kept = Play(id, player, {int64_t{1}, int64_t{0}}, false);
  ASSERT_TRUE(kept.ok()) << kept.status();
  EXPECT_THAT(Kinds(kept), ElementsAre(EventKind::kAction, EventKind::kAction));
  EXPECT_EQ(ToAct(id), player) << "the turn is its seat's until it is ended";
  EXPECT_EQ(StateOf(id)->throws_drawn, before->throws_drawn);
  EXPECT_EQ(ReasonOf(Play(id, player, {int64_t{1}})), Reason::kIllegalAction);

  const Result undone = Try(id, player, core::Undo{1});
  ASSERT_TRUE(undone.ok()) << undone.status();
  const Result all = Try(id, player, core::Undo{1});
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_TRUE(all->after->position == before->position);
  EXPECT_EQ(ReasonOf(Try(id, player, core::Undo{1})), Reason::kNothingToUndo);

  ASSERT_TRUE(Play(id, player, {int64_t{1}, int64_t{0}}, false).ok());
  const Result ended = Try(id, player, core::EndTurn{});
  ASSERT_TRUE(ended.ok()) << ended.status();
  EXPECT_THAT(Kinds(ended), ElementsAre(EventKind::kTurnEnded, EventKind::kThrow));
  EXPECT_EQ(ToAct(id), 3 - player);
  EXPECT_EQ(ReasonOf(Try(id, player, core::Undo{1})), Reason::kNotYourTurn);
  EXPECT_EQ(ReasonOf(Try(id, 3 - player, core::Undo{1})), Reason::kNothingToUndo);
  ExpectSoundLog(id);
}

// A turn that ends the game cannot be kept open: nobody could end it any more.
TEST_F(LivePlayTest, WhatEndsTheGameEndsTheTurn) {
  core::CreateGame create = NewRace(++request_ + 1'000);
  create.options = {{"length", "1"}};
  create.players = {Player(1), Player(2)};
  create.seat.reset();
  const GameId id = Create(*a_, create)->after->facts->id;
  const Result won = Play(id, ToAct(id), {int64_t{1}}, false);
  ASSERT_TRUE(won.ok()) << won.status();
  EXPECT_THAT(Kinds(won), ElementsAre(EventKind::kAction, EventKind::kFinished));
  ExpectEnded(id, Ending::kPlayed);
}

TEST_F(LivePlayTest, ThatTheOthersAreGoneEndsAKeptTurn) {
  const GameId id = Running("relay", 2);
  const int player = ToAct(id);
  ASSERT_TRUE(Play(id, player, {int64_t{1}, int64_t{0}}, false).ok());
  ASSERT_TRUE(Try(id, 3 - player, core::Resign{}).ok());
  ExpectEnded(id, Ending::kResigned);
}

TEST_F(LivePlayTest, AKeptTurnThatTimesOutEndsLikeAnyOther) {
  const GameId id = StartedWith({storage::ClockKind::kPerTurn, 0, 10'000, 0});
  ASSERT_TRUE(Play(id, ToAct(id), {int64_t{1}, int64_t{0}}, false).ok());
  LetPass(11'000);
  ExpectEnded(id, Ending::kTimedOut);
}

// A log that nobody plays on does not grow.
TEST_F(LivePlayTest, TakingBackAndOfferingHaveAnEnd) {
  const GameId id = Running();
  const int player = ToAct(id);
  for (int i = 0; i < core::kMaxUndosPerTurn; ++i) {
    ASSERT_TRUE(Play(id, player, {int64_t{1}}, false).ok());
    ASSERT_TRUE(Try(id, player, core::Undo{1}).ok());
  }
  ASSERT_TRUE(Play(id, player, {int64_t{1}}, false).ok());
  EXPECT_EQ(ReasonOf(Try(id, player, core::Undo{1})), Reason::kNothingToUndo);
  for (int i = 0; i < core::kMaxOffersPerAction; ++i) {
    ASSERT_TRUE(Try(id, player, core::MakeOffer{OfferKind::kDraw, 0}).ok());
    ASSERT_TRUE(Try(id, player, core::AnswerOffer{false}).ok());
  }
  EXPECT_EQ(ReasonOf(Try(id, player, core::MakeOffer{OfferKind::kDraw, 0})),
            Reason::kOfferNotAllowed);
  ASSERT_TRUE(Play(id, player, {int64_t{0}}).ok());
  EXPECT_TRUE(Try(id, player, core::MakeOffer{OfferKind::kDraw, 0}).ok());
  ExpectSoundLog(id);
}

TEST_F(LivePlayTest, AnUnfinishedTurnCannotBeEnded) {
  const GameId id = Running();
  const int player = ToAct(id);
  EXPECT_EQ(ReasonOf(Try(id, player, core::EndTurn{})), Reason::kTurnNotOver);
  ASSERT_TRUE(Play(id, player, {int64_t{1}}, false).ok());
  EXPECT_EQ(ReasonOf(Try(id, player, core::EndTurn{})), Reason::kTurnNotOver);
  EXPECT_EQ(ReasonOf(Try(id, 3 - player, core::EndTurn{})), Reason::kNotYourTurn);
  EXPECT_EQ(ReasonOf(Try(id, player, core::Undo{0})), Reason::kBadField);
}

TEST_F(LivePlayTest, AnActionOfAnOpenTurnCanBeTakenBackWithoutKeepingIt) {
  const GameId id = Running();
  const int player = ToAct(id);
  const core::StatePtr before = StateOf(id);
  ASSERT_TRUE(Play(id, player, {int64_t{1}}).ok());  // one of two: the turn goes on
  const Result undone = Try(id, player, core::Undo{1});
  ASSERT_TRUE(undone.ok()) << undone.status();
  EXPECT_TRUE(undone->after->position == before->position);
}

TEST_F(LivePlayTest, AKeptTurnSurvivesARestartAndAnotherNode) {
  const GameId id = Running();
  const int player = ToAct(id);
  const core::StatePtr before = StateOf(id);
  ASSERT_TRUE(Play(id, player, {int64_t{1}, int64_t{0}}, false).ok());
  Restart();
  EXPECT_EQ(StateOf(id, *b_)->Actor(), player - 1);
  const Result undone = Do(*b_, id, By(player, core::Undo{2}));
  ASSERT_TRUE(undone.ok()) << undone.status();
  EXPECT_TRUE(StateOf(id, *a_)->position == before->position);
  ExpectSoundLog(id);
}

// Offers.

TEST_F(LivePlayTest, ADrawIsAgreed) {
  const GameId id = Running();
  ASSERT_TRUE(Try(id, 1, core::MakeOffer{OfferKind::kDraw, 0}).ok());
  EXPECT_EQ(ReasonOf(Try(id, 2, core::MakeOffer{OfferKind::kDraw, 0})), Reason::kOfferOpen);
  EXPECT_EQ(ReasonOf(Try(id, 1, core::AnswerOffer{true})), Reason::kOfferNotAllowed);
  const Result agreed = Try(id, 2, core::AnswerOffer{true});
  ASSERT_TRUE(agreed.ok()) << agreed.status();
  ExpectEnded(id, Ending::kDrawAgreed);
  const auto state = StateOf(id);
  for (const storage::SeatRecord& seat : state->seats) {
    EXPECT_EQ(seat.place, 1);
    EXPECT_EQ(seat.points, 0);
  }
}

TEST_F(LivePlayTest, AnOfferIsDeclinedWithdrawnOrLapses) {
  const GameId id = Running();
  EXPECT_EQ(ReasonOf(Try(id, 2, core::AnswerOffer{true})), Reason::kNoOffer);
  const int player = ToAct(id);
  const int other = 3 - player;
  ASSERT_TRUE(Try(id, player, core::MakeOffer{OfferKind::kAbort, 0}).ok());
  ASSERT_TRUE(Try(id, other, core::AnswerOffer{false}).ok());
  EXPECT_FALSE(StateOf(id)->proceedings.offer);
  ASSERT_TRUE(Try(id, player, core::MakeOffer{OfferKind::kAbort, 0}).ok());
  ASSERT_TRUE(Try(id, player, core::AnswerOffer{false}).ok());
  EXPECT_FALSE(StateOf(id)->proceedings.offer);
  // Its own seat may act on; who acts instead of answering has declined.
  ASSERT_TRUE(Try(id, player, core::MakeOffer{OfferKind::kAbort, 0}).ok());
  ASSERT_TRUE(Play(id, player, {int64_t{1}, int64_t{0}}).ok());
  EXPECT_TRUE(StateOf(id)->proceedings.offer);
  ASSERT_TRUE(Play(id, other, {int64_t{1}, int64_t{0}}).ok());
  EXPECT_FALSE(StateOf(id)->proceedings.offer);
  ExpectSoundLog(id);
}

TEST_F(LivePlayTest, ResigningForFewerPointsNeedsConsent) {
  const GameId id = Running();
  for (const int64_t points : {int64_t{0}, int64_t{3}, int64_t{-1}}) {
    const Result refused = Try(id, 1, core::MakeOffer{OfferKind::kResign, points});
    EXPECT_EQ(ReasonOf(refused), Reason::kOfferNotAllowed) << points;
    EXPECT_EQ(Detail(refused.status(), "most_points"), "2");
  }
  ASSERT_TRUE(Try(id, 1, core::MakeOffer{OfferKind::kResign, 1}).ok());
  ASSERT_TRUE(Try(id, 2, core::AnswerOffer{true}).ok());
  ExpectEnded(id, Ending::kResigned);
  EXPECT_EQ(StateOf(id)->seats[1].points, 1);
}

TEST_F(LivePlayTest, AtATableAllOthersMustAccept) {
  const GameId id = Running("relay", 4);
  EXPECT_EQ(ReasonOf(Try(id, 1, core::MakeOffer{OfferKind::kDraw, 0})), Reason::kOfferNotAllowed)
      << "a relay knows no draw";
  EXPECT_EQ(ReasonOf(Try(id, 1, core::MakeOffer{OfferKind::kResign, 1})), Reason::kOfferNotAllowed);
  ASSERT_TRUE(Try(id, 3, core::Resign{}).ok());
  ASSERT_TRUE(Try(id, 1, core::MakeOffer{OfferKind::kAbort, 0}).ok());
  ASSERT_TRUE(Try(id, 2, core::AnswerOffer{true}).ok());
  EXPECT_EQ(StateOf(id)->status, GameStatus::kRunning) << "the fourth has not answered";
  EXPECT_EQ(ReasonOf(Try(id, 2, core::AnswerOffer{true})), Reason::kOfferNotAllowed)
      << "once is enough";
  EXPECT_EQ(ReasonOf(Try(id, 3, core::AnswerOffer{true})), Reason::kNotSeated);
  ASSERT_TRUE(Try(id, 4, core::AnswerOffer{true}).ok());
  ExpectEnded(id, Ending::kAbortAgreed);
}

// Leaving, calling off.

TEST_F(LivePlayTest, ASeatIsGivenBackBeforeTheGameBegins) {
  const GameId id = Create(*a_, NewRace())->after->facts->id;
  EXPECT_EQ(ReasonOf(Try(id, 2, core::Leave{})), Reason::kNotSeated);
  ASSERT_TRUE(Try(id, 1, core::Leave{}).ok());
  ASSERT_TRUE(Do(*a_, id, JoinBy(2, 20, 0)).ok());
  ASSERT_TRUE(Do(*a_, id, JoinBy(3, 30, 1)).ok());
  EXPECT_EQ(StateOf(id, *b_)->SeatOf(Player(2)), 0);
  EXPECT_EQ(ReasonOf(Try(id, 2, core::Leave{})), Reason::kGameBegun);
  ExpectSoundLog(id);
}

TEST_F(LivePlayTest, AGameIsCalledOffBeforeTheFirstAction) {
  const GameId open = Create(*a_, NewRace())->after->facts->id;
  EXPECT_EQ(ReasonOf(Try(open, 2, core::Abort{})), Reason::kNotSeated);
  ASSERT_TRUE(Try(open, 1, core::Abort{}).ok());
  ExpectEnded(open, Ending::kAborted);

  const GameId running = Running();
  ASSERT_TRUE(Try(running, 2, core::Abort{}).ok());
  ExpectEnded(running, Ending::kAborted);
  EXPECT_FALSE(store_.Log(running).back().detail.empty()) << "the secret is published all the same";

  const GameId begun = Running();
  ASSERT_TRUE(Play(begun, ToAct(begun), {int64_t{1}}).ok());
  EXPECT_EQ(ReasonOf(Try(begun, 1, core::Abort{})), Reason::kGameBegun);
}

TEST_F(LivePlayTest, NobodyCameInTime) {
  const GameId id = Create(*a_, NewRace())->after->facts->id;
  clock_.Advance(core::kOpenForMs * 1'000);
  LetPass(2'000);
  ExpectEnded(id, Ending::kNotFilled);
}

TEST_F(LivePlayTest, AGameThatStandsStillCanBeClaimed) {
  const GameId id = Running();
  const int waiting = Waiting(id);
  const Result early = Try(id, waiting, core::Claim{});
  EXPECT_EQ(ReasonOf(early), Reason::kNothingToClaim);
  EXPECT_FALSE(Detail(early.status(), "claim_time_ms").empty());
  clock_.Advance(core::kClaimAfterMs * 1'000);
  EXPECT_EQ(ReasonOf(Try(id, 9, core::Claim{})), Reason::kNotSeated);
  ASSERT_TRUE(Try(id, waiting, core::Claim{}).ok());
  ExpectEnded(id, Ending::kAbandoned);
  EXPECT_EQ(StateOf(id)->seats[static_cast<size_t>(waiting - 1)].place, 1);
}

// Clocks.

constexpr storage::ClockPolicy kTenSeconds{storage::ClockKind::kPerTurn, 0, 10'000, 0};

TEST_F(LivePlayTest, TimeRunsOutByItself) {
  const GameId id = StartedWith(kTenSeconds);
  const int loser = ToAct(id);
  LetPass(9'500);
  EXPECT_EQ(StateOf(id)->status, GameStatus::kRunning);
  LetPass(1'000);
  ExpectEnded(id, Ending::kTimedOut);
  EXPECT_EQ(StateOf(id)->seats[static_cast<size_t>(loser - 1)].place, 2);
  EXPECT_EQ(StateOf(id)->seats[static_cast<size_t>(2 - loser)].points, 2) << "the most there was";
}

TEST_F(LivePlayTest, WhoseTimeIsUpMayDoNothingMore) {
  const GameId id = StartedWith(kTenSeconds);
  const int player = ToAct(id);
  clock_.Advance(10'000'000);
  for (const int by : {player, 3 - player}) {
    EXPECT_EQ(ReasonOf(Try(id, by, core::Resign{})), Reason::kTimeExpired);
  }
  const Result late = Play(id, player, {int64_t{1}});
  EXPECT_EQ(ReasonOf(late), Reason::kTimeExpired);
  EXPECT_EQ(Detail(late.status(), "seat"), std::to_string(player - 1));
  ASSERT_TRUE(Try(id, 3 - player, core::Claim{}).ok());
  ExpectEnded(id, Ending::kTimedOut);
}

TEST_F(LivePlayTest, AnotherNodeTakesOverADeadNodesDeadline) {
  const GameId id = StartedWith(kTenSeconds);
  a_.reset();
  for (int step = 0; step < 24; ++step) {
    clock_.Advance(500'000);
    b_->games.Poll();
    while (b_->scheduler.RunAll() > 0) {
    }
  }
  EXPECT_EQ(store_.Log(id).back().kind, EventKind::kFinished);
  Restart();
  ExpectEnded(id, Ending::kTimedOut);
}

TEST_F(LivePlayTest, TimeWithoutAnyServerIsGivenBack) {
  BeatAll();
  const GameId id = StartedWith(kTenSeconds);
  LetPass(4'000);
  a_.reset();
  b_.reset();
  clock_.Advance(60'000'000);  // the service is down over the deadline
  Restart();
  BeatAll();
  EXPECT_EQ(StateOf(id)->status, GameStatus::kRunning);
  LetPass(2'000);
  EXPECT_EQ(StateOf(id)->status, GameStatus::kRunning);
  const auto log = store_.Log(id);
  EXPECT_EQ(std::ranges::count(log, EventKind::kCredited, &storage::EventRecord::kind), 1);
  LetPass(6'000);
  ExpectEnded(id, Ending::kTimedOut);
}

TEST_F(LivePlayTest, AnActionAfterAnOutageCarriesTheCreditToo) {
  BeatAll();
  const GameId id = StartedWith(kTenSeconds);
  clock_.Advance(60'000'000);
  const std::vector<storage::Outage> outages = *store_.Beat({});
  ASSERT_EQ(outages.size(), 1u);
  a_->outages.Learn(outages, clock_.Now());
  const Result played = Play(id, ToAct(id), {int64_t{1}});
  ASSERT_TRUE(played.ok()) << played.status();
  EXPECT_THAT(Kinds(played), ElementsAre(EventKind::kCredited, EventKind::kAction));
  ExpectSoundLog(id);
}

TEST_F(LivePlayTest, WhoDoesNotBeginLosesNothing) {
  const GameId id = StartedWith({storage::ClockKind::kDelay, 60'000, 8'000, 20'000});
  const int first = ToAct(id);
  LetPass(15'000);
  ASSERT_TRUE(Play(id, first, {int64_t{1}, int64_t{0}}).ok());
  EXPECT_EQ(StateOf(id)->proceedings.clock.reserve_us[static_cast<size_t>(first - 1)], 60'000'000);
  LetPass(21'000);
  ExpectEnded(id, Ending::kNotBegun);
  const auto state = StateOf(id);
  for (const storage::SeatRecord& seat : state->seats) EXPECT_EQ(seat.place, 0);
}

TEST_F(LivePlayTest, AtATableTheOthersPlayOn) {
  const GameId id = StartedWith(kTenSeconds, "relay", 3);
  const int first = ToAct(id);
  LetPass(11'000);
  EXPECT_EQ(StateOf(id)->status, GameStatus::kRunning);
  EXPECT_FALSE(StateOf(id)->IsIn(first - 1));
  EXPECT_NE(ToAct(id), first);
  LetPass(11'000);
  ExpectEnded(id, Ending::kTimedOut);
}

TEST_F(LivePlayTest, ClocksStandInEveryEvent) {
  const GameId id = StartedWith({storage::ClockKind::kFischer, 60'000, 8'000, 0});
  const int player = ToAct(id);
  LetPass(5'000);
  const Result played = Play(id, player, {int64_t{1}, int64_t{0}});
  ASSERT_TRUE(played.ok()) << played.status();
  const core::EventView& last = *played->events.back();  // the throw of the next seat
  ASSERT_EQ(last.clocks.seats.size(), 2u);
  EXPECT_EQ(last.clocks.running, 2 - player);
  EXPECT_EQ(last.clocks.seats[static_cast<size_t>(player - 1)].reserve_us, 63'000'000);
  EXPECT_EQ(last.clocks.deadline->micros, last.record.at.micros + 60'000'000);
}

// Which endings have a result; each of them is reached above or in command_test.cc.
static_assert(storage::HasResult(Ending::kPlayed) && storage::HasResult(Ending::kResigned) &&
              storage::HasResult(Ending::kTimedOut) && storage::HasResult(Ending::kAbandoned) &&
              storage::HasResult(Ending::kDrawAgreed));
static_assert(!storage::HasResult(Ending::kNone) && !storage::HasResult(Ending::kAborted) &&
              !storage::HasResult(Ending::kAbortAgreed) && !storage::HasResult(Ending::kNotBegun) &&
              !storage::HasResult(Ending::kNotFilled));

}  // namespace
}  // namespace astragal::tests
