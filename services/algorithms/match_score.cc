#include "services/algorithms/match_score.h"

#include <algorithm>

namespace astragal::algorithms {
namespace {

bool IsFirst(const PlayedGame& game, size_t player) { return game.places[player] == 1; }

void Add(const PlayedGame& game, std::vector<int64_t>& raw, MatchScore& score) {
  const std::optional<int> winner = WinnerOf(game);
  ++score.games;
  for (size_t player = 0; player < score.players.size(); ++player) {
    raw[player] += game.points[player];
    if (!IsFirst(game, player)) continue;
    winner ? ++score.players[player].wins : ++score.players[player].draws;
  }
}

// The index of the greatest; nullopt when several are.
std::optional<int> Leader(const std::vector<int64_t>& values) {
  const auto best = std::ranges::max_element(values);
  if (std::ranges::count(values, *best) > 1) return std::nullopt;
  return static_cast<int>(best - values.begin());
}

std::vector<int64_t> HalfWins(const std::vector<PlayerScore>& players) {
  std::vector<int64_t> halves;
  for (const PlayerScore& player : players) halves.push_back(2 * player.wins + player.draws);
  return halves;
}

// What the match is decided by, and how much of it ends the match at once.
struct Standing {
  std::vector<int64_t> values;
  std::optional<int64_t> enough;
  bool all_played = false;
};

Standing StandingOf(const MatchRules& rules, const std::vector<int64_t>& raw,
                    const MatchScore& score) {
  switch (rules.goal) {
    case MatchGoal::kPoints:
      return {raw, rules.length, false};
    case MatchGoal::kBestOf:
      return {HalfWins(score.players), rules.length + 1, score.games >= rules.length};
    case MatchGoal::kGames:
      break;
  }
  return {raw, std::nullopt, score.games >= rules.length};
}

void Judge(const MatchRules& rules, const std::vector<int64_t>& raw, MatchScore& score) {
  const Standing standing = StandingOf(rules, raw, score);
  const bool reached = standing.enough && std::ranges::any_of(standing.values, [&](int64_t value) {
                         return value >= *standing.enough;
                       });
  if (!reached && !standing.all_played) return;
  score.over = true;
  score.winner = Leader(standing.values);
}

}  // namespace

std::optional<int> WinnerOf(const PlayedGame& game) {
  if (std::ranges::count(game.places, 1) != 1) return std::nullopt;
  return static_cast<int>(std::ranges::find(game.places, 1) - game.places.begin());
}

MatchScore ScoreOf(const MatchRules& rules, absl::Span<const PlayedGame> games) {
  MatchScore score;
  score.players.resize(static_cast<size_t>(rules.players));
  std::vector<int64_t> raw(score.players.size(), 0);
  for (const PlayedGame& game : games) {
    if (score.over) break;
    if (!game.counts) continue;
    Add(game, raw, score);
    Judge(rules, raw, score);
    const std::optional<int> winner = WinnerOf(game);
    if (score.over || !rules.timeout_loses || !game.on_time || !winner) continue;
    score.over = true;
    score.ended_on_time = true;
    score.winner = winner;
  }
  if (!score.over && games.size() >= kMaxMatchGames) {
    score.over = true;
    score.winner = Leader(StandingOf(rules, raw, score).values);
  }
  for (size_t player = 0; player < raw.size(); ++player) {
    const bool capped = rules.goal == MatchGoal::kPoints && raw[player] > rules.length;
    score.players[player].points = capped ? rules.length : raw[player];
  }
  return score;
}

bool NeedsBeginner(MatchStarter starter, const PlayedGame& last) {
  if (starter == MatchStarter::kAlternate) return true;
  return starter != MatchStarter::kRules && !WinnerOf(last);
}

std::optional<int> StarterAfter(const MatchRules& rules, const PlayedGame& last,
                                std::optional<int> began) {
  if (rules.starter == MatchStarter::kRules) return std::nullopt;
  if (rules.starter == MatchStarter::kAlternate) {
    return began ? std::optional((*began + 1) % rules.players) : std::nullopt;
  }
  const std::optional<int> winner = WinnerOf(last);
  if (!winner) return began;
  if (rules.starter == MatchStarter::kWinner) return winner;
  return static_cast<int>(std::ranges::max_element(last.places) - last.places.begin());
}

}  // namespace astragal::algorithms
