// kill -9 of the service and of its PostgreSQL, at random moments, while games are played. Nothing
// that was acknowledged may be missing or doubled, and no game may be stuck.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "tests/e2e/game.h"
#include "tests/faults/scale.h"

namespace astragal::faults {
namespace {

using namespace astragal::e2e;  // NOLINT: the clients and the service
using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;

constexpr int kTables = 8;
constexpr uint32_t kSeed = 20'260'101;
constexpr int64_t kReadyWithinMs = 3'000;

// One game after another, each played by a thread, with what its clients were told.
class Player {
 public:
  Player(const Service& service, int number)
      : alice_(NewPerson(service, "Alice")),
        bob_(NewPerson(service, "Bob")),
        table_(NewGame(alice_.client, bob_.client), {&alice_.client, &bob_.client},
               kSeed + static_cast<uint32_t>(number)) {
    table_.BePatient();
  }
  void PlayUntil(const std::atomic<bool>& stop) {
    while (!stop && !table_.over()) {
      if (!table_.Play(1)) return;
    }
  }
  // Plays what is left: a game that cannot go on is stuck.
  void PlayOut() {
    EXPECT_TRUE(table_.Play());
    EXPECT_TRUE(table_.over()) << "game " << table_.game_id() << " is stuck";
  }
  int acknowledged() const { return table_.played(); }

  void ExpectLedgerInLog() const {
    const std::vector<v1::Event> log = ListEvents(alice_.client, table_.game_id());
    const v1::Game game = GetGame(alice_.client, table_.game_id());
    EXPECT_EQ(ChainProblem(game, GetRuleset(alice_.client, game.ruleset_id()), log), "");
    ASSERT_GE(log.size(), table_.ledger().size());
    for (const v1::Event& told : table_.ledger()) {
      ASSERT_LE(told.sequence(), log.size()) << "an acknowledged event is lost";
      EXPECT_EQ(TextOf(log[told.sequence() - 1]), TextOf(told)) << "it is another one";
    }
    // Everything that was played was acknowledged in the end, so nothing may be there twice.
    const auto played = std::ranges::count_if(log, &v1::Event::has_action);
    EXPECT_EQ(played, table_.played()) << "an action is there more often than it was played";
  }

 private:
  Person alice_;
  Person bob_;
  Table table_;
};

TEST(Kill, NothingAcknowledgedIsLostDoubledOrStuck) {
  const int service_kills = Scaled(4, 20);
  const int database_kills = Scaled(2, 10);
  std::mt19937 random(kSeed);
  std::cout << "kills are drawn from seed " << kSeed << std::endl;
  Service service;
  service.Start();
  std::vector<std::unique_ptr<Player>> players;
  for (int i = 0; i < kTables; ++i) players.push_back(std::make_unique<Player>(service, i));
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (const auto& player : players) {
    threads.emplace_back([&stop, &player] { player->PlayUntil(stop); });
  }

  enum class Victim { kService, kDatabase };
  std::vector<Victim> kills(static_cast<size_t>(service_kills), Victim::kService);
  kills.resize(static_cast<size_t>(service_kills + database_kills), Victim::kDatabase);
  std::ranges::shuffle(kills, random);
  int64_t slowest_ms = 0;
  for (const Victim victim : kills) {
    std::this_thread::sleep_for(milliseconds(50 + random() % 700));
    if (victim == Victim::kDatabase) {
      service.KillDatabase();  // the service itself finds and starts it again
      continue;
    }
    service.Kill();
    const Steady::time_point killed = Steady::now();
    service.Start();
    const auto took = std::chrono::duration_cast<milliseconds>(Steady::now() - killed).count();
    slowest_ms = std::max<int64_t>(slowest_ms, took);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  int acknowledged = 0;
  for (const auto& player : players) {
    player->PlayOut();
    player->ExpectLedgerInLog();
    acknowledged += player->acknowledged();
  }
  std::cout << service_kills << " kills of the service, " << database_kills
            << " of the database: " << acknowledged << " acknowledged actions, slowest start "
            << slowest_ms << " ms" << std::endl;
  // A machine that does other work at the same time is no fault of the service: ten times that.
  EXPECT_LT(slowest_ms, 10 * kReadyWithinMs);
}

}  // namespace
}  // namespace astragal::faults
