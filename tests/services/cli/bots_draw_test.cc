// Bots as clients, and games of the service as pictures, against a real astragald.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_replace.h"
#include "tests/services/cli/cli_test.h"

namespace astragal::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kPlugins = ASTRAGAL_BUILD_DIR "/plugins";

// A short game: two pieces each, and greedy players hurry.
TEST_F(CliTest, BotsTakeSeatsAndPlayToTheEnd) {
  MakePlayers();
  const Ran made = RunAs("alice", {"new", "ashtapada", "--option", "pieces=2", "--json"});
  ASSERT_EQ(made.code, 0) << made.text;
  const std::string game = json::parse(made.text)["game_id"];
  const auto south = Start("alice", {"bot", game, "--seed", "1"});
  ASSERT_TRUE(south->WaitFor("greedy plays south")) << south->output();
  const Ran north = RunAs("bob", {"bot", game, "--bot", "random", "--seed", "1"});
  EXPECT_EQ(north.code, 0) << north.text;
  EXPECT_THAT(north.text, HasSubstr("random plays north")) << "it joins by itself";
  EXPECT_THAT(north.text, HasSubstr("played to the end"));
  EXPECT_EQ(south->Wait(), 0) << south->output();
  EXPECT_THAT(south->output(), HasSubstr("played to the end"));
  const std::vector<json> events = Events(game);
  EXPECT_TRUE(events.back().contains("finished"));
  EXPECT_GT(CountActions(events), 10);
  EXPECT_THAT(RunAs("", {"draw", game}).text, testing::ContainsRegex("game over: [a-z]+ won"));
}

TEST_F(CliTest, ABotThatCannotPlaySaysWhy) {
  MakePlayers();
  const std::string game = NewGame();
  const Ran full = RunAs("carol", {"bot", game});
  EXPECT_EQ(full.code, 1) << full.text;
  EXPECT_THAT(full.text, HasSubstr("GAME_FULL"));
  const Ran unknown = RunAs("alice", {"bot", game, "--bot", "clever"});
  EXPECT_EQ(unknown.code, 2) << unknown.text;
  const Ran nowhere = RunAs("alice", {"bot", game, "--plugins", data_->path()});
  EXPECT_EQ(nowhere.code, 2) << nowhere.text;
  EXPECT_THAT(nowhere.text, HasSubstr(data_->path()));
  EXPECT_EQ(CountActions(Events(game)), 0);
}

// What the service says of a game makes the same picture as the ruleset's library on this machine.
TEST_F(CliTest, AGameOfTheServiceIsDrawnAsItsRulesetDrawsIt) {
  MakePlayers();
  for (const char* ruleset : {"long_narde", "patolli", "ashtapada"}) {
    const std::string game = NewGame(ruleset);
    const Ran drawn = RunAs("", {"draw", game});
    ASSERT_EQ(drawn.code, 0) << drawn.text;
    const json now = json::parse(RunAs("", {"position", game, "--json"}).text);
    const std::string text = now["position"]["text"];
    const Ran local =
        RunAs("", {"draw", "--ruleset", ruleset, "--plugins", kPlugins, "--position", text});
    ASSERT_EQ(local.code, 0) << local.text;
    EXPECT_EQ(absl::StrReplaceAll(drawn.text, {{" (alice)", ""}, {" (bob)", ""}}), local.text)
        << ruleset << " at " << text;
  }
}

TEST_F(CliTest, AGameIsDrawnAtAnyEvent) {
  MakePlayers();
  const std::string game = NewGame();
  const Ran now = RunAs("", {"draw", game});
  const Ran first = RunAs("", {"draw", game, "--at", "1"});
  EXPECT_EQ(first.code, 0) << first.text;
  EXPECT_THAT(first.text, StartsWith("<svg"));
  EXPECT_NE(first.text, now.text) << "the opening throw shows";
  const std::string file = data_->path() + "/game.png";
  EXPECT_EQ(RunAs("", {"draw", game, "-o", file}).code, 0);
  std::ifstream png(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(png), {}};
  EXPECT_THAT(bytes, StartsWith("\x89PNG\r\n\x1a\n"));
  const Ran ahead = RunAs("", {"draw", game, "--at", "9999"});
  EXPECT_EQ(ahead.code, 1);
  EXPECT_THAT(ahead.text, HasSubstr("SEQUENCE_UNKNOWN"));
  const Ran unknown = RunAs("", {"draw", "no-such-game"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.text, HasSubstr("NOT_FOUND"));
  EXPECT_EQ(RunAs("", {"draw"}).code, 2) << "neither a game nor a ruleset";
}

}  // namespace
}  // namespace astragal::cli
