// Watching: gapless and without repeats from any sequence, bounded, and honest about restores.
#include "services/core/watch.h"

#include "tests/services/core/sim/core_test.h"

namespace astragal::tests {
namespace {

using core::Watch;

class WatchTest : public CoreTest {
 protected:
  using WatchPtr = std::shared_ptr<Watch>;

  WatchPtr Start(Node& node, GameId id, std::optional<uint32_t> after) {
    auto watch = node.games.StartWatch(id, {}, after, [this] { ++woken_; });
    EXPECT_TRUE(watch.ok()) << watch.status();
    return watch.ok() ? *watch : nullptr;
  }
  // Takes what there is, running the scheduler as often as the watch asks; `end` gets an error.
  std::vector<uint32_t> Take(Watch& watch, absl::Status* end = nullptr, size_t most = 100'000) {
    std::vector<uint32_t> sequences;
    for (int idle = 0; idle < 3 && sequences.size() < most;) {
      const auto event = watch.Next();
      if (!event.ok()) {
        if (end != nullptr) *end = event.status();
        EXPECT_NE(end, nullptr) << event.status();
        return sequences;
      }
      if (*event) {
        sequences.push_back((**event)->record.sequence);
        idle = 0;
      } else {
        RunAll();
        ++idle;
      }
    }
    return sequences;
  }
  static std::vector<uint32_t> Range(uint32_t from, uint32_t to) {
    std::vector<uint32_t> range;
    for (uint32_t i = from; i <= to; ++i) range.push_back(i);
    return range;
  }
  GameId LongGame(int turns) {
    core::CreateGame create = NewRace();
    create.preset = "long";
    create.options = {{"length", "200"}};
    const GameId id = Started(create);
    for (int i = 0; i < turns; ++i) {
      EXPECT_TRUE(PlayTurn(*a_, id, 1'000 + static_cast<uint64_t>(i)).ok());
    }
    return id;
  }
  uint32_t Head(GameId id) { return static_cast<uint32_t>(store_.Log(id).size()); }

  int woken_ = 0;
};

TEST_F(WatchTest, FromAnySequence) {
  const GameId id = LongGame(45);
  const uint32_t head = Head(id);
  ASSERT_GT(head, 130u) << "more than two pages of the past";
  for (uint32_t after = 0; after <= head; ++after) {
    Node& node = after % 2 == 0 ? *a_ : *b_;
    const WatchPtr watch = Start(node, id, after);
    ASSERT_NE(watch, nullptr);
    if (after == 0) {
      EXPECT_EQ(watch->snapshot(), nullptr);
    } else {
      EXPECT_EQ(watch->snapshot()->sequence, after);
    }
    EXPECT_EQ(watch->head(), head);
    EXPECT_EQ(Take(*watch), Range(after + 1, head)) << "after " << after;
  }
}

TEST_F(WatchTest, TheSnapshotIsTheStateThere) {
  const GameId id = LongGame(10);
  absl::StatusOr<core::Replay> replay = core::Replay::Open(a_->games.world(), id);
  ASSERT_TRUE(replay.ok());
  for (uint32_t after = 1; after <= Head(id); ++after) {
    ASSERT_TRUE(replay->SkipTo(after).ok());
    const WatchPtr watch = Start(*b_, id, after);
    EXPECT_EQ(watch->snapshot()->chain_hash, replay->state().chain_hash);
    EXPECT_TRUE(watch->snapshot()->position == replay->state().position);
  }
}

TEST_F(WatchTest, FromNowOn) {
  const GameId id = LongGame(3);
  const uint32_t head = Head(id);
  const WatchPtr watch = Start(*a_, id, std::nullopt);
  EXPECT_EQ(watch->snapshot()->sequence, head);
  EXPECT_TRUE(Take(*watch).empty());
  woken_ = 0;
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  EXPECT_GT(woken_, 0);
  EXPECT_EQ(Take(*watch), Range(head + 1, head + 3));
  EXPECT_EQ(watch->head(), head + 3);
}

TEST_F(WatchTest, BeyondTheLogIsUnknown) {
  const GameId id = LongGame(3);
  const auto watch = a_->games.StartWatch(id, {}, Head(id) + 1, [] {});
  EXPECT_EQ(base::ReasonOf(watch.status()), Reason::kSequenceUnknown);
  EXPECT_EQ(Detail(watch.status(), "current_sequence"), std::to_string(Head(id)));
}

// Events arrive at every moment of the catching up.
TEST_F(WatchTest, CatchingUpWhileTheGameGoesOn) {
  const GameId id = LongGame(30);
  const WatchPtr watch = Start(*b_, id, 0);
  std::vector<uint32_t> seen;
  uint64_t request = 10;
  for (int round = 0; round < 400 && (seen.empty() || seen.back() < Head(id)); ++round) {
    if (round % 7 == 0 && request < 40) {
      clock_.Advance(core::LiveGame::kFreshForMs * 1'000);  // either node reads whose turn it is
      ASSERT_TRUE(PlayTurn(round % 2 == 0 ? *a_ : *b_, id, request++).ok());
      b_->games.PollWatched();
    }
    const std::vector<uint32_t> more = Take(*watch, nullptr, 3);
    seen.insert(seen.end(), more.begin(), more.end());
  }
  EXPECT_EQ(seen, Range(1, Head(id)));
}

// The log went on between the caller's sequence and the state that this node has in memory.
TEST_F(WatchTest, AfterASequenceThatThisNodeHasNotSeen) {
  const GameId id = LongGame(2);
  ASSERT_NE(StateOf(id, *b_), nullptr);
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  ASSERT_TRUE(PlayTurn(*a_, id, 11).ok());
  const WatchPtr watch = Start(*b_, id, Head(id) - 1);
  ASSERT_NE(watch, nullptr);
  EXPECT_EQ(watch->snapshot()->sequence, Head(id) - 1);
  EXPECT_EQ(Take(*watch), Range(Head(id), Head(id)));
}

// A node that was long away does not throw its own new watchers out.
TEST_F(WatchTest, StartingOnANodeThatIsFarBehind) {
  const GameId id = LongGame(1);
  ASSERT_NE(StateOf(id, *b_), nullptr);
  for (uint64_t i = 0; i < 95; ++i) ASSERT_TRUE(PlayTurn(*a_, id, 10 + i).ok());
  ASSERT_GT(Head(id), Watch::kMaxBuffered);
  const WatchPtr watch = Start(*b_, id, std::nullopt);
  EXPECT_EQ(watch->snapshot()->sequence, Head(id));
  EXPECT_TRUE(Take(*watch).empty());
}

TEST_F(WatchTest, OtherNodesMovesCome) {
  const GameId id = LongGame(2);
  const uint32_t head = Head(id);
  const WatchPtr watch = Start(*b_, id, std::nullopt);
  b_->games.PollForEver();
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  EXPECT_TRUE(Take(*watch).empty()) << "nobody told node b yet";
  Advance(core::Games::kPollMs + 1);
  EXPECT_EQ(Take(*watch), Range(head + 1, head + 3));
}

// A poll between the beginning and the end of StartWatch must not lose the watcher.
TEST_F(WatchTest, APollDuringTheStart) {
  const GameId id = LongGame(2);
  for (const std::string_view moment : {"heads", "request"}) {
    store_.hook = [&](std::string_view where) {
      if (where != moment) return;
      store_.hook = nullptr;
      b_->games.PollWatched();
    };
    const WatchPtr watch = Start(*b_, id, std::nullopt);
    store_.hook = nullptr;
    const uint32_t head = Head(id);
    ASSERT_TRUE(PlayTurn(*a_, id, 10 + head).ok());
    b_->games.PollWatched();
    EXPECT_EQ(Take(*watch), Range(head + 1, head + 3));
  }
}

TEST_F(WatchTest, ThePollSurvivesAStoreThatIsAway) {
  const GameId id = LongGame(2);
  const uint32_t head = Head(id);
  const WatchPtr watch = Start(*b_, id, std::nullopt);
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  store_.SetAway(true);
  b_->games.PollWatched();
  EXPECT_TRUE(Take(*watch).empty());
  store_.SetAway(false);
  b_->games.PollWatched();
  EXPECT_EQ(Take(*watch), Range(head + 1, head + 3));
}

TEST_F(WatchTest, ASlowReaderIsToldWhereToResume) {
  const GameId id = LongGame(2);
  const uint32_t start = Head(id);
  const WatchPtr watch = Start(*a_, id, std::nullopt);
  for (uint64_t i = 0; Head(id) < start + Watch::kMaxBuffered + 20; ++i) {
    ASSERT_TRUE(PlayTurn(*a_, id, 10 + i).ok());
  }
  EXPECT_GT(*a_->watch_buffered, 0);
  EXPECT_LE(*a_->watch_buffered, static_cast<int64_t>(Watch::kMaxBuffered));
  absl::Status end;
  const std::vector<uint32_t> seen = Take(*watch, &end);
  EXPECT_EQ(base::ReasonOf(end), Reason::kWatcherTooSlow) << end;
  EXPECT_EQ(*a_->watch_buffered, 0);
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen, Range(start + 1, seen.back()));
  EXPECT_LT(seen.back(), Head(id));
  EXPECT_EQ(Detail(end, "resume_after_sequence"), std::to_string(seen.back()));
  EXPECT_EQ(base::ReasonOf(watch->Next().status()), Reason::kWatcherTooSlow) << "for good";
  const WatchPtr resumed = Start(*a_, id, seen.back());
  EXPECT_EQ(Take(*resumed), Range(seen.back() + 1, Head(id)));
}

// Whoever looks at the metrics sees what waits, from the past and from now, until it is taken or
// its watcher goes.
TEST_F(WatchTest, WhatWaitsIsCounted) {
  const GameId id = LongGame(2);
  const uint32_t start = Head(id);
  WatchPtr live = Start(*a_, id, std::nullopt);
  const WatchPtr past = Start(*a_, id, 0);
  EXPECT_EQ(*a_->watch_buffered, 0);
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  const int64_t fresh = Head(id) - start;
  EXPECT_EQ(*a_->watch_buffered, 2 * fresh);
  ASSERT_FALSE(past->Next()->has_value()) << "reads its first page";
  RunAll();
  EXPECT_EQ(*a_->watch_buffered, 2 * fresh + start);
  EXPECT_TRUE(live->Next()->has_value());
  EXPECT_EQ(*a_->watch_buffered, 2 * fresh + start - 1);
  live.reset();
  EXPECT_EQ(*a_->watch_buffered, fresh + start);
  EXPECT_EQ(Take(*past), Range(1, Head(id)));
  EXPECT_EQ(*a_->watch_buffered, 0);
}

TEST_F(WatchTest, ASlowReaderThatIsStillInThePast) {
  const GameId id = LongGame(2);
  const uint32_t start = Head(id);
  const WatchPtr watch = Start(*a_, id, 0);
  for (uint64_t i = 0; Head(id) < start + Watch::kMaxBuffered + 20; ++i) {
    ASSERT_TRUE(PlayTurn(*a_, id, 10 + i).ok());
  }
  absl::Status end;
  const std::vector<uint32_t> seen = Take(*watch, &end);
  EXPECT_EQ(seen, Range(1, seen.back()));
  EXPECT_EQ(Detail(end, "resume_after_sequence"), std::to_string(seen.back()));
}

TEST_F(WatchTest, APageThatCannotBeReadIsTheEnd) {
  const GameId id = LongGame(120);
  ASSERT_GT(Head(id), 320u) << "more than the replay reads ahead";
  const WatchPtr watch = Start(*a_, id, 0);
  EXPECT_EQ(Take(*watch, nullptr, 10), Range(1, 10));
  store_.SetAway(true);
  absl::Status end;
  const std::vector<uint32_t> seen = Take(*watch, &end);
  EXPECT_EQ(base::ReasonOf(end), Reason::kStoreUnavailable);
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen, Range(11, seen.back())) << "what had been read is still given";
  store_.SetAway(false);
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  EXPECT_FALSE(watch->Next().ok()) << "nothing after a gap";
}

// ---- The store was restored from a backup.

TEST_F(WatchTest, ARestoredStoreEndsTheStream) {
  const GameId id = LongGame(3);
  const SimulatedStore::Tables backup = store_.Backup();
  const uint32_t then = Head(id);
  const WatchPtr quick = Start(*a_, id, std::nullopt);
  const WatchPtr behind = Start(*a_, id, 0);
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  EXPECT_EQ(Take(*quick).size(), 3u);
  store_.Restore(backup);
  a_->games.PollWatched();
  absl::Status end;
  EXPECT_TRUE(Take(*quick, &end).empty());
  EXPECT_EQ(base::ReasonOf(end), Reason::kSequenceUnknown) << end;
  // What was committed and waits in the buffer is still given, as the quick one got it.
  end = absl::OkStatus();
  EXPECT_EQ(Take(*behind, &end), Range(1, then + 3)) << end;
  EXPECT_EQ(base::ReasonOf(end), Reason::kSequenceUnknown) << end;
  // The game goes on from where the backup stands.
  EXPECT_EQ(StateOf(id)->sequence, then);
  ASSERT_TRUE(PlayTurn(*a_, id, 11).ok());
  ExpectSoundLog(id);
}

TEST_F(WatchTest, ARestoreThatWasOvertaken) {
  const GameId id = LongGame(3);
  const SimulatedStore::Tables backup = store_.Backup();
  const WatchPtr watch = Start(*b_, id, std::nullopt);
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  b_->games.PollWatched();
  EXPECT_EQ(Take(*watch).size(), 3u);
  store_.Restore(backup);
  a_->games.Get(id, {}).IgnoreError();
  Advance(core::LiveGame::kFreshForMs + 1);
  // Another past, longer than the one that node b knows.
  for (uint64_t i = 0; i < 3; ++i) ASSERT_TRUE(PlayTurn(*a_, id, 20 + i).ok());
  b_->games.PollWatched();
  absl::Status end;
  Take(*watch, &end);
  EXPECT_EQ(base::ReasonOf(end), Reason::kSequenceUnknown) << end;
  EXPECT_EQ(StateOf(id, *b_)->chain_hash, StateOf(id)->chain_hash);
  ASSERT_TRUE(PlayTurn(*b_, id, 30).ok());
  ExpectSoundLog(id);
}

TEST_F(WatchTest, AGameThatIsGone) {
  const SimulatedStore::Tables backup = store_.Backup();
  const GameId id = LongGame(1);
  const WatchPtr watch = Start(*a_, id, std::nullopt);
  store_.Restore(backup);
  a_->games.PollWatched();
  absl::Status end;
  Take(*watch, &end);
  EXPECT_EQ(base::ReasonOf(end), Reason::kSequenceUnknown);
  Advance(core::LiveGame::kFreshForMs + 1);
  EXPECT_EQ(base::ReasonOf(a_->games.Get(id, {}).status()), Reason::kNotFound);
}

// A commit that returns while a refresh waits for its answer is no restore.
TEST_F(WatchTest, ACommitDuringARefreshIsNoRestore) {
  const GameId id = LongGame(2);
  const uint32_t head = Head(id);
  const int player = ToAct(id);  // not asked within the hook: a refresh is under way there
  const WatchPtr watch = Start(*a_, id, std::nullopt);
  const auto live = a_->games.Find(id);
  Inbox inbox;
  store_.hook = [&](std::string_view where) {
    if (where != "heads") return;
    store_.hook = nullptr;
    a_->games.Submit(id, PlayBy(player, 10, {int64_t{1}, int64_t{1}}), inbox.Done());
    a_->scheduler.RunAll();
  };
  ASSERT_TRUE((*live)->Refresh().ok());
  EXPECT_EQ(inbox.answers, 1);
  EXPECT_EQ(Take(*watch), Range(head + 1, head + 3));
}

// A game that had ended when it was loaded, restored to before its end: its dice are its own.
TEST_F(WatchTest, AnEndedGameThatIsRestored) {
  const GameId id = LongGame(1);
  const SimulatedStore::Tables backup = store_.Backup();
  ASSERT_TRUE(Do(*a_, id, ResignBy(1, 10)).ok());
  EXPECT_EQ(StateOf(id, *b_)->status, storage::GameStatus::kFinished);  // loaded without a secret
  store_.Restore(backup);
  Advance(core::LiveGame::kFreshForMs + 1);
  const Result on_b = PlayTurn(*b_, id, 11);
  ASSERT_TRUE(on_b.ok()) << on_b.status();
  ASSERT_TRUE(Do(*b_, id, ResignBy(2, 12)).ok());
  const auto finish = core::DecodeFinish(store_.Log(id).back(), 2);
  ASSERT_TRUE(finish.ok());
  EXPECT_EQ(algorithms::DiceCommitment(id, finish->secret), StateOf(id)->facts->commitment);
}

TEST_F(WatchTest, WatchersComeAndGo) {
  const GameId id = LongGame(2);
  const auto live = a_->games.Find(id);
  for (int i = 0; i < 10'000; ++i) Start(*a_, id, std::nullopt);
  EXPECT_FALSE((*live)->HasWatchers());
  const WatchPtr watch = Start(*a_, id, std::nullopt);
  EXPECT_TRUE((*live)->HasWatchers());
  woken_ = 0;
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  EXPECT_EQ(woken_, 1) << "those that are gone were woken";
}

}  // namespace
}  // namespace astragal::tests
