// Packing under live play, and packing that is cut off anywhere: nothing is lost, nothing is
// doubled, and whoever begins again finishes it.
#include "services/core/packing.h"

#include <memory>
#include <utility>
#include <vector>

#include "services/base/history_reasons.h"
#include "services/core/packed_store.h"
#include "services/core/replay.h"
#include "services/core/verification.h"
#include "tests/services/core/sim/core_test.h"
#include "tests/services/core/sim/simulated_packed_logs.h"

namespace astragal::tests {
namespace {

using storage::EventRecord;
using Fault = SimulatedPackedLogs::Fault;

class PackingTest : public CoreTest {
 protected:
  PackingTest() { node_ = std::make_unique<Node>(clock_, reading_, *catalog_, box_, 3); }

  GameId Running(const std::string& length) {
    core::CreateGame create = NewRace(++request_);
    create.body_hash = Body("create " + std::to_string(request_));
    create.options = {{"length", length}};
    const Result created = Create(*a_, create);
    EXPECT_TRUE(created.ok()) << created.status();
    const GameId id = created->after->facts->id;
    EXPECT_TRUE(Do(*a_, id, JoinBy(2, ++request_)).ok());
    return id;
  }
  bool PlayOn(GameId id) {
    if (StateOf(id)->status != storage::GameStatus::kRunning) return false;
    const Result played = PlayTurn(*a_, id, ++request_);
    EXPECT_TRUE(played.ok()) << played.status();
    return played.ok();
  }
  GameId Finished(const std::string& length) {
    const GameId id = Running(length);
    while (PlayOn(id)) {
    }
    return id;
  }
  // What a packed log gives back.
  std::vector<EventRecord> Expected(GameId id) {
    std::vector<EventRecord> log = store_.Log(id);
    for (EventRecord& event : log) {
      if (event.sequence > 1) event.request.reset();
    }
    return log;
  }
  // A process that has just started: it knows nothing of those before it.
  core::Packing NewPacking() {
    return core::Packing(node_->games.world(), store_, logs_, {.after_ms = 0, .on_kept = {}});
  }

  SimulatedPackedLogs logs_{store_};
  core::PackedStore reading_{store_, logs_, *catalog_};
  std::unique_ptr<Node> node_;
  uint64_t request_ = 1'000;
};

TEST_F(PackingTest, CutOffAnywhereItLosesAndDoublesNothing) {
  constexpr size_t kGames = 3;
  std::vector<GameId> games;
  std::vector<std::vector<EventRecord>> logs;
  for (size_t i = 0; i < kGames; ++i) {
    games.push_back(Finished("6"));
    logs.push_back(Expected(games.back()));
  }
  clock_.Advance(1'000'000);
  const SimulatedStore::Tables before = store_.Backup();
  // One call of the whole fails in one way, for each call and way; the process dies of it.
  for (const Fault fault : {Fault::kLost, Fault::kUnsaid}) {
    bool reached = true;
    for (int at = 0; reached; ++at) {
      SCOPED_TRACE("call " + std::to_string(at) + (fault == Fault::kLost ? ", lost" : ", unsaid"));
      store_.Restore(before);
      logs_.logs_.clear();
      logs_.taken_ = 0;
      int call = 0;
      logs_.draw_fault = [&] { return call++ == at ? fault : Fault::kNone; };
      reached = !NewPacking().Run().ok();
      logs_.draw_fault = nullptr;
      ASSERT_TRUE(NewPacking().Run().ok());
      EXPECT_EQ(logs_.taken_, kGames);
      EXPECT_EQ(NewPacking().Run()->looked_at, 0u);
      for (size_t i = 0; i < kGames; ++i) {
        EXPECT_TRUE(store_.Log(games[i]).empty());
        core::PackedStore fresh(store_, logs_, *catalog_);
        EXPECT_EQ(*core::WholeLog(fresh, games[i]), logs[i]);
        EXPECT_EQ(core::VerifyGame(node_->games.world(), games[i])->difference, "");
      }
      EXPECT_TRUE(reached || at > 0) << "a fault is a fault";
      ASSERT_LT(at, 100);
    }
  }
}

TEST_F(PackingTest, AStoreThatIsAwayIsWaitedForAndNothingIsKeptBack) {
  const GameId id = Finished("6");
  const std::vector<EventRecord> log = Expected(id);
  clock_.Advance(1'000'000);
  core::Packing packing = NewPacking();
  store_.SetAway(true);
  EXPECT_EQ(base::ReasonOf(packing.Run().status()), Reason::kStoreUnavailable);
  store_.SetAway(false);
  EXPECT_EQ(store_.Log(id).size(), log.size());
  EXPECT_EQ(packing.Run()->packed, 1u) << "not left alone for an hour";
  EXPECT_EQ(*core::WholeLog(reading_, id), log);
}

TEST_F(PackingTest, TwoNodesPackEachGameOnce) {
  const GameId id = Finished("6");
  clock_.Advance(1'000'000);
  core::Packing one = NewPacking();
  core::Packing other = NewPacking();
  int call = 0;
  logs_.draw_fault = [&] {
    // The first one has packed it and is about to hand it over.
    if (call++ == 1) {
      EXPECT_TRUE(other.Run().ok());
    }
    return Fault::kNone;
  };
  ASSERT_TRUE(one.Run().ok());
  EXPECT_EQ(logs_.taken_, 1u);
  EXPECT_TRUE(store_.Log(id).empty());
}

// More events than a replay reads at once.
TEST_F(PackingTest, WhoReplaysOrWatchesALogThatIsPackedMeanwhileSeesAllOfIt) {
  const GameId id = Finished("200");
  const std::vector<EventRecord> log = Expected(id);
  ASSERT_GT(log.size(), 300u);
  auto replay = core::Replay::Open(node_->games.world(), id);
  ASSERT_TRUE(replay.ok()) << replay.status();
  const auto watch = node_->games.StartWatch(id, {}, 0, [] {});
  ASSERT_TRUE(watch.ok()) << watch.status();
  uint32_t replayed = 0;
  for (; replayed < 10; ++replayed) ASSERT_TRUE(replay->Next().ok());
  clock_.Advance(1'000'000);
  ASSERT_EQ(NewPacking().Run()->packed, 1u);
  while (true) {
    const auto next = replay->Next();
    ASSERT_TRUE(next.ok()) << next.status();
    if (!*next) break;
    EXPECT_EQ((*next)->record.chain_hash, log[replayed++].chain_hash);
  }
  EXPECT_EQ(replayed, log.size());
  size_t watched = 0;
  for (int tries = 0; watched < log.size() && tries < 10'000; ++tries) {
    node_->scheduler.RunAll();
    const auto next = (*watch)->Next();
    ASSERT_TRUE(next.ok()) << next.status();
    if (!*next) continue;
    EXPECT_EQ((**next)->record.chain_hash, log[watched++].chain_hash);
  }
  EXPECT_EQ(watched, log.size());
}

TEST_F(PackingTest, OtherGamesGoOnAndRepeatedRequestsAreAnswered) {
  core::CreateGame create = NewRace(++request_);
  create.options = {{"length", "6"}};
  const GameId packed = Create(*a_, create)->after->facts->id;
  ASSERT_TRUE(Do(*a_, packed, JoinBy(2, ++request_)).ok());
  const int mover = ToAct(packed);
  const core::Command last = PlayBy(mover, ++request_, {int64_t{1}, int64_t{1}});
  ASSERT_TRUE(Do(*a_, packed, last).ok());
  while (PlayOn(packed)) {
  }
  const GameId running = Running("40");
  clock_.Advance(1'000'000);
  // A round of packing in the middle of every commit.
  core::Packing packing = NewPacking();
  size_t rounds = 0;
  store_.hook = [&](std::string_view where) {
    if (where != "commit" && where != "committed") return;
    ++rounds;
    EXPECT_TRUE(packing.Run().ok());
  };
  for (int turn = 0; turn < 10; ++turn) ASSERT_TRUE(PlayOn(running));
  store_.hook = nullptr;
  EXPECT_GE(rounds, 10u);
  EXPECT_TRUE(store_.Log(packed).empty());
  ExpectSoundLog(running);

  // Every process starts anew, over logs that may be packed: what was asked before is asked again.
  Node later(clock_, reading_, *catalog_, box_, 4);
  const auto settle = [&](Inbox& inbox) {
    for (int ms = 0; ms < 500 && inbox.answers == 0; ++ms) {
      later.scheduler.RunAll();
      clock_.Advance(1'000);
    }
    return inbox.result;
  };
  Inbox created;
  later.games.Create(create, created.Done());
  const Result again = settle(created);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->after->facts->id, packed) << "not another game";
  Inbox played;
  later.games.Submit(packed, last, played.Done());
  EXPECT_EQ(ReasonOf(settle(played)), Reason::kGameOver) << "as to anybody who comes after the end";
}

TEST_F(PackingTest, AnArchiveIsTakenBackOnceHoweverOftenItIsAskedFor) {
  const GameId id = Finished("6");
  const std::vector<EventRecord> log = Expected(id);
  clock_.Advance(1'000'000);
  ASSERT_EQ(NewPacking().Run()->packed, 1u);
  const std::string bytes = logs_.logs_[id].bytes;
  // The answer is lost, so it is asked for again.
  bool first = true;
  logs_.draw_fault = [&] { return std::exchange(first, false) ? Fault::kUnsaid : Fault::kNone; };
  EXPECT_FALSE(logs_.Archive({id}, "old.rgl").ok());
  EXPECT_EQ(logs_.Archive({id}, "another.rgl").value(), 0u);
  EXPECT_EQ(logs_.Read(id).value()->archive, "old.rgl");
  EXPECT_EQ(base::ReasonOf(reading_.Events(id, 0, 10).status()), base::kLogArchived);
  EXPECT_EQ(NewPacking().Run()->looked_at, 0u);
  EXPECT_TRUE(logs_.Restore(id, bytes).value());
  EXPECT_FALSE(logs_.Restore(id, bytes).value());
  EXPECT_EQ(*core::WholeLog(reading_, id), log);
}

}  // namespace
}  // namespace astragal::tests
