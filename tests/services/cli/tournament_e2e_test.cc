// Tournaments in the terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/services/cli/cli_test.h"

namespace astragal::cli {
namespace {

using testing::HasSubstr;

TEST_F(CliTest, ATournamentOfBotsEndsWithStandings) {
  const std::unique_ptr<Program> demo =
      Start("", {"tournament", "demo", "--players", "5", "--rounds", "2", "--seed", "3"});
  ASSERT_EQ(demo->Wait(240), 0) << demo->output();
  EXPECT_THAT(demo->output(), HasSubstr("Round 2 of 2: 3 pairings"));
  EXPECT_THAT(demo->output(), HasSubstr("RANK"));

  // Its games are found, and no others.
  constexpr size_t kIdLength = 26;
  const size_t at = demo->output().find("Tournament ");
  ASSERT_NE(at, std::string::npos) << demo->output();
  const std::string id = demo->output().substr(at + sizeof("Tournament ") - 1, kIdLength);
  const Ran found = RunAs("", {"find", "--tournament", id, "--limit", "100", "--json"});
  ASSERT_EQ(found.code, 0) << found.text;
  const json games = json::parse(found.text)["games"];
  EXPECT_THAT(demo->output(), HasSubstr("\n" + std::to_string(games.size()) + " games, "));
  const std::string no_tournament = games.at(0)["game_id"];
  EXPECT_EQ(RunAs("", {"find", "--tournament", no_tournament}).code, 1);
}

// House bots add to the dice without being told.
TEST_F(CliTest, BotsOfADemoAddToTheDiceOfEveryGame) {
  const Ran demo = RunAs("", {"tournament", "demo", "--players", "3", "--format", "round-robin",
                              "--contributions", "--seed", "4"});
  ASSERT_EQ(demo.code, 0) << demo.text;
  constexpr size_t kIdLength = 26;
  const size_t at = demo.text.find("Tournament ");
  ASSERT_NE(at, std::string::npos) << demo.text;
  const std::string id = demo.text.substr(at + sizeof("Tournament ") - 1, kIdLength);
  const Ran found = RunAs("", {"find", "--tournament", id, "--limit", "100", "--json"});
  ASSERT_EQ(found.code, 0) << found.text;
  size_t both = 0;
  const json games = json::parse(found.text);
  for (const json& game : games["games"]) {
    const Ran proof = RunAs("", {"proof", game["game_id"].get<std::string>()});
    ASSERT_EQ(proof.code, 0) << proof.text;
    size_t given = 0;
    const json proved = json::parse(proof.text);
    for (const json& seat : proved["seats"]) {
      given += seat["contribution"] == "" ? 0 : 1;
    }
    both += given == 2 ? 1 : 0;
  }
  // A busy machine may let the two seconds of some game pass.
  EXPECT_GT(both, 0u) << demo.text;
}

TEST_F(CliTest, ADirectorHoldsATournament) {
  MakePlayers();
  const Ran made = RunAs(
      "carol", {"tournament", "create", "Club evening", "--manual", "--rounds", "1", "--json"});
  ASSERT_EQ(made.code, 0) << made.text;
  const std::string id = json::parse(made.text)["tournament_id"];
  for (const char* player : {"alice", "bob"}) {
    const Ran registered = RunAs(player, {"tournament", "register", id, "--rating", "1500"});
    ASSERT_EQ(registered.code, 0) << registered.text;
  }
  const Ran refused = RunAs("alice", {"tournament", "start", id});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.text, HasSubstr("SCOPE_MISSING"));
  ASSERT_EQ(RunAs("carol", {"tournament", "start", id}).code, 0);
  const Ran dry = RunAs("carol", {"tournament", "draft", id, "--dry-run"});
  ASSERT_EQ(dry.code, 0) << dry.text;
  EXPECT_THAT(dry.text, HasSubstr("Round 1, drafted"));
  EXPECT_EQ(RunAs("carol", {"tournament", "pairings", id}).code, 1) << "nothing was drafted";
  ASSERT_EQ(RunAs("carol", {"tournament", "draft", id}).code, 0);
  ASSERT_EQ(RunAs("carol", {"tournament", "publish", id}).code, 0);
  const Ran close = RunAs("carol", {"tournament", "close", id});
  EXPECT_EQ(close.code, 1);
  EXPECT_THAT(close.text, HasSubstr("warnings: RESULTS_MISSING"));
  EXPECT_THAT(close.text, HasSubstr("--accept"));
  const Ran result =
      RunAs("carol", {"tournament", "result", id, "1", "loss", "win", "--reason", "typed wrongly"});
  ASSERT_EQ(result.code, 0) << result.text;
  ASSERT_EQ(RunAs("carol", {"tournament", "adjust", id, "bob", "-0.5", "--reason", "late"}).code,
            0);
  EXPECT_THAT(RunAs("", {"tournament", "pairings", id}).text, HasSubstr("decided by a director"));
  EXPECT_THAT(RunAs("", {"tournament", "log", id}).text, HasSubstr("typed wrongly"));
  EXPECT_THAT(RunAs("", {"tournament", "export", id, "trf"}).text, HasSubstr("012 Club evening"));
  const json standings = json::parse(RunAs("", {"tournament", "standings", id, "--json"}).text);
  ASSERT_EQ(standings["rows"].size(), 2U);
  EXPECT_THAT(RunAs("", {"tournament", "players", id}).text,
              HasSubstr("-0.5 points by a director"));
}

}  // namespace
}  // namespace astragal::cli
