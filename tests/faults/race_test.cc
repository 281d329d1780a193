// The same seat, two different legal actions, at one moment, on two servers of one database:
// exactly one is accepted, and the other is told why.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <iostream>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "tests/e2e/game.h"
#include "tests/faults/scale.h"

namespace astragal::faults {
namespace {

using namespace astragal::e2e;  // NOLINT: the clients and the service

constexpr int kLanes = 4;  // games raced for at a time
// What a loser may be told.
const std::set<std::string> kReasons = {"STALE_SEQUENCE", "NOT_YOUR_TURN", "ILLEGAL_ACTION",
                                        "GAME_OVER"};

struct Tally {
  std::atomic<int> races = 0;
  std::mutex mutex;
  std::map<std::string, int> told;  // losers by reason
};

// One game, whose every action is raced for.
class Lane {
 public:
  Lane(const Service& here, const Service& there, Tally& tally)
      : here_(here), there_(there), tally_(tally) {}

  void Race(int pairs) {
    while (pairs > 0) {
      Open();
      while (pairs > 0 && RaceOnce()) --pairs;
    }
  }

 private:
  void Open() {
    people_.clear();
    others_.clear();
    for (const char* name : {"Alice", "Bob"}) people_.push_back(NewPerson(here_, name));
    for (const Person& person : people_) others_.push_back(ThroughOther(there_, person));
    game_ = NewGame(people_[0].client, people_[1].client, "patolli");
  }

  // False when the game is over.
  bool RaceOnce() {
    v1::ListLegalActionsRequest list;
    list.set_game_id(game_);
    const auto legal = people_[0].client.Call(&Game::ListLegalActions, list);
    if (!legal.ok() || legal->actions().empty()) return false;
    const auto seat = static_cast<size_t>(legal->position().actor());
    v1::PlayActionsRequest plays[2];
    for (int i = 0; i < 2; ++i) {
      plays[i].set_request_id(NewRequestId());
      plays[i].set_game_id(game_);
      plays[i].set_expected_sequence(legal->sequence());
      const int last = legal->actions_size() - 1;
      plays[i].add_actions()->set_action(legal->actions(i == 0 ? 0 : last).action());
    }
    const Client* clients[2] = {&people_[seat].client, &others_[seat]};
    Answer<v1::PlayActionsResponse> answers[2];
    std::barrier start(2);
    std::thread second([&] {
      start.arrive_and_wait();
      answers[1] = clients[1]->Call(&Game::PlayActions, plays[1]);
    });
    start.arrive_and_wait();
    answers[0] = clients[0]->Call(&Game::PlayActions, plays[0]);
    second.join();
    Judge(answers[0], answers[1]);
    return true;
  }

  void Judge(const Answer<v1::PlayActionsResponse>& one,
             const Answer<v1::PlayActionsResponse>& other) {
    ++tally_.races;
    EXPECT_NE(one.ok(), other.ok())
        << one.status.error_message() << " / " << other.status.error_message();
    const Problem problem = ProblemOf(one.ok() ? other.status : one.status);
    EXPECT_TRUE(kReasons.contains(problem.reason)) << problem.reason << " " << problem.message;
    const std::lock_guard lock(tally_.mutex);
    ++tally_.told[problem.reason];
  }

  const Service& here_;
  const Service& there_;
  Tally& tally_;
  std::vector<Person> people_;
  std::vector<Client> others_;
  std::string game_;
};

TEST(Race, ExactlyOneOfTwoIsAccepted) {
  const int pairs = Scaled(400, 10'000);
  Service here;
  here.Start();
  Service there(here.database_url(), here.key_file());
  there.Start();
  Tally tally;
  std::vector<std::thread> lanes;
  for (int i = 0; i < kLanes; ++i) {
    lanes.emplace_back([&] { Lane(here, there, tally).Race(pairs / kLanes); });
  }
  for (std::thread& lane : lanes) lane.join();
  EXPECT_EQ(tally.races, pairs);
  std::cout << tally.races << " races; losers were told";
  for (const auto& [reason, count] : tally.told) std::cout << " " << reason << " " << count;
  std::cout << std::endl;
}

}  // namespace
}  // namespace astragal::faults
