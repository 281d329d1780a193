// What happens to a command between its judging and its answer: repeats, doubt, limits, the end.
#include "services/core/live_game.h"

#include "tests/services/core/sim/core_test.h"

namespace astragal::tests {
namespace {

using core::Command;
using core::LiveGame;
using storage::EventKind;
using storage::GameStatus;

class LiveGameTest : public CoreTest {
 protected:
  Command Turn(GameId id, uint64_t request) {
    return PlayBy(ToAct(id), request, {int64_t{1}, int64_t{1}});
  }
};

// ---- Repeats.

TEST_F(LiveGameTest, ARepeatGetsTheFirstAnswer) {
  const GameId id = Started();
  const Command command = Turn(id, 10);
  const Result first = Do(*a_, id, command);
  ASSERT_TRUE(first.ok());
  const std::vector<storage::EventRecord> log = store_.Log(id);

  ExpectSameAnswer(first, Do(*a_, id, command));
  ExpectSameAnswer(first, Do(*b_, id, command));
  ASSERT_EQ(store_.Log(id), log);
  ASSERT_TRUE(PlayTurn(*a_, id, 11).ok());  // the game goes on
  ExpectSameAnswer(first, Do(*a_, id, command));
  Restart();
  ExpectSameAnswer(first, Do(*a_, id, command));
  ExpectSameAnswer(first, Do(*b_, id, command));
  EXPECT_EQ(store_.Log(id).size(), log.size() + 3);
  ExpectSoundLog(id);
}

// The position has come round, so that the repeat would be legal once more.
TEST_F(LiveGameTest, ARepeatThatWouldBeLegalIsStillARepeat) {
  const GameId id = Started();
  const Command command = Turn(id, 10);
  const Result first = Do(*a_, id, command);
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(PlayTurn(*a_, id, 11).ok());
  const size_t events = store_.Log(id).size();
  ASSERT_EQ(ToAct(id), command.player.bytes()[15]);
  ExpectSameAnswer(first, Do(*a_, id, command));
  ExpectSameAnswer(first, Do(*b_, id, command));
  EXPECT_EQ(store_.Log(id).size(), events);
}

TEST_F(LiveGameTest, ARepeatOfTheCommandThatEndedTheGame) {
  const GameId id = Started();
  const Result first = Do(*a_, id, ResignBy(1, 10));
  ASSERT_TRUE(first.ok());
  ExpectSameAnswer(first, Do(*a_, id, ResignBy(1, 10)));
  Restart();
  const Result again = Do(*b_, id, ResignBy(1, 10));
  ExpectSameAnswer(first, again);
  EXPECT_EQ(again->after->status, GameStatus::kFinished);
}

TEST_F(LiveGameTest, ARepeatedJoin) {
  const GameId id = Create(*a_, NewRace())->after->facts->id;
  const Result first = Do(*a_, id, JoinBy(2, 10));
  ASSERT_TRUE(first.ok());
  ExpectSameAnswer(first, Do(*b_, id, JoinBy(2, 10)));
}

TEST_F(LiveGameTest, AnotherBodyUnderAKnownIdIsRefused) {
  const GameId id = Started();
  const int player = ToAct(id);
  ASSERT_TRUE(Do(*a_, id, Turn(id, 10)).ok());
  ASSERT_TRUE(PlayTurn(*a_, id, 11).ok());
  const std::vector<storage::EventRecord> log = store_.Log(id);
  const struct {
    const char* name;
    Command command;
  } cases[] = {
      {"would be legal", PlayBy(player, 10, {int64_t{1}, int64_t{0}})},
      {"would be illegal", PlayBy(player, 10, {int64_t{9}})},
      {"another kind", ResignBy(player, 10)},
  };
  for (const auto& [name, command] : cases) {
    for (Node* node : {a_.get(), b_.get()}) {
      const Result result = Do(*node, id, command);
      EXPECT_EQ(ReasonOf(result), Reason::kRequestIdReused) << name << " " << result.status();
      EXPECT_EQ(Detail(result.status(), "field"), "request_id");
    }
  }
  EXPECT_EQ(store_.Log(id), log);
  // Of another player, or for another game, the same id is another request.
  EXPECT_TRUE(Do(*a_, id, ResignBy(3 - player, 10)).ok());
  const GameId other = Started(NewRace(50));
  EXPECT_TRUE(Do(*a_, other, ResignBy(player, 10)).ok());
}

TEST_F(LiveGameTest, CreationsRepeatToo) {
  const Result first = Create(*a_, NewRace(7));
  ASSERT_TRUE(first.ok());
  ExpectSameAnswer(first, Create(*a_, NewRace(7)));
  Restart();
  ExpectSameAnswer(first, Create(*b_, NewRace(7)));
  core::CreateGame other = NewRace(7);
  other.body_hash = Body("something else");
  EXPECT_EQ(ReasonOf(Create(*a_, other)), Reason::kRequestIdReused);
  // A repeat that would be refused today: its ruleset is gone from the list of new games.
  core::CreateGame gone = NewRace(7);
  gone.ruleset = "chess";
  ExpectSameAnswer(first, Create(*a_, gone));
  EXPECT_EQ(store_.Backup().games.size(), 1u);
  // Its id is used up for the new game as well.
  EXPECT_EQ(ReasonOf(Do(*a_, first->after->facts->id, ResignBy(1, 7))), Reason::kRequestIdReused);
}

// ---- Nothing is visible before it is stored.

TEST_F(LiveGameTest, NothingIsVisibleBeforeTheCommit) {
  const GameId id = Started();
  auto watch = a_->games.StartWatch(id, {}, std::nullopt, [] {});
  ASSERT_TRUE(watch.ok());
  const core::StatePtr before = StateOf(id);
  Inbox inbox;
  int looked = 0;
  store_.hook = [&](std::string_view where) {
    if (where != "commit" && where != "committed") return;
    ++looked;
    EXPECT_EQ(inbox.answers, 0);
    EXPECT_EQ(a_->games.Find(id).value()->state(), before);
    const auto event = (*watch)->Next();
    EXPECT_TRUE(event.ok() && !*event) << where;
  };
  a_->games.Submit(id, Turn(id, 10), inbox.Done());
  ASSERT_TRUE(Await(inbox).ok());
  EXPECT_EQ(looked, 2);
  const auto event = (*watch)->Next();
  ASSERT_TRUE(event.ok() && *event);
  EXPECT_EQ((**event)->record.sequence, before->sequence + 1);
}

TEST_F(LiveGameTest, AFailedCommitLeavesEverythingAsItWas) {
  const GameId id = Started();
  auto watch = a_->games.StartWatch(id, {}, std::nullopt, [] {});
  ASSERT_TRUE(watch.ok());
  const core::StatePtr before = StateOf(id);
  store_.Fail(BatchFault::kAway);
  const Result failed = Do(*a_, id, Turn(id, 10));
  EXPECT_EQ(ReasonOf(failed), Reason::kStoreUnavailable);
  EXPECT_EQ(StateOf(id), before);
  EXPECT_FALSE((*watch)->Next().value());
  store_.Fail(CommitFault::kRejected);
  EXPECT_EQ(ReasonOf(Do(*a_, id, Turn(id, 10))), Reason::kInternal);
  EXPECT_EQ(StateOf(id), before);
  EXPECT_TRUE(Do(*a_, id, Turn(id, 10)).ok()) << "the same request may be sent again";
  ExpectSoundLog(id);
}

TEST_F(LiveGameTest, TheStoreIsAway) {
  const GameId id = Started();
  const Command turn = Turn(id, 10);
  store_.SetAway(true);
  EXPECT_EQ(ReasonOf(Do(*a_, id, turn)), Reason::kStoreUnavailable);
  // A refusal cannot be told from a repeat without the store.
  EXPECT_EQ(ReasonOf(Do(*a_, id, PlayBy(1, 11, {int64_t{9}}))), Reason::kStoreUnavailable);
  EXPECT_EQ(ReasonOf(Create(*a_, NewRace(70))), Reason::kStoreUnavailable);
  EXPECT_EQ(ReasonOf(Do(*b_, id, turn)), Reason::kStoreUnavailable) << "not loaded there";
  store_.SetAway(false);
  EXPECT_TRUE(Do(*a_, id, turn).ok());
}

// ---- A commit in doubt.

class InDoubt : public LiveGameTest, public testing::WithParamInterface<BatchFault> {};

TEST_P(InDoubt, TheAnswerIsTheTruth) {
  const GameId id = Started();
  auto watch = a_->games.StartWatch(id, {}, std::nullopt, [] {});
  ASSERT_TRUE(watch.ok());
  const uint32_t head = StateOf(id)->sequence;
  const Command turn = Turn(id, 10);
  store_.Fail(GetParam());
  const Result doubtful = Do(*a_, id, turn);
  if (GetParam() == BatchFault::kDoubtStored) {
    EXPECT_TRUE(doubtful.ok()) << doubtful.status();
  } else {
    EXPECT_EQ(ReasonOf(doubtful), Reason::kStoreUnavailable);
    EXPECT_EQ(StateOf(id)->sequence, head);
    EXPECT_FALSE((*watch)->Next().value()) << "a watcher saw what may not be stored";
  }
  store_.LandLate();
  const Result repeated = Do(*a_, id, turn);
  ASSERT_TRUE(repeated.ok()) << repeated.status();
  if (doubtful.ok()) ExpectSameAnswer(doubtful, repeated);
  ExpectSameAnswer(repeated, Do(*b_, id, turn));
  EXPECT_EQ(StateOf(id)->sequence, head + 3);
  ASSERT_TRUE(PlayTurn(*a_, id, 11).ok());
  // The watcher got each event once.
  for (uint32_t sequence = head + 1; sequence <= head + 6; ++sequence) {
    const auto event = (*watch)->Next();
    ASSERT_TRUE(event.ok() && *event) << sequence;
    EXPECT_EQ((**event)->record.sequence, sequence);
  }
  ExpectSoundLog(id);
}

TEST_P(InDoubt, WithTheStoreAwayAfterwards) {
  const GameId id = Started();
  const uint32_t head = StateOf(id)->sequence;
  const Command turn = Turn(id, 10);
  store_.Fail(GetParam());
  store_.draw_read_fault = [] { return true; };
  const Result doubtful = Do(*a_, id, turn);
  EXPECT_EQ(ReasonOf(doubtful), Reason::kStoreUnavailable);
  EXPECT_EQ(doubtful.status().code(), absl::StatusCode::kUnavailable);
  store_.draw_read_fault = nullptr;
  store_.LandLate();
  // The state in memory is not trusted before it was read again.
  EXPECT_FALSE(a_->games.Find(id).value()->IsFresh());
  const Result repeated = Do(*a_, id, turn);
  ASSERT_TRUE(repeated.ok()) << repeated.status();
  EXPECT_EQ(StateOf(id)->sequence, head + 3);
  ExpectSoundLog(id);
}

TEST_P(InDoubt, Creations) {
  store_.Fail(GetParam());
  const Result doubtful = Create(*a_, NewRace(7));
  if (GetParam() == BatchFault::kDoubtStored) {
    EXPECT_TRUE(doubtful.ok()) << doubtful.status();
  } else {
    EXPECT_EQ(ReasonOf(doubtful), Reason::kStoreUnavailable);
  }
  store_.LandLate();
  const Result repeated = Create(*a_, NewRace(7));
  ASSERT_TRUE(repeated.ok()) << repeated.status();
  EXPECT_EQ(store_.Backup().games.size(), 1u);
  EXPECT_TRUE(Do(*a_, repeated->after->facts->id, JoinBy(2, 8)).ok());
}

std::string NameOf(const testing::TestParamInfo<BatchFault>& fault) {
  const char* const names[] = {"None", "Away", "Stored", "Lost", "Late"};
  return names[static_cast<int>(fault.param)];
}

INSTANTIATE_TEST_SUITE_P(Each, InDoubt,
                         testing::Values(BatchFault::kDoubtStored, BatchFault::kDoubtLost,
                                         BatchFault::kDoubtLate),
                         NameOf);

// ---- Other servers.

TEST_F(LiveGameTest, ABusyHeadIsTriedAgain) {
  const GameId id = Started();
  store_.Fail(CommitFault::kBusy, LiveGame::kMaxRounds);
  EXPECT_TRUE(Do(*a_, id, Turn(id, 10)).ok());
  store_.Fail(CommitFault::kBusy, LiveGame::kMaxRounds + 1);
  const Result result = Do(*a_, id, Turn(id, 11));
  EXPECT_EQ(ReasonOf(result), Reason::kStoreUnavailable);
  EXPECT_TRUE(Do(*a_, id, Turn(id, 11)).ok());
}

// The same request reaches both nodes, and the other one stores it between this one's refresh and
// look-up: the answer must be the first one and not a refusal.
TEST_F(LiveGameTest, TheSameRequestOnTwoNodesAtOnce) {
  for (const std::string_view moment : {"heads", "request", "commit"}) {
    SCOPED_TRACE(moment);
    const GameId id = Started(NewRace(moment.size()));
    const int player = ToAct(id);
    ASSERT_NE(StateOf(id, *b_), nullptr);
    ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
    ASSERT_TRUE(PlayTurn(*a_, id, 11).ok());
    // Node b is two turns behind, so that it will judge this as stale and look it up.
    const Command turn =
        Expecting(PlayBy(player, 12, {int64_t{1}, int64_t{1}}), StateOf(id)->sequence);
    Inbox on_a;
    bool sent = false;
    store_.hook = [&](std::string_view where) {
      if (where != moment || sent) return;
      sent = true;
      a_->games.Submit(id, turn, on_a.Done());
      a_->scheduler.RunAll();
      EXPECT_EQ(on_a.answers, 1);
    };
    const Result on_b = Do(*b_, id, turn);
    store_.hook = nullptr;
    EXPECT_TRUE(sent);
    ExpectSameAnswer(on_a.result, on_b);
    ExpectSoundLog(id);
  }
}

// ---- Limits and the end.

TEST_F(LiveGameTest, TheMailboxHasALimit) {
  const GameId id = Started();
  std::vector<Inbox> inboxes(LiveGame::kMaxMailbox + 3);
  for (Inbox& inbox : inboxes) {
    a_->games.Submit(id, PlayBy(9, 10, {int64_t{1}}), inbox.Done());
  }
  // One is being worked on, the mailbox is full, the rest was refused at once.
  for (size_t i = 0; i < inboxes.size(); ++i) {
    EXPECT_EQ(inboxes[i].answers, i > LiveGame::kMaxMailbox ? 1 : 0) << i;
  }
  EXPECT_EQ(ReasonOf(inboxes.back().result), Reason::kMailboxFull);
  EXPECT_NE(Detail(inboxes.back().result.status(), "retry_after_ms"), "");
  RunAll();
  for (size_t i = 0; i <= LiveGame::kMaxMailbox; ++i) {
    EXPECT_EQ(inboxes[i].answers, 1);
    EXPECT_EQ(ReasonOf(inboxes[i].result), Reason::kNotSeated);
  }
}

TEST_F(LiveGameTest, CommandsAreTakenInOrder) {
  const GameId id = Started();
  Inbox first, second;
  const int player = ToAct(id);
  a_->games.Submit(id, PlayBy(player, 10, {int64_t{1}}), first.Done());
  a_->games.Submit(id, PlayBy(player, 11, {int64_t{0}}), second.Done());
  RunAll();
  ASSERT_TRUE(first.result.ok()) << first.result.status();
  ASSERT_TRUE(second.result.ok()) << second.result.status();
  EXPECT_EQ(first.result->after->sequence + 1, second.result->events[0]->record.sequence);
}

TEST_F(LiveGameTest, AFullSchedulerIsAnAnswerToo) {
  const GameId id = Started();
  a_->scheduler.RefusePosts(1'000'000);
  EXPECT_EQ(ReasonOf(Do(*a_, id, Turn(id, 10))), Reason::kMailboxFull);
  EXPECT_EQ(ReasonOf(Do(*a_, id, PlayBy(9, 10, {int64_t{1}}))), Reason::kMailboxFull);
  EXPECT_EQ(ReasonOf(Do(*a_, GameId(), Turn(id, 10))), Reason::kMailboxFull);
  EXPECT_EQ(ReasonOf(Create(*a_, NewRace(60))), Reason::kMailboxFull);
  core::CreateGame wrong = NewRace(61);
  wrong.ruleset = "chess";
  EXPECT_EQ(ReasonOf(Create(*a_, wrong)), Reason::kMailboxFull);
  a_->scheduler.RefusePosts(0);
  EXPECT_TRUE(Do(*a_, id, Turn(id, 10)).ok());
}

// Answers that need no store follow each other for ever without growing the stack.
TEST_F(LiveGameTest, ALongRowOfAnswersAtOnce) {
  const GameId id = Started();
  const Command look = OnlyValidating(Turn(id, 10));
  int left = 20'000;
  LiveGame::Done again = [&](const Result& result) {
    ASSERT_TRUE(result.ok()) << result.status();
    if (--left > 0) a_->games.Submit(id, look, again);
  };
  a_->games.Submit(id, look, again);
  RunAll();
  EXPECT_EQ(left, 0);
}

TEST_F(LiveGameTest, EverybodyIsAnsweredWhenTheServerStops) {
  const GameId id = Started();
  const GameId other = Started(NewRace(50));
  store_.Fail(CommitFault::kBusy, 2);
  Inbox busy, waiting, doubtful;
  a_->games.Submit(id, Turn(id, 10), busy.Done());
  a_->games.Submit(id, PlayBy(9, 11, {int64_t{1}}), waiting.Done());
  a_->scheduler.RunAll();  // the commit was busy: a timer waits
  EXPECT_EQ(busy.answers, 0);
  store_.Fail(BatchFault::kDoubtLost);
  a_->games.Submit(other, Turn(other, 12), doubtful.Done());
  a_->scheduler.Stop();
  EXPECT_EQ(busy.answers, 1);
  EXPECT_EQ(ReasonOf(busy.result), Reason::kDraining);
  EXPECT_EQ(waiting.answers, 1);
  EXPECT_EQ(ReasonOf(waiting.result), Reason::kDraining);
  EXPECT_EQ(doubtful.answers, 1);
  Inbox late;
  a_->games.Submit(id, Turn(id, 13), late.Done());
  EXPECT_EQ(late.answers, 1);
  EXPECT_EQ(ReasonOf(late.result), Reason::kDraining);
}

TEST_F(LiveGameTest, TheLogsClockDoesNotGoBack) {
  const GameId id = Started();
  clock_.Advance(-3'600'000'000);
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  core::Instant last;
  for (const storage::EventRecord& event : store_.Log(id)) {
    EXPECT_GE(event.at, last);
    last = event.at;
  }
  ExpectSoundLog(id);
}

TEST_F(LiveGameTest, AClockThatWasSetBackMakesNothingFresh) {
  const GameId id = Started();
  ASSERT_NE(StateOf(id, *b_), nullptr);
  clock_.Advance(-3'600'000'000);
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  EXPECT_EQ(StateOf(id, *b_)->sequence, store_.Log(id).size());
}

}  // namespace
}  // namespace astragal::tests
