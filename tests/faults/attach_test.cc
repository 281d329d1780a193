// Watchers that attach at random moments to fast games, on two servers of which one is killed again
// and again: nobody may miss an event or get one twice.
#include <gtest/gtest.h>

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

constexpr uint32_t kSeed = 20'260'102;
constexpr int kGames = 4;
constexpr int kReaders = 6;

// A game that is played on one server until it is told to stop; a new one follows each.
class Stage {
 public:
  Stage(const Service& service, uint32_t seed)
      : alice_(NewPerson(service, "Alice")), bob_(NewPerson(service, "Bob")), seed_(seed) {
    Open();
  }
  void PlayUntil(const std::atomic<bool>& stop) {
    while (!stop) {
      if (!table()->Play(1)) return;
      if (table()->over()) Open();
    }
  }
  std::shared_ptr<Table> table() const {
    const std::lock_guard lock(mutex_);
    return table_;
  }

 private:
  void Open() {
    auto table =
        std::make_shared<Table>(NewGame(alice_.client, bob_.client, "patolli"),
                                std::vector<const Client*>{&alice_.client, &bob_.client}, ++seed_);
    const std::lock_guard lock(mutex_);
    table_ = std::move(table);
  }

  Person alice_;
  Person bob_;
  uint32_t seed_;
  mutable std::mutex mutex_;
  std::shared_ptr<Table> table_;
};

struct Tally {
  std::atomic<int> attaches = 0;
  std::atomic<int64_t> events = 0;
  std::atomic<int> cut = 0;  // streams that ended because their server was killed
};

// Attaches for a moment, from now, from the start, or from where an earlier stream ended.
class Reader {
 public:
  Reader(std::vector<Client> servers, const std::vector<std::unique_ptr<Stage>>& stages,
         uint32_t seed, Tally& tally)
      : servers_(std::move(servers)), stages_(stages), random_(seed), tally_(tally) {}

  void Read(int attaches) {
    for (int i = 0; i < attaches; ++i) Attach();
  }

 private:
  void Attach() {
    if (!resumes_) game_ = stages_[random_() % stages_.size()]->table()->game_id();
    std::optional<uint32_t> after;
    if (resumes_) {
      after = last_;
    } else if (random_() % 2 == 0) {
      after = 0;
    }
    Watcher watcher(servers_[random_() % servers_.size()], game_, after);
    std::this_thread::sleep_for(milliseconds(random_() % 60));
    Check(watcher, after);
  }

  void Check(const Watcher& watcher, std::optional<uint32_t> after) {
    ++tally_.attaches;
    EXPECT_EQ(watcher.disorder(), "") << "game " << game_;
    const auto snapshot = watcher.snapshot();
    const std::vector<v1::Event> events = watcher.events();
    if (!snapshot) {  // the server was down
      ++tally_.cut;
      return;
    }
    if (after) {
      EXPECT_EQ(snapshot->game().sequence(), *after);
    }
    tally_.events += static_cast<int64_t>(events.size());
    last_ = events.empty() ? snapshot->game().sequence() : events.back().sequence();
    resumes_ = random_() % 3 != 0 && (events.empty() || !events.back().has_finished());
  }

  std::vector<Client> servers_;
  const std::vector<std::unique_ptr<Stage>>& stages_;
  std::mt19937 random_;
  Tally& tally_;
  std::string game_;
  uint32_t last_ = 0;
  bool resumes_ = false;
};

TEST(Attach, NoGapsAndNoRepeats) {
  const int attaches = Scaled(600, 10'000);
  std::cout << "attaches are drawn from seed " << kSeed << std::endl;
  Service here;
  here.Start();
  Service there(here.database_url(), here.key_file());
  there.Start();
  std::vector<std::unique_ptr<Stage>> stages;
  for (uint32_t i = 0; i < kGames; ++i) {
    stages.push_back(std::make_unique<Stage>(here, kSeed + 1'000 * i));
  }
  std::atomic<bool> stop = false;
  std::vector<std::thread> players;
  for (const auto& stage : stages) players.emplace_back([&] { stage->PlayUntil(stop); });
  std::atomic<int> reading = kReaders;
  Tally tally;
  std::vector<std::thread> readers;
  for (uint32_t i = 0; i < kReaders; ++i) {
    std::vector<Client> servers;
    servers.emplace_back(here.Connect());
    servers.emplace_back(there.Connect());
    readers.emplace_back([&, i, servers = std::move(servers)]() mutable {
      Reader(std::move(servers), stages, kSeed + i, tally).Read(attaches / kReaders);
      --reading;
    });
  }
  int kills = 0;
  for (; reading > 0; ++kills) {
    std::this_thread::sleep_for(milliseconds(700));
    there.Kill();
    there.Start();
  }
  for (std::thread& reader : readers) reader.join();
  stop = true;
  for (std::thread& player : players) player.join();
  std::cout << tally.attaches << " attaches, " << tally.events << " events, " << kills << " kills, "
            << tally.cut << " attaches found no server" << std::endl;
  EXPECT_GE(tally.attaches, attaches - kReaders);
  EXPECT_GT(tally.events, tally.attaches) << "there was nothing to see";
}

}  // namespace
}  // namespace astragal::faults
