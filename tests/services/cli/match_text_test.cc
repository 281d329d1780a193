// How matches are typed and shown.
#include "services/cli/match_text.h"

#include <gtest/gtest.h>

#include "services/cli/match_options.h"

namespace astragal::cli {
namespace {

v1::Match Match(v1::MatchKind kind, int length) {
  v1::Match match;
  match.mutable_terms()->set_kind(kind);
  match.mutable_terms()->set_length(length);
  match.set_status(v1::MATCH_STATUS_RUNNING);
  match.add_players()->set_player_name("alice");
  match.add_players()->set_player_name("bob");
  return match;
}

TEST(MatchOptionsTest, AreReadOrRefused) {
  v1::MatchTerms match;
  ASSERT_TRUE(ReadMatch({"best:5", "loser", true, false}, match).ok());
  EXPECT_EQ(match.kind(), v1::MATCH_KIND_BEST_OF);
  EXPECT_EQ(match.length(), 5);
  EXPECT_EQ(match.first_mover(), v1::MATCH_FIRST_MOVER_LOSER);
  EXPECT_TRUE(match.match_clock());
  EXPECT_FALSE(match.timeout_loses());
  for (const char* typed : {"points:1", "games:999"}) {
    v1::MatchTerms plain;
    ASSERT_TRUE(ReadMatch({typed, "", false, false}, plain).ok()) << typed;
    EXPECT_EQ(plain.first_mover(), v1::MATCH_FIRST_MOVER_UNSPECIFIED) << typed;
  }
  for (const char* typed :
       {"", "points", "points:", "points:0", "points:-1", "points:1000", "sets:3", "7", ":7"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ReadMatch({typed, "", false, false}, match))) << typed;
  }
}

TEST(MatchTextTest, Terms) {
  v1::MatchTerms terms = Match(v1::MATCH_KIND_POINTS, 7).terms();
  EXPECT_EQ(MatchTermsText(terms), "to 7 points");
  terms.set_first_mover(v1::MATCH_FIRST_MOVER_WINNER);
  terms.set_match_clock(true);
  terms.set_timeout_loses(true);
  EXPECT_EQ(MatchTermsText(terms),
            "to 7 points, winner begins, match clock, timeout loses the match");
  EXPECT_EQ(MatchTermsText(Match(v1::MATCH_KIND_BEST_OF, 3).terms()), "best of 3");
  EXPECT_EQ(MatchTermsText(Match(v1::MATCH_KIND_GAMES, 1).terms()), "1 game");
}

TEST(MatchTextTest, ScoreAndStatus) {
  v1::Match match = Match(v1::MATCH_KIND_POINTS, 7);
  match.mutable_players(0)->set_points(3);
  match.mutable_players(0)->set_wins(2);
  match.mutable_players(0)->set_draws(1);
  match.mutable_players(1)->set_draws(1);
  EXPECT_EQ(MatchScoreText(match), "alice 3 : 0 bob");
  match.mutable_terms()->set_kind(v1::MATCH_KIND_BEST_OF);
  EXPECT_EQ(MatchScoreText(match), "alice 2.5 : 0.5 bob");
  EXPECT_EQ(MatchStatusText(match), "running");
  match.set_status(v1::MATCH_STATUS_WAITING);
  EXPECT_EQ(MatchStatusText(match), "waits for a new game");
  match.set_status(v1::MATCH_STATUS_OVER);
  EXPECT_EQ(MatchStatusText(match), "over: drawn");
  match.set_winner(1);
  match.set_ended_on_time(true);
  EXPECT_EQ(MatchStatusText(match), "over: bob has won on time");
  match.set_winner(9);  // of a newer server
  EXPECT_EQ(MatchStatusText(match), "over: somebody has won on time");
  match.add_players()->set_player_id("42");
  EXPECT_EQ(MatchScoreText(match), "alice 2.5, bob 0.5, 42 0");
}

TEST(MatchTextTest, Games) {
  const v1::Match match = Match(v1::MATCH_KIND_POINTS, 7);
  v1::MatchGame game;
  game.set_number(2);
  game.set_game_id("GAME");
  game.set_status(v1::GAME_STATUS_RUNNING);
  EXPECT_EQ(MatchGameText(match, game), "game 2  GAME  running");
  game.set_status(v1::GAME_STATUS_FINISHED);
  game.add_points(0);
  game.add_points(2);
  EXPECT_EQ(MatchGameText(match, game), "game 2  GAME  finished, bob 2 points");
  game.set_points(1, 0);
  EXPECT_EQ(MatchGameText(match, game), "game 2  GAME  finished, no points");
}

}  // namespace
}  // namespace astragal::cli
