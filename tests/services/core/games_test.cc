// All games of a process, and two processes beside each other.
#include "services/core/games.h"

#include "tests/services/core/sim/core_test.h"

namespace astragal::tests {
namespace {

using core::Games;

class GamesTest : public CoreTest {};

TEST_F(GamesTest, TwoNodesRaceForEachSequence) {
  core::CreateGame create = NewRace();
  create.options = {{"length", "60"}};
  const GameId id = Started(create);
  int wins[2] = {0, 0};
  for (uint64_t round = 0; StateOf(id)->status == storage::GameStatus::kRunning; ++round) {
    ASSERT_LT(round, 200u);
    clock_.Advance(core::LiveGame::kFreshForMs * 1'000);
    const int player = StateOf(id)->Actor() + 1;
    ASSERT_EQ(StateOf(id, *b_)->Actor() + 1, player);
    const uint32_t head = StateOf(id)->sequence;
    // Two devices of one player, each at another node, both saw the same position.
    Inbox on_a, on_b;
    const auto turn = [&](uint64_t request) {
      return Expecting(PlayBy(player, request, {int64_t{1}}), head);
    };
    a_->games.Submit(id, turn(100 + 2 * round), on_a.Done());
    b_->games.Submit(id, turn(101 + 2 * round), on_b.Done());
    // In turns drawn by the round, so that either may be first.
    for (uint64_t bits = round * 0x9E3779B9 + 1; on_a.answers + on_b.answers < 2;
         bits = bits * 5 + 3) {
      Node& node = (bits >> 4 & 1) == 0 ? *a_ : *b_;
      if (!node.scheduler.RunOne()) RunAll();
    }
    ASSERT_EQ(on_a.answers, 1);
    ASSERT_EQ(on_b.answers, 1);
    ASSERT_NE(on_a.result.ok(), on_b.result.ok()) << on_a.result.status() << on_b.result.status();
    ++wins[on_a.result.ok() ? 0 : 1];
    const Result& winner = on_a.result.ok() ? on_a.result : on_b.result;
    const Result& loser = on_a.result.ok() ? on_b.result : on_a.result;
    if (winner->after->status == storage::GameStatus::kFinished) {
      EXPECT_EQ(ReasonOf(loser), Reason::kGameOver) << loser.status();
    } else {
      EXPECT_EQ(ReasonOf(loser), Reason::kStaleSequence) << loser.status();
      EXPECT_EQ(Detail(loser.status(), "current_sequence"),
                std::to_string(winner->after->sequence));
    }
  }
  EXPECT_GT(wins[0], 5);
  EXPECT_GT(wins[1], 5);
  ExpectSoundLog(id);
}

TEST_F(GamesTest, TwoNodesRaceForTheLastSeat) {
  for (uint64_t round = 0; round < 20; ++round) {
    const GameId id = Create(*a_, NewRace(1'000 + round))->after->facts->id;
    ASSERT_NE(StateOf(id, *b_), nullptr);
    Inbox on_a, on_b;
    a_->games.Submit(id, JoinBy(2, 10), on_a.Done());
    b_->games.Submit(id, JoinBy(3, 11), on_b.Done());
    if (round % 2 == 0) b_->scheduler.RunAll();
    RunAll();
    ASSERT_EQ(on_a.answers + on_b.answers, 2);
    EXPECT_NE(on_a.result.ok(), on_b.result.ok());
    EXPECT_EQ(ReasonOf(on_a.result.ok() ? on_b.result : on_a.result), Reason::kGameFull);
    ExpectSoundLog(id);
  }
}

TEST_F(GamesTest, EachNodeMayMakeEveryOtherMove) {
  const GameId id = Started();
  uint64_t request = 10;
  while (StateOf(id)->status == storage::GameStatus::kRunning) {
    ASSERT_LT(request, 100u);
    Node& node = request % 2 == 0 ? *a_ : *b_;
    // Without any expectation, from a state that is two moves old.
    const int player = StateOf(id)->Actor() + 1;
    const Result played = Do(node, id, PlayBy(player, request++, {int64_t{1}}));
    ASSERT_TRUE(played.ok()) << played.status();
    clock_.Advance(core::LiveGame::kFreshForMs * 1'000);
  }
  EXPECT_EQ(StateOf(id, *b_)->chain_hash, StateOf(id)->chain_hash);
  EXPECT_EQ(StateOf(id, *b_)->seats, StateOf(id)->seats);
  ExpectSoundLog(id);
}

TEST_F(GamesTest, AReadIsAtMostHalfASecondOld) {
  const GameId id = Started();
  ASSERT_NE(StateOf(id, *b_), nullptr);
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  clock_.Advance(core::LiveGame::kFreshForMs * 1'000);
  EXPECT_EQ(StateOf(id, *b_)->sequence, store_.Log(id).size());
}

TEST_F(GamesTest, ManyGamesShareABatch) {
  std::vector<GameId> games;
  for (uint64_t i = 0; i < 50; ++i) games.push_back(Started(NewRace(1'000 + i)));
  const size_t before = store_.batches();
  std::vector<Inbox> inboxes(games.size());
  for (size_t i = 0; i < games.size(); ++i) {
    a_->games.Submit(games[i], ResignBy(1, 10), inboxes[i].Done());
  }
  RunAll();
  for (const Inbox& inbox : inboxes) EXPECT_TRUE(inbox.result.ok());
  EXPECT_EQ(store_.batches(), before + 1);
  EXPECT_EQ(a_->games.commit_totals().batches, store_.batches());
  EXPECT_EQ(a_->games.commit_totals().commits, 150u);
}

// What is stored is counted with its ruleset; what is refused, or only tried, is not.
TEST_F(GamesTest, PlayIsCounted) {
  const host::Usage& usage = catalog_->Find("race")->usage();
  const auto counts = [&usage] {
    return std::vector<uint64_t>{usage.games_started, usage.games_ended, usage.actions};
  };
  const std::vector<uint64_t> before = counts();
  const auto since = [&](uint64_t started, uint64_t ended, uint64_t actions) {
    return std::vector<uint64_t>{before[0] + started, before[1] + ended, before[2] + actions};
  };
  const GameId id = Started();
  EXPECT_EQ(counts(), since(1, 0, 0));
  ASSERT_TRUE(PlayTurn(*a_, id, 10).ok());
  EXPECT_EQ(counts(), since(1, 0, 2));
  ASSERT_TRUE(Do(*a_, id, OnlyValidating(ResignBy(1, 22))).ok());
  EXPECT_EQ(counts(), since(1, 0, 2));
  ASSERT_TRUE(Do(*a_, id, ResignBy(1, 20)).ok());
  EXPECT_FALSE(Do(*a_, id, ResignBy(2, 21)).ok());
  EXPECT_EQ(counts(), since(1, 1, 2));
}

// One game's mishap is not another's.
TEST_F(GamesTest, ABadGameStandsAlone) {
  const GameId good = Started(NewRace(100));
  const GameId bad = Started(NewRace(101));
  Inbox on_good, on_bad;
  a_->games.Submit(bad, ResignBy(1, 10), on_bad.Done());
  a_->games.Submit(good, ResignBy(1, 10), on_good.Done());
  store_.Fail(CommitFault::kRejected);  // the first of the batch
  RunAll();
  EXPECT_EQ(ReasonOf(on_bad.result), Reason::kInternal);
  EXPECT_TRUE(on_good.result.ok());
}

TEST_F(GamesTest, ThereIsOneLiveGameOfAGame) {
  const GameId id = Started();
  const auto first = a_->games.Find(id);
  EXPECT_EQ(*first, *a_->games.Find(id));
  Restart();
  // Loaded twice at once: the first one kept is the one for all.
  std::shared_ptr<core::LiveGame> inner;
  const auto outer_loads = [&] {
    auto found = a_->games.Find(id);
    return found.ok() ? *found : nullptr;
  };
  inner = outer_loads();
  EXPECT_EQ(outer_loads(), inner);
}

TEST_F(GamesTest, IdleGamesAreForgottenAndUsedOnesAreNot) {
  const GameId watched = Started(NewRace(1));
  const GameId idle = Started(NewRace(3));
  auto watch = a_->games.StartWatch(watched, {}, std::nullopt, [] {});
  ASSERT_TRUE(watch.ok());
  const std::weak_ptr<core::LiveGame> of_watched = *a_->games.Find(watched);
  const std::weak_ptr<core::LiveGame> of_idle = *a_->games.Find(idle);
  Inbox inbox;
  for (uint64_t i = 0; i < Games::kMaxLoaded + 10; ++i) {
    a_->games.Create(NewRace(1'000 + i), inbox.Done());
    if (i % 500 == 499) RunAll();
  }
  RunAll();
  EXPECT_FALSE(of_watched.expired()) << "a second live game could stand beside it";
  EXPECT_TRUE(of_idle.expired());
  // Both go on.
  ASSERT_TRUE(PlayTurn(*a_, watched, 10).ok());
  EXPECT_TRUE((*watch)->Next().value());
  ASSERT_TRUE(PlayTurn(*a_, idle, 10).ok());
  ExpectSoundLog(idle);
}

}  // namespace
}  // namespace astragal::tests
