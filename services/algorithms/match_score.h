// The score of a match: a fold over its games, so that it is never stored and never wrong.
//
// Players are counted as in the match (0, 1, ...), whatever seats they had in a game. Games that
// were called off do not count. Points over the length of a match to points do not count either. In
// a best-of a drawn game is half a win for each who shares the first place. Pure functions; any
// thread may call them.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_MATCH_SCORE_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_MATCH_SCORE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"

namespace astragal::algorithms {

// Games of one match, those that were called off included: the match is over then as it stands.
inline constexpr size_t kMaxMatchGames = 2'000;

enum class MatchGoal : uint8_t {
  kPoints = 1,  // to `length` points
  kBestOf = 2,  // until one has won more than half of `length` games, or all are played
  kGames = 3,   // `length` games; the most points win
};

// Who begins a game of a match.
enum class MatchStarter : uint8_t {
  kRules = 1,      // as the rules say, in each game anew
  kWinner = 2,     // of the game before
  kLoser = 3,      // of the game before
  kAlternate = 4,  // the players take turns
};

struct MatchRules {
  MatchGoal goal = MatchGoal::kPoints;
  int length = 1;
  MatchStarter starter = MatchStarter::kRules;
  bool timeout_loses = false;  // whoever loses a game on time loses the match with it
  int players = 2;
};

// A game of the match that is over.
struct PlayedGame {
  bool counts = true;  // false: it was called off
  bool on_time = false;
  std::vector<int> places;      // of each player; 1 is best, equal for a draw
  std::vector<int64_t> points;  // of each player
};

struct PlayerScore {
  int64_t points = 0;  // in a match to points at most its length
  int wins = 0;
  int draws = 0;

  friend bool operator==(const PlayerScore&, const PlayerScore&) = default;
};

struct MatchScore {
  std::vector<PlayerScore> players;
  int games = 0;  // that count
  bool over = false;
  std::optional<int> winner;  // of the match; unset while it goes on, and for a draw
  bool ended_on_time = false;
};

// `games` in order. Games after the one that decided the match change nothing.
MatchScore ScoreOf(const MatchRules& rules, absl::Span<const PlayedGame> games);

// The one player on the first place; nullopt: they share it.
std::optional<int> WinnerOf(const PlayedGame& game);
// Who begins the game after `last`, the last one that counts; nullopt: whoever the rules say.
// `began` is who began that game, as far as it is known: asked only if NeedsBeginner says so. After
// a draw whoever began begins again.
bool NeedsBeginner(MatchStarter starter, const PlayedGame& last);
std::optional<int> StarterAfter(const MatchRules& rules, const PlayedGame& last,
                                std::optional<int> began);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_MATCH_SCORE_H_
