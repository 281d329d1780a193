// Ratings in the terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "tests/services/cli/cli_test.h"

namespace astragal::cli {
namespace {

using testing::HasSubstr;

TEST_F(CliTest, RatingsAreShownDrawnPredictedCheckedAndCorrected) {
  MakePlayers();
  const std::string key = data_->path() + "/data/operator.key";
  // One action of whoever is to move: the first turn can always begin from the head, with one of
  // the numbers thrown.
  const auto play_once = [](const std::string& game) {
    const json position = json::parse(RunAs("", {"position", game, "--json"}).text);
    const std::string mover = position["position"]["actor"] == 0 ? "alice" : "bob";
    return std::ranges::any_of(std::array{"23", "22", "21", "20", "19", "18"}, [&](auto to) {
      return RunAs(mover, {"play", game}, std::string("24/") + to + "\n").code == 0;
    });
  };
  std::string first;
  for (int i = 0; i < 3; ++i) {
    const Ran made = RunAs("alice", {"new", "long_narde", "--rated", "--json"});
    ASSERT_EQ(made.code, 0) << made.text;
    const std::string game = json::parse(made.text)["game_id"];
    if (first.empty()) first = game;
    ASSERT_EQ(RunAs("bob", {"join", game}).code, 0);
    // Rated is what was begun; who plays on could lose to the dice.
    ASSERT_TRUE(play_once(game));
    const Ran resigned = RunAs("bob", {"resign", game});
    ASSERT_EQ(resigned.code, 0) << resigned.text;
  }
  json rating;
  for (int i = 0; i < 100; ++i) {
    const json all = json::parse(RunAs("", {"ratings", "show", "alice", "--json"}).text);
    if (!all["ratings"].empty()) rating = all["ratings"][0];
    if (!rating.is_null() && rating["matches"] == 3) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  ASSERT_EQ(rating["matches"], 3);
  EXPECT_EQ(rating["wins"], 3);
  const std::string pool = rating["pool_id"];
  EXPECT_GT(rating["rating"].get<double>(), 1500);
  EXPECT_THAT(RunAs("", {"ratings", "show", "alice"}).text,
              testing::ContainsRegex(pool + " +1[0-9]+\\? \\+-[0-9]+ +provisional +3 +3"));
  EXPECT_THAT(RunAs("", {"ratings", "list"}).text, HasSubstr(pool));
  EXPECT_THAT(RunAs("", {"ratings", "list", pool}).text, HasSubstr("Nobody is ranked"));
  EXPECT_THAT(RunAs("", {"ratings", "head-to-head", "bob", "alice"}).text,
              testing::ContainsRegex(pool + " +3 +0 +0 +3"));
  const Ran predicted = RunAs("", {"ratings", "predict", pool, "alice", "bob", "--length", "3"});
  EXPECT_THAT(predicted.text, testing::ContainsRegex("alice +1[0-9]+.* [5-9][0-9]\\.[0-9] % +\\+"));

  const std::string chart = data_->path() + "/history.svg";
  const Ran history = RunAs("", {"ratings", "history", "alice", pool, "--svg", chart});
  EXPECT_EQ(history.code, 0) << history.text;
  EXPECT_THAT(history.text, HasSubstr(first));
  EXPECT_THAT(history.text, HasSubstr("1 of 2"));
  std::ifstream file(chart);
  const std::string svg((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THAT(svg, HasSubstr("alice, " + pool));

  const Ran sound = RunAs("", {"ratings", "check", "--operator-key", key});
  EXPECT_EQ(sound.code, 0) << sound.text;
  EXPECT_THAT(sound.text, HasSubstr("3 matches replayed; 0 steps and 0 ratings differ"));
  const Ran annulled = RunAs("", {"ratings", "recompute", pool, "--match", first, "--annul",
                                  "--reason", "a test", "--operator-key", key});
  EXPECT_EQ(annulled.code, 0) << annulled.text;
  EXPECT_THAT(annulled.text, HasSubstr("revision 2"));
  EXPECT_EQ(RunAs("", {"ratings", "check", pool, "--operator-key", key}).code, 0);
  EXPECT_THAT(RunAs("", {"ratings", "show", "alice"}).text,
              testing::ContainsRegex("provisional +2 +2"));
  const Ran lately = RunAs("", {"ratings", "recompute", pool, "--player", "bob", "--reason",
                                "another test", "--operator-key", key});
  EXPECT_EQ(lately.code, 0) << lately.text;
  EXPECT_THAT(lately.text, HasSubstr("revision 3"));
  EXPECT_NE(
      RunAs("", {"ratings", "recompute", pool, "--player", "bob", "--operator-key", key}).code, 0)
      << "without a reason";
  const Ran household = RunAs("", {"ratings", "household", "alice", "bob", "--operator-key", key});
  EXPECT_EQ(household.code, 0) << household.text;
  EXPECT_THAT(household.text, HasSubstr("These 2 live together"));
  const Ran begins = RunAs("carol", {"ratings", "estimate", pool, "strong"});
  EXPECT_EQ(begins.code, 0) << begins.text;
  EXPECT_THAT(begins.text, HasSubstr("carol begins at 1650? +-"));
  EXPECT_THAT(RunAs("", {"ratings", "show", "carol", "--pool", pool}).text, HasSubstr("1650?"));
  EXPECT_NE(RunAs("carol", {"ratings", "estimate", pool, "beginner"}).code, 0) << "once";
  EXPECT_NE(RunAs("", {"ratings", "examine", "bob", pool, "--operator-key", key}).code, 0)
      << "of two seats";
  EXPECT_EQ(RunAs("", {"ratings", "snapshots", pool}).code, 0);
  EXPECT_NE(RunAs("", {"ratings", "list", pool, "--on", "2001-01-01"}).code, 0);
  const Ran stranger = RunAs("alice", {"ratings", "check", pool, "--operator-key", chart});
  EXPECT_NE(stranger.code, 0);
}

}  // namespace
}  // namespace astragal::cli
