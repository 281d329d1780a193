// Time that runs out over two servers on one PostgreSQL: exactly one of the action and the clock
// wins, and a server that dies takes no clock with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/e2e/game.h"

namespace astragal::e2e {
namespace {

using Millis = std::chrono::milliseconds;

template <typename Request>
Request To(const std::string& game_id) {
  Request request;
  request.set_request_id(NewRequestId());
  request.set_game_id(game_id);
  return request;
}

int64_t MicrosOf(const google::protobuf::Timestamp& time) {
  return time.seconds() * 1'000'000 + time.nanos() / 1'000;
}

class Clocks : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    second_ = new Service(SharedService().database_url(), SharedService().key_file());
    second_->Start();
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(second_->Terminate(), 0) << second_->log();
    delete second_;
  }
  // A running game of alice and bob with this time for each turn.
  static std::string Started(const Client& creator, const Client& joiner, int64_t turn_ms) {
    v1::CreateGameRequest create;
    create.set_request_id(NewRequestId());
    create.set_ruleset_id("long_narde");
    create.set_seat(0);
    create.mutable_clock_policy()->set_kind(v1::CLOCK_KIND_PER_TURN);
    create.mutable_clock_policy()->set_increment_ms(turn_ms);
    const auto created = creator.Call(&Game::CreateGame, create);
    EXPECT_TRUE(created.ok()) << created.status.error_message();
    const std::string id = created->game().game_id();
    EXPECT_TRUE(joiner.Call(&Game::JoinGame, To<v1::JoinGameRequest>(id)).ok());
    return id;
  }
  v1::PlayActionsRequest FirstAction(const std::string& id) {
    v1::ListLegalActionsRequest list;
    list.set_game_id(id);
    const auto legal = alice_.client.Call(&Game::ListLegalActions, list);
    auto play = To<v1::PlayActionsRequest>(id);
    if (legal->actions_size() > 0) play.add_actions()->set_action(legal->actions(0).action());
    return play;
  }
  void ExpectProvenLog(const std::string& id) {
    const v1::Game game = GetGame(alice_.client, id);
    const v1::Ruleset ruleset = GetRuleset(alice_.client, game.ruleset_id());
    EXPECT_EQ(ChainProblem(game, ruleset, ListEvents(alice_.client, id)), "");
  }

  static inline Service* second_ = nullptr;
  Service& service_ = SharedService();
  const Person alice_ = NewPerson(service_, "Alice");
  const Person bob_ = NewPerson(service_, "Bob");
  const Client alice_there_ = ThroughOther(*second_, alice_);
  const Client bob_there_ = ThroughOther(*second_, bob_);
};

// The action is sent so that it arrives around the deadline, by way of either server.
TEST_F(Clocks, AnActionThatRacesItsDeadlineWinsOrLosesAltogether) {
  constexpr int kGames = 24;
  constexpr int64_t kTurnMs = 1'000;
  std::atomic<int> in_time = 0;
  std::atomic<int> late = 0;
  std::vector<std::thread> races;
  for (int i = 0; i < kGames; ++i) {
    races.emplace_back([&, i] {
      const std::string id =
          Started(i % 2 == 0 ? alice_.client : alice_there_, bob_.client, kTurnMs);
      const v1::Game before = GetGame(alice_.client, id);
      const v1::PlayActionsRequest play = FirstAction(id);
      const bool first = before.seats_to_act(0) == 0;
      const Client& here = first ? alice_.client : bob_.client;
      const Client& there = first ? alice_there_ : bob_there_;
      // Machine and database are one: their clocks are the same.
      const int64_t deadline = MicrosOf(before.clocks().deadline());
      const int64_t aim = deadline + 40'000 - i * 20'000;
      std::this_thread::sleep_until(
          std::chrono::system_clock::time_point(std::chrono::microseconds(aim)));
      const auto played = (i / 2 % 2 == 0 ? here : there).Call(&Game::PlayActions, play);
      const std::vector<v1::Event> log = ListEvents(alice_.client, id);
      const auto mover_acted = [&](const v1::Event& event) {
        return event.has_action() && event.sequence() == before.sequence() + 1;
      };
      const bool acted = std::ranges::any_of(log, mover_acted);
      ASSERT_EQ(played.ok(), acted) << played.status.error_message();
      ++(acted ? in_time : late);
      if (acted) {
        EXPECT_LT(MicrosOf(log[before.sequence()].event_time()), deadline);
        return;
      }
      const std::string reason = ProblemOf(played.status).reason;
      EXPECT_TRUE(reason == "TIME_EXPIRED" || reason == "GAME_OVER") << reason;
      Watcher watcher(alice_.client, id, 0);
      ASSERT_TRUE(watcher.AwaitEnd().has_value());
      const std::vector<v1::Event> events = watcher.events();
      int ends = 0;
      for (const v1::Event& event : events) {
        ends += event.has_timed_out() ? 1 : 0;
        EXPECT_FALSE(event.has_action());
      }
      EXPECT_EQ(ends, 1);
      EXPECT_GE(MicrosOf(events.back().event_time()), deadline);
      ExpectProvenLog(id);
    });
  }
  for (std::thread& race : races) race.join();
  std::cout << in_time << " in time, " << late << " too late" << std::endl;
  EXPECT_EQ(in_time + late, kGames);
  EXPECT_GT(in_time, 0);
  EXPECT_GT(late, 0);
}

TEST_F(Clocks, AServerThatDiesTakesNoClockWithIt) {
  Service third(service_.database_url(), service_.key_file());
  third.Start();
  const Client there = ThroughOther(third, alice_);
  constexpr int64_t kTurnMs = 2'000;
  const std::string id = Started(there, ThroughOther(third, bob_), kTurnMs);
  // The game lives in the third server, and nobody else looks at it.
  const v1::Game game = GetGame(there, id);
  const int64_t deadline = MicrosOf(game.clocks().deadline());
  third.Kill();
  std::this_thread::sleep_until(
      std::chrono::system_clock::time_point(std::chrono::microseconds(deadline)));
  // Whoever asks now makes no difference: the log says when it ended.
  std::this_thread::sleep_for(Millis(4'000));
  const std::vector<v1::Event> log = ListEvents(alice_.client, id);
  ASSERT_TRUE(log.back().has_finished()) << log.back().ShortDebugString();
  EXPECT_EQ(log.back().finished().ending(), v1::GAME_ENDING_TIMED_OUT);
  const int64_t after_ms = (MicrosOf(log.back().event_time()) - deadline) / 1'000;
  std::cout << "ended " << after_ms << " ms after the deadline" << std::endl;
  EXPECT_GE(after_ms, 0);
  EXPECT_LT(after_ms, 3'000) << "a second for the server that has the game, half a one to look";
  ExpectProvenLog(id);
}

// What the network takes is measured by the server and given back within bounds.
TEST_F(Clocks, AnsweredPingsAreGivenBack) {
  v1::CreateGameRequest create;
  create.set_request_id(NewRequestId());
  create.set_ruleset_id("long_narde");
  create.set_seat(0);
  create.mutable_clock_policy()->set_kind(v1::CLOCK_KIND_FISCHER);
  create.mutable_clock_policy()->set_reserve_ms(60'000);
  const auto created = alice_.client.Call(&Game::CreateGame, create);
  ASSERT_TRUE(created.ok());
  const std::string id = created->game().game_id();
  ASSERT_TRUE(bob_.client.Call(&Game::JoinGame, To<v1::JoinGameRequest>(id)).ok());
  const v1::Game before = GetGame(alice_.client, id);
  const Person& mover = before.seats_to_act(0) == 0 ? alice_ : bob_;

  Watcher watcher(mover.client, id);
  ASSERT_TRUE(watcher.AwaitPing());
  std::this_thread::sleep_for(Millis(250));  // a slow network
  v1::AnswerPingRequest answer;
  answer.set_ping_id(watcher.ping());
  const auto measured = mover.client.Call(&Game::AnswerPing, answer);
  ASSERT_TRUE(measured.ok()) << measured.status.error_message();
  EXPECT_GE(measured->round_trip_us(), 250'000);
  EXPECT_EQ(measured->lag_us(), measured->round_trip_us());
  EXPECT_EQ(ProblemOf(mover.client.Call(&Game::AnswerPing, answer).status).reason, "NOT_FOUND");
  const Person& other = before.seats_to_act(0) == 0 ? bob_ : alice_;
  EXPECT_EQ(ProblemOf(other.client.Call(&Game::AnswerPing, answer).status).reason, "NOT_FOUND");

  const auto played = mover.client.Call(&Game::PlayActions, FirstAction(id));
  ASSERT_TRUE(played.ok()) << played.status.error_message();
  const int64_t given = played->events(0).action().lag_credit_us();
  EXPECT_GE(given, 250'000);
  EXPECT_LE(given, std::min<int64_t>(1'000'000, measured->round_trip_us()));
  ExpectProvenLog(id);
}

// Who is connected is seen at both servers, and is in no log.
TEST_F(Clocks, PresenceIsSeenEverywhereAndLoggedNowhere) {
  const std::string id = Started(alice_.client, bob_.client, 600'000);
  Watcher onlooker(Client(second_->Connect()), id);
  ASSERT_TRUE(onlooker.AwaitSnapshot());
  EXPECT_TRUE(onlooker.AwaitConnected({}));
  {
    Watcher alice(alice_.client, id);
    EXPECT_TRUE(onlooker.AwaitConnected({0}));
    Watcher bob(bob_there_, id);
    EXPECT_TRUE(onlooker.AwaitConnected({0, 1}));
    EXPECT_TRUE(alice.AwaitConnected({0, 1}));
    EXPECT_TRUE(GetGame(alice_.client, id).seats(1).connected());
    EXPECT_TRUE(GetGame(bob_there_, id).seats(0).connected());
    Watcher late(Client(service_.Connect()), id);
    EXPECT_TRUE(late.AwaitConnected({0, 1}));
  }
  EXPECT_TRUE(onlooker.AwaitConnected({}));
  EXPECT_FALSE(GetGame(alice_.client, id).seats(0).connected());
  EXPECT_EQ(ListEvents(alice_.client, id).size(), GetGame(alice_.client, id).sequence());
  EXPECT_EQ(onlooker.disorder(), "");
}

}  // namespace
}  // namespace astragal::e2e
