// Scores of matches and who begins the next game, as tables.
#include "services/algorithms/match_score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace astragal::algorithms {
namespace {

using testing::ElementsAreArray;

// A game of two as a word: "a1" the first player wins 1 point, "b2" the second one 2 (a mars),
// "d" a draw, "x" called off, "a2t" won on time.
PlayedGame Game(const std::string& word) {
  PlayedGame game{true, word.back() == 't', {1, 1}, {0, 0}};
  if (word == "x") return {false, false, {0, 0}, {0, 0}};
  if (word == "d") return game;
  const size_t winner = word[0] == 'a' ? 0 : 1;
  game.points[winner] = word[1] - '0';
  game.places[1 - winner] = 2;
  return game;
}

std::vector<PlayedGame> Games(const std::string& words) {
  std::vector<PlayedGame> games;
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(' ', at), words.size());
    games.push_back(Game(words.substr(at, end - at)));
    at = end + 1;
  }
  return games;
}

constexpr int kGoesOn = -1;
constexpr int kDrawn = -2;

struct ScoreCase {
  const char* name;
  MatchGoal goal;
  int length;
  bool timeout_loses;
  const char* games;
  std::vector<int64_t> points;
  int winner;  // or kGoesOn, kDrawn
  bool on_time = false;
  int counted = -1;  // games; -1: all of them
};

TEST(MatchScoreTest, IsTheFoldOverTheGames) {
  const ScoreCase cases[] = {
      {"nothing yet", MatchGoal::kPoints, 3, false, "", {0, 0}, kGoesOn},
      {"on the way", MatchGoal::kPoints, 3, false, "a1 b1 a1", {2, 1}, kGoesOn},
      {"to three points", MatchGoal::kPoints, 3, false, "a1 b1 a1 a1", {3, 1}, 0},
      {"a mars takes it", MatchGoal::kPoints, 3, false, "b1 b2", {0, 3}, 1},
      {"points over the length do not count", MatchGoal::kPoints, 3, false, "a2 a2", {3, 0}, 0},
      {"a koks at one away", MatchGoal::kPoints, 5, false, "a2 a2 a3", {5, 0}, 0},
      {"one point", MatchGoal::kPoints, 1, false, "b2", {0, 1}, 1},
      {"draws bring nothing", MatchGoal::kPoints, 2, false, "d d d", {0, 0}, kGoesOn},
      {"called off", MatchGoal::kPoints, 2, false, "a1 x x", {1, 0}, kGoesOn, false, 1},
      {"later games change nothing", MatchGoal::kPoints, 2, false, "a2 b2", {2, 0}, 0, false, 1},
      {"best of three in two", MatchGoal::kBestOf, 3, false, "a1 a2", {3, 0}, 0},
      {"best of three in three", MatchGoal::kBestOf, 3, false, "a1 b1 b1", {1, 2}, 1},
      {"best of three goes on", MatchGoal::kBestOf, 3, false, "a1 b1", {1, 1}, kGoesOn},
      {"points do not matter there", MatchGoal::kBestOf, 3, false, "a2 b1 b1", {2, 2}, 1},
      {"a draw is half a win", MatchGoal::kBestOf, 3, false, "a1 d", {1, 0}, kGoesOn},
      {"one and two halves", MatchGoal::kBestOf, 3, false, "a1 d d", {1, 0}, 0},
      {"all even", MatchGoal::kBestOf, 3, false, "a1 d b1", {1, 1}, kDrawn},
      {"best of two", MatchGoal::kBestOf, 2, false, "a1 b1", {1, 1}, kDrawn},
      {"best of four is three", MatchGoal::kBestOf, 4, false, "a1 a1 a1", {3, 0}, 0},
      {"best of four is not two", MatchGoal::kBestOf, 4, false, "a1 a1", {2, 0}, kGoesOn},
      {"all games are played", MatchGoal::kGames, 3, false, "a1 a1", {2, 0}, kGoesOn},
      {"most points", MatchGoal::kGames, 3, false, "a1 b2 a2", {3, 2}, 0},
      {"equal points", MatchGoal::kGames, 3, false, "a1 b2 a1", {2, 2}, kDrawn},
      {"a called off game is played again",
       MatchGoal::kGames,
       2,
       false,
       "a1 x b2",
       {1, 2},
       1,
       false,
       2},
      {"on time, the game only", MatchGoal::kPoints, 5, false, "a2t", {2, 0}, kGoesOn},
      {"on time, the match", MatchGoal::kPoints, 5, true, "b2 b2 a2t", {2, 4}, 0, true},
      {"on time, and the score too", MatchGoal::kPoints, 2, true, "a2t", {2, 0}, 0},
      {"on time in a fixed number", MatchGoal::kGames, 4, true, "b2 a1t", {1, 2}, 0, true},
  };
  for (const ScoreCase& c : cases) {
    const std::vector<PlayedGame> games = Games(c.games);
    const MatchScore score =
        ScoreOf({c.goal, c.length, MatchStarter::kRules, c.timeout_loses, 2}, games);
    std::vector<int64_t> points;
    for (const PlayerScore& player : score.players) points.push_back(player.points);
    EXPECT_THAT(points, ElementsAreArray(c.points)) << c.name;
    EXPECT_EQ(score.over, c.winner != kGoesOn) << c.name;
    EXPECT_EQ(score.winner, c.winner >= 0 ? std::optional(c.winner) : std::nullopt) << c.name;
    EXPECT_EQ(score.ended_on_time, c.on_time) << c.name;
    EXPECT_EQ(score.games, c.counted < 0 ? static_cast<int>(games.size()) : c.counted) << c.name;
  }
}

TEST(MatchScoreTest, CountsWinsAndDraws) {
  const MatchScore score =
      ScoreOf({MatchGoal::kGames, 5, MatchStarter::kRules, false, 2}, Games("a1 d b2 x b1"));
  EXPECT_EQ(score.players[0], (PlayerScore{1, 1, 1}));
  EXPECT_EQ(score.players[1], (PlayerScore{3, 2, 1}));
}

TEST(MatchScoreTest, MorePlayersThanTwo) {
  const MatchRules rules{MatchGoal::kPoints, 4, MatchStarter::kLoser, false, 3};
  const PlayedGame game{true, false, {2, 1, 3}, {1, 3, 0}};
  const MatchScore once = ScoreOf(rules, {game});
  EXPECT_FALSE(once.over);
  const MatchScore twice = ScoreOf(rules, {game, game});
  EXPECT_TRUE(twice.over);
  EXPECT_EQ(twice.winner, 1);
  EXPECT_EQ(twice.players[0], (PlayerScore{2, 0, 0}));
  EXPECT_EQ(twice.players[1], (PlayerScore{4, 2, 0}));
  EXPECT_EQ(StarterAfter(rules, game, std::nullopt), 2) << "the last one";
}

TEST(MatchScoreTest, AMatchWithoutEndEnds) {
  const MatchRules rules{MatchGoal::kPoints, 3, MatchStarter::kRules, false, 2};
  std::vector<PlayedGame> games(kMaxMatchGames - 1, Game("d"));
  games[5] = Game("b1");
  EXPECT_FALSE(ScoreOf(rules, games).over);
  games.push_back(Game("x"));
  const MatchScore score = ScoreOf(rules, games);
  EXPECT_TRUE(score.over);
  EXPECT_EQ(score.winner, 1);
}

struct StarterCase {
  const char* name;
  MatchStarter starter;
  const char* last;
  std::optional<int> began;
  bool asks;  // who began
  std::optional<int> next;
};

TEST(MatchStarterTest, FollowsFromTheLastGame) {
  const StarterCase cases[] = {
      {"rules", MatchStarter::kRules, "a1", {}, false, {}},
      {"rules after a draw", MatchStarter::kRules, "d", {}, false, {}},
      {"winner", MatchStarter::kWinner, "a1", {}, false, 0},
      {"winner of a mars", MatchStarter::kWinner, "b2", {}, false, 1},
      {"winner after a draw: who began", MatchStarter::kWinner, "d", 1, true, 1},
      {"winner after a draw, unknown", MatchStarter::kWinner, "d", {}, true, {}},
      {"loser", MatchStarter::kLoser, "a1", {}, false, 1},
      {"loser on time", MatchStarter::kLoser, "b2t", {}, false, 0},
      {"loser after a draw: who began", MatchStarter::kLoser, "d", 0, true, 0},
      {"alternate", MatchStarter::kAlternate, "a1", 0, true, 1},
      {"alternate back", MatchStarter::kAlternate, "a1", 1, true, 0},
      {"alternate after a draw", MatchStarter::kAlternate, "d", 1, true, 0},
      {"alternate, unknown", MatchStarter::kAlternate, "a1", {}, true, {}},
  };
  for (const StarterCase& c : cases) {
    const MatchRules rules{MatchGoal::kPoints, 5, c.starter, false, 2};
    const PlayedGame last = Game(c.last);
    EXPECT_EQ(NeedsBeginner(c.starter, last), c.asks) << c.name;
    EXPECT_EQ(StarterAfter(rules, last, c.began), c.next) << c.name;
  }
}

}  // namespace
}  // namespace astragal::algorithms
