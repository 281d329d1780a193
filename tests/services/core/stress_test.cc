// Real threads: many games, clients and watchers on two nodes at once. Meant for the thread
// sanitizer, and true without it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "services/base/status.h"
#include "services/core/accounts.h"
#include "services/core/games.h"
#include "tests/services/core/sim/node.h"
#include "tests/services/core/sim/simulated_player_store.h"

namespace astragal::tests {
namespace {

using base::Reason;
using core::GameId;
using storage::GameStatus;
using Result = absl::StatusOr<core::CommandResult>;

constexpr int kGames = 24;
constexpr int kPlayers = 8;   // a thread each
constexpr int kWatchers = 6;  // a thread each

struct ThreadedNode {
  ThreadedNode(const base::Clock& clock, SimulatedStore& store, const host::Catalog& catalog,
               const base::SecretBox& box)
      : scheduler(4), games(core::World{clock, random, scheduler, store, catalog, box, outages}) {
    games.PollForEver();
  }
  ~ThreadedNode() { scheduler.Stop(); }

  base::SystemRandom random;
  core::Outages outages;
  base::ThreadScheduler scheduler;
  core::Games games;
};

class StressTest : public testing::Test {
 protected:
  StressTest() {
    store_.draw_commit_fault = [this] {
      return faults_.OneIn(20) ? CommitFault::kBusy : CommitFault::kNone;
    };
    store_.draw_batch_fault = [this] {
      constexpr BatchFault kFaults[] = {BatchFault::kAway, BatchFault::kDoubtStored,
                                        BatchFault::kDoubtLost};
      return faults_.OneIn(40) ? kFaults[faults_.Below(3)] : BatchFault::kNone;
    };
    for (auto& node : nodes_) {
      node = std::make_unique<ThreadedNode>(clock_, store_, *catalog_, box_);
    }
  }

  ThreadedNode& Any(SeededRandom& random) { return *nodes_[random.Below(2)]; }

  // Until it is answered with something that waiting does not change.
  Result Do(SeededRandom& random, GameId id, const core::Command& command) {
    while (true) {
      const auto answer = std::make_shared<std::promise<Result>>();
      Any(random).games.Submit(id, command,
                               [answer](Result result) { answer->set_value(std::move(result)); });
      Result result = answer->get_future().get();
      ++answers_;
      if (result.ok() || !base::IsTransient(result.status())) return result;
    }
  }

  GameId Create(SeededRandom& random, uint64_t number) {
    core::CreateGame create;
    create.player = Player(1);
    create.request = Request(number);
    create.body_hash = base::Sha256("create");
    create.ruleset = number % 2 == 0 ? "race" : "relay";
    create.options = {{"length", "24"}, {"seats", number % 3 == 0 ? "3" : "2"}};
    while (true) {
      const auto answer = std::make_shared<std::promise<Result>>();
      Any(random).games.Create(create,
                               [answer](Result result) { answer->set_value(std::move(result)); });
      const Result result = answer->get_future().get();
      if (result.ok()) return result->after->facts->id;
      EXPECT_TRUE(base::IsTransient(result.status())) << result.status();
    }
  }

  // One player goes from game to game until all have ended.
  void PlayEverything(int player) {
    SeededRandom random(static_cast<uint64_t>(player));
    uint64_t request = static_cast<uint64_t>(player) << 32;
    size_t ended = 0;
    for (size_t i = random.Below(kGames); ended < games_.size(); ++i) {
      const GameId id = games_[i % games_.size()];
      const auto state = Any(random).games.Get(id, {});
      if (!state.ok()) continue;
      ended = (*state)->status == GameStatus::kFinished ? ended + 1 : 0;
      core::Command command;
      command.player = Player(static_cast<uint8_t>(player));
      command.request = Request(++request);
      const auto seat = (*state)->SeatOf(command.player);
      if (!seat && (*state)->status == GameStatus::kOpen) {
        command.what = core::Join{};
      } else if (seat && (*state)->Actor() == *seat) {
        command.what = core::Play{{int64_t{1}}};
        command.expected_sequence = (*state)->sequence;
      } else {
        continue;
      }
      const Result result = Do(random, id, command);
      if (result.ok()) {
        ++acknowledged_;
        if (random.OneIn(8)) {
          const Result again = Do(random, id, command);
          ASSERT_TRUE(again.ok()) << again.status();
          EXPECT_EQ(again->after->chain_hash, result->after->chain_hash);
        }
        continue;
      }
      const Reason reason = base::ReasonOf(result.status());
      EXPECT_TRUE(reason == Reason::kStaleSequence || reason == Reason::kGameFull ||
                  reason == Reason::kNotYourTurn || reason == Reason::kGameOver ||
                  reason == Reason::kAlreadySeated)
          << result.status();
    }
  }

  // Watchers come, read for a while and go.
  void WatchUntilTheEnd(int watcher) {
    SeededRandom random(1'000 + static_cast<uint64_t>(watcher));
    while (!over_) {
      const GameId id = games_[random.Below(games_.size())];
      const auto after = static_cast<uint32_t>(random.Below(store_.Log(id).size() + 1));
      const auto woken = std::make_shared<std::atomic<int>>(0);  // a late call may outlive us
      const auto watch = Any(random).games.StartWatch(id, {}, after, [woken] { ++*woken; });
      if (!watch.ok()) {
        EXPECT_TRUE(base::IsTransient(watch.status())) << watch.status();
        continue;
      }
      uint32_t last = after;
      for (uint64_t reads = random.Below(200); reads > 0; --reads) {
        const auto event = (*watch)->Next();
        if (!event.ok()) {
          EXPECT_TRUE(base::IsTransient(event.status())) << event.status();
          break;
        }
        if (*event) {
          EXPECT_EQ((**event)->record.sequence, ++last);
          ++watched_;
        } else {
          std::this_thread::yield();
        }
      }
      EXPECT_GE((*watch)->head(), last);
    }
  }

  base::DatabaseClock clock_;
  SeededRandom faults_{99};
  SimulatedStore store_{clock_};
  std::unique_ptr<host::Catalog> catalog_ = MakeCatalog();
  const base::SecretBox box_{base::Sha256("a key for tests")};
  std::unique_ptr<ThreadedNode> nodes_[2];
  std::vector<GameId> games_;
  std::atomic<bool> over_ = false;
  std::atomic<int> answers_ = 0;
  std::atomic<int> acknowledged_ = 0;
  std::atomic<int> watched_ = 0;
};

TEST_F(StressTest, ManyGamesPlayersAndWatchers) {
  SeededRandom random(5);
  for (uint64_t i = 0; i < kGames; ++i) games_.push_back(Create(random, i + 1));
  std::vector<std::thread> watchers;
  for (int i = 0; i < kWatchers; ++i) watchers.emplace_back([this, i] { WatchUntilTheEnd(i); });
  std::vector<std::thread> players;
  for (int i = 1; i <= kPlayers; ++i) players.emplace_back([this, i] { PlayEverything(i); });
  for (std::thread& player : players) player.join();
  over_ = true;
  for (std::thread& watcher : watchers) watcher.join();

  store_.draw_batch_fault = nullptr;
  int stamped = 0;
  for (const GameId& id : games_) {
    auto replay = core::Replay::Open(nodes_[0]->games.world(), id);
    ASSERT_TRUE(replay.ok()) << replay.status();
    EXPECT_TRUE(replay->SkipTo(replay->end()).ok());
    EXPECT_EQ(replay->state().status, GameStatus::kFinished);
    for (const storage::EventRecord& event : store_.Log(id)) stamped += event.request ? 1 : 0;
  }
  EXPECT_EQ(stamped, acknowledged_ + kGames);
  std::printf("%d commands, %d answers, %d events watched\n", acknowledged_.load(), answers_.load(),
              watched_.load());
}

// Nobody is left without an answer when a server stops in the middle of everything.
TEST_F(StressTest, StoppingUnderLoad) {
  SeededRandom random(6);
  for (uint64_t i = 0; i < kGames; ++i) games_.push_back(Create(random, i + 1));
  std::atomic<int> sent = 0;
  std::atomic<int> answered = 0;
  std::vector<std::thread> senders;
  for (int i = 1; i <= 4; ++i) {
    senders.emplace_back([&, i] {
      for (uint64_t n = 0; n < 2'000; ++n) {
        core::Command command;
        command.player = Player(static_cast<uint8_t>(i));
        command.request = Request(n << 8 | static_cast<uint64_t>(i));
        command.what = core::Join{};
        ++sent;
        nodes_[0]->games.Submit(games_[n % kGames], command, [&](const Result&) { ++answered; });
      }
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  nodes_[0]->scheduler.Stop();
  for (std::thread& sender : senders) sender.join();
  EXPECT_EQ(answered, sent);
}

TEST(AccountsStress, KeysComeAndGo) {
  base::DatabaseClock clock;
  base::SystemRandom random;
  SimulatedPlayerStore store;
  core::Accounts accounts(store, clock, random);
  const auto stamp = [](base::PlayerId account, uint64_t request) {
    return core::MutationStamp{account, Request(request), base::Bytes32{}};
  };
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const auto player =
          accounts.CreatePlayer("player " + std::to_string(i), false, stamp({}, i + 1));
      ASSERT_TRUE(player.ok()) << player.status();
      const base::PlayerId id = player->player.id;
      for (uint64_t n = 0; n < 200; ++n) {
        ASSERT_TRUE(accounts.Authenticate(player->api_key).ok());
        const auto key = accounts.CreateKey({id, "key", std::nullopt}, stamp(id, 10 + 2 * n));
        ASSERT_TRUE(key.ok());
        ASSERT_EQ(accounts.Authenticate(key->api_key)->player, id);
        ASSERT_TRUE(accounts.RevokeKey(id, key->key.id, stamp(id, 11 + 2 * n)).ok());
        ASSERT_FALSE(accounts.Authenticate(key->api_key).ok());
        ASSERT_TRUE(accounts.Names({id}).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace astragal::tests
