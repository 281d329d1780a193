// The service and its database go away in the middle of games, in every way; the games go on where
// they were, and what was acknowledged is in the log, once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "grpc/health/v1/health.pb.h"
#include "tests/e2e/game.h"

namespace astragal::e2e {
namespace {

using grpc::StatusCode;
using grpc::health::v1::HealthCheckResponse;
using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;

constexpr const char* kServices[] = {"",
                                     "astragal.v1.AuthService",
                                     "astragal.v1.GameService",
                                     "astragal.v1.HistoryService",
                                     "astragal.v1.PlayerService",
                                     "astragal.v1.RulesetService"};

bool Await(const std::function<bool()>& condition, int timeout_ms = 20'000) {
  const Steady::time_point give_up = Steady::now() + milliseconds(timeout_ms);
  while (!condition()) {
    if (Steady::now() > give_up) return false;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return true;
}

bool AwaitHealth(const Service& service, int status) {
  const auto channel = service.Connect();
  return Await([&] {
    return std::ranges::all_of(kServices,
                               [&](const char* name) { return Health(channel, name) == status; });
  });
}

// Two players of a game whose log can be compared with what they were told.
class TwoPlayers {
 public:
  explicit TwoPlayers(const Service& service, uint32_t seed)
      : alice(NewPerson(service, "Alice")),
        bob(NewPerson(service, "Bob")),
        game_id(NewGame(alice.client, bob.client)),
        start_(GetGame(alice.client, game_id).sequence()),
        table(game_id, {&alice.client, &bob.client}, seed) {
    table.BePatient();
  }

  // Nothing that was acknowledged is missing, doubled or different, and nothing else is there.
  void ExpectLedgerInLog() const {
    const std::vector<v1::Event> log = ListEvents(alice.client, game_id);
    const v1::Game game = GetGame(alice.client, game_id);
    EXPECT_EQ(ChainProblem(game, GetRuleset(alice.client, "long_narde"), log), "");
    ASSERT_GE(log.size(), start_);
    const std::vector<v1::Event> played(log.begin() + start_, log.end());
    EXPECT_THAT(TextOf(table.ledger()), testing::ElementsAreArray(TextOf(played)));
  }

  const Person alice;
  const Person bob;
  const std::string game_id;

 private:
  uint32_t start_;

 public:
  Table table;
};

struct Fault {
  const char* name;
  void (*strike)(Service& service);
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class Restart : public testing::TestWithParam<Fault> {};

TEST_P(Restart, LosesNothingThatWasAcknowledged) {
  constexpr int kStrikes = 5;
  constexpr int kActionsBetween = 12;
  Service& service = SharedService();
  TwoPlayers players(service, 11);
  std::thread player([&] { EXPECT_TRUE(players.table.Play((kStrikes + 1) * kActionsBetween)); });
  for (int i = 1; i <= kStrikes; ++i) {
    EXPECT_TRUE(Await([&] { return players.table.played() >= i * kActionsBetween; }, 60'000));
    GetParam().strike(service);
  }
  player.join();
  EXPECT_EQ(players.table.played(), (kStrikes + 1) * kActionsBetween);
  players.ExpectLedgerInLog();
  EXPECT_TRUE(AwaitHealth(service, HealthCheckResponse::SERVING));
}

constexpr Fault kFaults[] = {
    {"ServiceTerminated",
     [](Service& service) {
       EXPECT_EQ(service.Terminate(), 0);
       service.Start();
     }},
    {"ServiceKilled",
     [](Service& service) {
       service.Kill();  // its PostgreSQL lives on and is adopted
       service.Start();
     }},
    {"DatabaseKilled", [](Service& service) { service.KillDatabase(); }},
    {"BothKilled",
     [](Service& service) {
       service.Kill();
       service.KillDatabase();
       service.Start();
     }},
};
std::string NameOf(const testing::TestParamInfo<Fault>& one) { return one.param.name; }
INSTANTIATE_TEST_SUITE_P(Faults, Restart, testing::ValuesIn(kFaults), NameOf);

// A call that needs the database.
struct Needy {
  const char* name;
  std::function<grpc::Status(const TwoPlayers&)> call;
};

std::vector<Needy> NeedyCalls() {
  return {
      {"PlayActions",
       [](const TwoPlayers& players) {
         v1::PlayActionsRequest play;
         play.set_request_id(NewRequestId());
         play.set_game_id(players.game_id);
         play.add_actions()->set_action(1);
         return players.alice.client.Call(&Game::PlayActions, play).status;
       }},
      {"CreateGame",
       [](const TwoPlayers& players) {
         v1::CreateGameRequest create;
         create.set_request_id(NewRequestId());
         create.set_ruleset_id("long_narde");
         return players.alice.client.Call(&Game::CreateGame, create).status;
       }},
      {"GetGame",
       [](const TwoPlayers& players) {
         v1::GetGameRequest get;
         get.set_game_id(players.game_id);
         return players.alice.client.Call(&Game::GetGame, get).status;
       }},
      {"ListEvents",
       [](const TwoPlayers& players) {
         v1::ListEventsRequest list;
         list.set_game_id(players.game_id);
         return players.alice.client.Call(&History::ListEvents, list).status;
       }},
      {"CreatePlayer",
       [](const TwoPlayers& players) {
         v1::CreatePlayerRequest create;
         create.set_request_id(NewRequestId());
         create.set_name("Eve " + create.request_id().substr(0, 8));
         return players.alice.client.Call(&Player::CreatePlayer, create).status;
       }},
      {"WhoAmI",
       [](const TwoPlayers& players) {
         return players.alice.client.Call(&Auth::WhoAmI, v1::WhoAmIRequest()).status;
       }},
  };
}

TEST(DatabaseAway, IsSaidInEveryAnswerAndByHealthAndPasses) {
  Service& service = SharedService();
  TwoPlayers players(service, 12);
  ASSERT_TRUE(players.table.Play(6));
  const v1::Game before = GetGame(players.alice.client, players.game_id);
  service.KillDatabase(true);
  EXPECT_TRUE(AwaitHealth(service, HealthCheckResponse::NOT_SERVING));
  std::this_thread::sleep_for(milliseconds(600));  // a read may trust what is half a second old
  for (const Needy& needy : NeedyCalls()) {
    const Steady::time_point called_at = Steady::now();
    const Problem problem = ProblemOf(needy.call(players));
    EXPECT_EQ(problem.code, StatusCode::UNAVAILABLE) << needy.name << ": " << problem.message;
    EXPECT_EQ(problem.reason, "STORE_UNAVAILABLE") << needy.name;
    EXPECT_EQ(problem.error_infos, 1) << needy.name;
    EXPECT_GT(problem.retry_after_ms.value_or(0), 0) << needy.name << " says when to try again";
    EXPECT_LT(Steady::now() - called_at, std::chrono::seconds(6)) << needy.name;
  }
  // What needs no database is served.
  EXPECT_EQ(GetRuleset(players.alice.client, "long_narde").ruleset_id(), "long_narde");

  const pid_t pid = service.pid();
  service.BringDatabaseBack();
  EXPECT_TRUE(AwaitHealth(service, HealthCheckResponse::SERVING));
  EXPECT_EQ(service.pid(), pid);
  EXPECT_EQ(TextOf(GetGame(players.alice.client, players.game_id)), TextOf(before));
  EXPECT_TRUE(players.table.Play(6));
  players.ExpectLedgerInLog();
}

TEST(Termination, EndsStreamsAndCallsAndExitsWell) {
  Service& service = SharedService();
  TwoPlayers players(service, 13);
  ASSERT_TRUE(players.table.Play(4));
  Watcher watcher(players.alice.client, players.game_id, 0);
  Watcher other(players.bob.client, players.game_id);
  ASSERT_TRUE(watcher.AwaitEvent(players.table.sequence()) && other.AwaitSnapshot());
  // A replay in a very slow motion, and a watcher that never reads.
  v1::StreamReplayRequest replay;
  replay.set_game_id(players.game_id);
  replay.set_speed(0.001);
  grpc::ClientContext replay_context;
  const auto replaying = players.alice.client.stub<History>().StreamReplay(&replay_context, replay);
  v1::WatchGameRequest watch;
  watch.set_game_id(players.game_id);
  watch.set_after_sequence(0);
  grpc::ClientContext deaf_context;
  const auto deaf = players.bob.client.stub<Game>().WatchGame(&deaf_context, watch);
  std::thread player([&] { EXPECT_TRUE(players.table.Play(30)); });
  EXPECT_TRUE(Await([&] { return players.table.played() >= 10; }));

  const Steady::time_point told_at = Steady::now();
  EXPECT_EQ(service.Terminate(), 0);
  EXPECT_LT(Steady::now() - told_at, std::chrono::seconds(10));
  const std::optional<grpc::Status> end = watcher.AwaitEnd();
  ASSERT_TRUE(end);
  const Problem problem = ProblemOf(*end);
  EXPECT_EQ(problem.code, StatusCode::UNAVAILABLE);
  EXPECT_EQ(problem.reason, "DRAINING");
  ASSERT_TRUE(problem.metadata.contains("resume_after_sequence"));
  EXPECT_EQ(problem.metadata.at("resume_after_sequence"),
            std::to_string(watcher.events().back().sequence()));

  service.Start();
  player.join();
  players.ExpectLedgerInLog();
  const auto seen = static_cast<uint32_t>(std::stoul(problem.metadata.at("resume_after_sequence")));
  Watcher resumed(players.alice.client, players.game_id, seen);
  ASSERT_TRUE(resumed.AwaitEvent(players.table.sequence()));
  std::vector<v1::Event> all = watcher.events();
  for (const v1::Event& event : resumed.events()) all.push_back(event);
  EXPECT_THAT(TextOf(all),
              testing::ElementsAreArray(TextOf(ListEvents(players.alice.client, players.game_id))));
  EXPECT_EQ(watcher.disorder() + resumed.disorder(), "");
}

TEST(Termination, OfAServiceWhoseDatabaseIsGoneEndsToo) {
  Service& service = SharedService();
  service.KillDatabase(true);
  EXPECT_EQ(service.Terminate(), 0);
  service.BringDatabaseBack();
  service.Start();
}

}  // namespace
}  // namespace astragal::e2e
