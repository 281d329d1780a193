// Matches of several games as ratings see them.
#include "services/core/rated_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace astragal::core {
namespace {

using storage::Ending;
using storage::GameStatus;
using storage::MatchKind;
using testing::ElementsAre;

base::PlayerId Number(uint8_t number) {
  base::IdBytes bytes{};
  bytes[15] = number;
  return base::PlayerId(bytes);
}

struct Played {
  std::vector<int32_t> places;  // by player
  std::vector<int64_t> points;
  Ending ending = Ending::kPlayed;
};

// The players change seats from game to game; games end a second after each other.
MatchState MatchOf(MatchKind kind, uint16_t length, const std::vector<Played>& games,
                   bool timeout_loses = false) {
  storage::StoredMatch match;
  match.record.kind = kind;
  match.record.length = length;
  match.record.timeout_loses = timeout_loses;
  const size_t players = games[0].places.size();
  for (uint8_t i = 0; i < players; ++i) match.record.players.push_back(Number(i));
  std::vector<storage::MatchGame> played;
  for (size_t i = 0; i < games.size(); ++i) {
    storage::MatchGame game;
    game.number = static_cast<uint16_t>(i + 1);
    game.game.id = base::GameId(Number(static_cast<uint8_t>(100 + i)).bytes());
    game.game.ending = games[i].ending;
    game.game.status =
        storage::HasResult(games[i].ending) ? GameStatus::kFinished : GameStatus::kAborted;
    game.game.updated_at = {static_cast<int64_t>(i + 1) * 1'000'000};
    for (size_t seat = 0; seat < players; ++seat) {
      const size_t player = (seat + i) % players;
      game.game.seats.push_back({static_cast<int8_t>(seat), Number(static_cast<uint8_t>(player)),
                                 games[i].places[player], games[i].points[player]});
    }
    played.push_back(std::move(game));
  }
  return MatchFrom(std::move(match), std::move(played));
}

TEST(RatedMatchTest, HasTheScoresPlacesAndLength) {
  const Played first = {{1, 2}, {2, 0}};
  const Played second = {{2, 1}, {0, 1}};
  const Played drawn = {{1, 1}, {0, 0}};
  const Played called_off = {{0, 0}, {0, 0}, Ending::kAbortAgreed};
  const Played on_time = {{1, 2}, {1, 0}, Ending::kTimedOut};
  const struct {
    const char* name;
    MatchState match;
    bool over;
    std::vector<int32_t> places;
    int length;
    size_t played;
  } cases[] = {
      {"to 3, going on", MatchOf(MatchKind::kPoints, 3, {first, second}), false, {}, 3, 0},
      {"to 3, won by the first",
       MatchOf(MatchKind::kPoints, 3, {first, first}),
       true,
       {1, 2},
       3,
       2},
      {"to 1, won by the second", MatchOf(MatchKind::kPoints, 1, {second}), true, {2, 1}, 1, 1},
      {"a game called off",
       MatchOf(MatchKind::kPoints, 3, {first, called_off, first}),
       true,
       {1, 2},
       3,
       2},
      {"lost on time", MatchOf(MatchKind::kPoints, 9, {second, on_time}, true), true, {1, 2}, 9, 2},
      {"best of 3", MatchOf(MatchKind::kBestOf, 3, {second, first, second}), true, {2, 1}, 2, 3},
      {"best of 2, drawn", MatchOf(MatchKind::kBestOf, 2, {first, second}), true, {1, 1}, 2, 2},
      {"best of 3 with a draw",
       MatchOf(MatchKind::kBestOf, 3, {drawn, first, drawn}),
       true,
       {1, 2},
       2,
       3},
      {"four games",
       MatchOf(MatchKind::kGames, 4, {second, second, first, drawn}),
       true,
       {1, 1},
       3,
       4},
      {"two games of three",
       MatchOf(MatchKind::kGames, 2, {{{1, 2, 3}, {5, 1, 0}}, {{3, 2, 1}, {0, 1, 3}}}),
       true,
       {1, 3, 2},
       2,
       2},
      {"to 5 of three",
       MatchOf(MatchKind::kPoints, 5, {{{2, 1, 3}, {3, 5, 0}}}),
       true,
       {2, 1, 2},
       5,
       1},
  };
  for (const auto& c : cases) {
    const MatchForRating rated = RatedMatchOf(c.match);
    EXPECT_EQ(rated.over, c.over) << c.name;
    EXPECT_EQ(rated.places, c.places) << c.name;
    EXPECT_EQ(rated.length, c.length) << c.name;
    EXPECT_EQ(rated.played.size(), c.played) << c.name;
    if (!c.over) continue;
    EXPECT_EQ(rated.finished_at, c.match.games.back().game.updated_at) << c.name;
    EXPECT_EQ(rated.players, c.match.match.record.players) << c.name;
  }
}

}  // namespace
}  // namespace astragal::core
