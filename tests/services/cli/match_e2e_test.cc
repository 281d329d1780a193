// Matches in the terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/services/cli/cli_test.h"

namespace astragal::cli {
namespace {

using testing::HasSubstr;

TEST_F(CliTest, AMatchIsMadeWatchedAndShown) {
  MakePlayers();
  const std::string key = data_->path() + "/data/operator.key";
  const Ran made = RunAs("", {"match", "new", "long_narde", "alice", "bob", "--match", "points:3",
                              "--json", "--operator-key", key});
  ASSERT_EQ(made.code, 0) << made.text;
  const json match = json::parse(made.text);
  const std::string id = match["match_id"];
  const std::unique_ptr<Program> watch = Start("carol", {"match", "watch", id});
  ASSERT_TRUE(watch->WaitFor("alice 0 : 0 bob")) << watch->output();
  std::string game = match["games"][0]["game_id"];
  ASSERT_EQ(RunAs("alice", {"resign", game, "--yes"}).code, 0);
  ASSERT_TRUE(watch->WaitFor("alice 0 : 2 bob")) << watch->output();
  ASSERT_TRUE(watch->WaitFor("game 2")) << watch->output();
  const Ran running = RunAs("bob", {"match", "next", id});
  EXPECT_EQ(running.code, 1);
  EXPECT_THAT(running.text, HasSubstr("GAME_STILL_RUNNING"));
  const json shown = json::parse(RunAs("", {"match", "show", id, "--json"}).text);
  ASSERT_EQ(shown["games"].size(), 2U);
  game = shown["games"][1]["game_id"];
  ASSERT_EQ(RunAs("alice", {"resign", game, "--yes"}).code, 0);
  EXPECT_EQ(watch->Wait(), 0) << watch->output();
  EXPECT_THAT(watch->output(), HasSubstr("alice 0 : 3 bob"));
  EXPECT_THAT(RunAs("bob", {"match", "list"}).text, HasSubstr("over: bob has won"));
  const Ran refused = RunAs("alice", {"match", "next", id});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.text, HasSubstr("MATCH_OVER"));
}

// Two players and nobody else: a challenge, games of bots until it is decided, and a server that is
// killed after each of them.
TEST_F(CliTest, AWholeMatchByChallengeOutlivesKilledServers) {
  MakePlayers();
  const Ran challenged = RunAs("alice", {"challenge", "bob", "long_narde", "--seat", "white",
                                         "--match", "points:3", "--json"});
  ASSERT_EQ(challenged.code, 0) << challenged.text;
  const json proposal = json::parse(challenged.text);
  EXPECT_EQ(proposal["terms"]["match"]["first_mover"], "MATCH_FIRST_MOVER_WINNER");
  const Ran accepted =
      RunAs("bob", {"accept", proposal["proposal_id"].get<std::string>(), "--json"});
  ASSERT_EQ(accepted.code, 0) << accepted.text;
  const std::string id = json::parse(accepted.text)["game"]["match_id"];
  int points[2] = {0, 0};
  int last_winner = -1;
  for (size_t number = 1; points[0] < 3 && points[1] < 3; ++number) {
    ASSERT_LE(number, 5u) << "each game is worth a point";
    const json match = json::parse(RunAs("alice", {"match", "show", id, "--json"}).text);
    ASSERT_EQ(match["status"], "MATCH_STATUS_RUNNING");
    ASSERT_EQ(match["games"].size(), number);
    const std::string game = match["games"].back()["game_id"];
    const auto alice = Start("alice", {"bot", game, "--bot", "random", "--seed", "7"});
    const Ran bob = RunAs("bob", {"bot", game, "--bot", "greedy", "--seed", "8"});
    EXPECT_EQ(alice->Wait(), 0) << alice->output();
    ASSERT_EQ(bob.code, 0) << bob.text;
    KillServer();
    StartServer();
    ASSERT_EQ(RunAs("", {"health", "--wait", "90"}).code, 0) << ServerOutput();
    const std::vector<json> events = Events(game);
    for (const json& event : events) {
      if (!event.contains("action")) continue;
      if (last_winner >= 0) {
        EXPECT_EQ(event["action"].value("seat", 0), last_winner) << number;
      }
      break;
    }
    const json seats = events.back()["finished"]["seats"];
    for (size_t seat = 0; seat < 2; ++seat) {
      points[seat] += std::stoi(seats[seat].value("points", "0"));
      if (seats[seat].value("points", "0") != "0") last_winner = static_cast<int>(seat);
    }
  }
  const json over = json::parse(RunAs("bob", {"match", "show", id, "--json"}).text);
  EXPECT_EQ(over["status"], "MATCH_STATUS_OVER");
  EXPECT_EQ(over["winner"], last_winner);
  for (size_t seat = 0; seat < 2; ++seat) {
    EXPECT_EQ(over["players"][seat].value("points", "0"),
              std::to_string(std::min(points[seat], 3)));
  }
  EXPECT_THAT(RunAs("alice", {"match", "list"}).text, HasSubstr(id));
}

}  // namespace
}  // namespace astragal::cli
