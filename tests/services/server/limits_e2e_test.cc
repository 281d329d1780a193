// Limits over gRPC: guessed keys, and what refusals, GetServerInfo, the log and the page of metrics
// say. What limits do to a crowd is in capacity_test.cc.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "astragal/v1/admin_service.pb.h"
#include "astragal/v1/auth_service.pb.h"
#include "astragal/v1/game_service.pb.h"
#include "tests/services/server/hall.h"

namespace astragal::server {
namespace {

using testing::HasSubstr;

Options Limited() {
  Options options;
  options.behind_proxy = true;
  return options;
}

TEST(Limits, ArePublishedAndNamedByRefusals) {
  const Hall hall(Limited());
  v1::GetServerInfoResponse info;
  ASSERT_TRUE(hall.Call("AdminService.GetServerInfo", "", v1::GetServerInfoRequest(), &info).ok());
  EXPECT_TRUE(info.limits_enforced());
  EXPECT_EQ(info.mode(), v1::SERVER_MODE_NORMAL);
  EXPECT_NE(info.version(), "");
  std::map<std::string, v1::ServerLimit> limits;
  for (const v1::ServerLimit& limit : info.limits()) {
    EXPECT_GT(limit.most(), 0) << limit.name();
    EXPECT_NE(limit.description(), "") << limit.name();
    limits[limit.name()] = limit;
  }
  for (const char* name : {"calls_per_key", "begins_per_key", "actions_per_game",
                           "calls_per_address", "failures_per_address", "streams_per_key",
                           "request_bytes", "message_bytes", "metadata_bytes", "keepalive_ms"}) {
    EXPECT_TRUE(limits.contains(name)) << name;
  }
  const Hall::Person alice = hall.NewPlayer("Alice");
  const int at_once = static_cast<int>(limits["begins_per_key"].most());
  Outcome last;
  int begun = 0;
  for (int i = 0; i < 3 * at_once && last.ok(); ++i) {
    v1::CreateGameRequest create;
    create.set_request_id(NewRequestId());
    create.set_ruleset_id("long_narde");
    last = hall.Call("GameService.CreateGame", alice.key, create);
    begun += last.ok() ? 1 : 0;
  }
  EXPECT_GE(begun, at_once);
  EXPECT_EQ(last.code, grpc::RESOURCE_EXHAUSTED);
  EXPECT_EQ(last.reason, "RATE_LIMITED");
  EXPECT_EQ(last.details["limit"], "begins_per_key");
  EXPECT_GT(last.retry_after_ms, 0);
  EXPECT_EQ(last.quotas, 1);
  EXPECT_EQ(last.trace.size(), 32U);
}

TEST(Limits, GuessingKeysEndsByTheTwentiethTry) {
  const Hall hall(Limited());
  const Hall::Person alice = hall.NewPlayer("Alice");
  const Headers from = {{"x-forwarded-for", "203.0.113.5"}};
  std::set<std::string> reasons;
  int invalid = 0;
  for (int i = 0; i < 40; ++i) {
    const std::string guess = "ast_" + std::string(62, '0') + std::to_string(10 + i);
    const Outcome outcome = hall.Call("AuthService.WhoAmI", guess, v1::WhoAmIRequest(), from);
    reasons.insert(outcome.reason);
    invalid += outcome.reason == "TOKEN_INVALID" ? 1 : 0;
  }
  EXPECT_THAT(reasons, testing::UnorderedElementsAre("TOKEN_INVALID", "RATE_LIMITED"));
  EXPECT_GE(invalid, 20);
  const Headers elsewhere = {{"x-forwarded-for", "203.0.113.6"}};
  EXPECT_TRUE(hall.Call("AuthService.WhoAmI", alice.key, v1::WhoAmIRequest(), elsewhere).ok());
}

TEST(Traces, AreInErrorsAndInTheLogAndTokensAreNot) {
  Options options;
  options.log_calls = true;
  const Hall hall(options);
  const Hall::Person alice = hall.NewPlayer("Alice");
  testing::internal::CaptureStderr();
  const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const Headers traced = {{"traceparent", "00-" + trace + "-00f067aa0ba902b7-01"}};
  v1::GetGameRequest get;
  get.set_game_id("nothing");
  const Outcome outcome = hall.Call("GameService.GetGame", alice.key, get, traced);
  const std::string guess = "ast_" + std::string(64, 'f');
  const Outcome untraced = hall.Call("GameService.GetGame", guess, get);
  // What is logged stands before the answer leaves.
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(outcome.trace, trace);
  EXPECT_THAT(log, HasSubstr("method=GameService.GetGame code=5 reason=NOT_FOUND"));
  EXPECT_THAT(log, HasSubstr("trace=" + trace));
  EXPECT_EQ(untraced.trace.size(), 32U);
  EXPECT_THAT(log, HasSubstr("trace=" + untraced.trace));
  for (const std::string& secret : {alice.key, guess, hall.operator_key()}) {
    EXPECT_EQ(log.find(secret.substr(4)), std::string::npos);
  }
}

// The page as a scraper gets it.
std::string Scrape(int port) {
  const int connection = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string page;
  if (::connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
    const std::string question = "GET /metrics HTTP/1.0\r\n\r\n";
    EXPECT_EQ(::write(connection, question.data(), question.size()),
              static_cast<ssize_t>(question.size()));
    char bytes[4096];
    for (ssize_t count = 0; (count = ::read(connection, bytes, sizeof bytes)) > 0;) {
      page.append(bytes, static_cast<size_t>(count));
    }
  }
  ::close(connection);
  return page;
}

TEST(Metrics, CountEveryMethodAndShowQueuesPoolsAndCommits) {
  testing::internal::CaptureStderr();
  Options options;
  options.metrics = "127.0.0.1:0";
  const Hall hall(options);
  const std::string log = testing::internal::GetCapturedStderr();
  const size_t at = log.find("metrics port=");
  ASSERT_NE(at, std::string::npos) << log;
  const int port = std::atoi(log.c_str() + at + std::string("metrics port=").size());
  const Hall::Person alice = hall.NewPlayer("Alice");
  const Hall::Person bob = hall.NewPlayer("Bob");
  v1::WatchGameRequest watch;
  watch.set_game_id(hall.NewGame(alice, bob));
  EXPECT_TRUE(hall.Call("GameService.WatchGame", "", watch).ok());
  EXPECT_EQ(hall.Call("AuthService.WhoAmI", "", v1::WhoAmIRequest()).reason, "TOKEN_MISSING");
  const std::string page = Scrape(port);
  EXPECT_EQ(page.find("astragal_watcher_messages_total{method=\"GameService.WatchGame\"} 0\n"),
            std::string::npos)
      << "a message was sent";
  for (const char* line :
       {"astragal_calls_total{method=\"PlayerService.CreatePlayer\",code=\"OK\"} 2",
        "astragal_calls_total{method=\"GameService.PlayActions\",code=\"OK\"} 0",
        "astragal_calls_total{method=\"AuthService.WhoAmI\",code=\"UNAUTHENTICATED\"} 1",
        "astragal_call_seconds{method=\"GameService.CreateGame\",quantile=\"0.99\"}",
        "astragal_watchers_open{method=\"LobbyService.WatchLobby\"} 0",
        "astragal_watcher_messages_total{method=\"GameService.WatchGame\"} ",
        "astragal_watchers_slow_total{method=\"GameService.WatchGame\"} 0",
        "astragal_watcher_messages_unsent{method=\"GameService.WatchGame\"} ",
        "astragal_watcher_events_buffered ",
        "astragal_commits_waiting 0",
        "astragal_commit_seconds_total ",
        "astragal_games_started_total{ruleset=\"long_narde\"} 1",
        "astragal_games_ended_total{ruleset=\"long_narde\"} 0",
        "astragal_actions_total{ruleset=\"long_narde\"} 0",
        "astragal_ruleset_calls_total{ruleset=\"long_narde\"} ",
        "astragal_ruleset_seconds_total{ruleset=\"long_narde\"} ",
        "astragal_ruleset_faults_total{ruleset=\"long_narde\"} 0",
        "astragal_ready 1",
        "astragal_degraded 0",
        "astragal_mode 1",
        "astragal_work_unfinished",
        "astragal_pool_connections{state=\"open\"}",
        "astragal_commits_total",
        "astragal_commit_batches_total",
        "astragal_streams_open 0",
        "astragal_ruleset_builds{state=\"loaded\"}"}) {
    EXPECT_THAT(page, HasSubstr(line));
  }
  EXPECT_EQ(page.find(alice.key.substr(4)), std::string::npos);
}

}  // namespace
}  // namespace astragal::server
