// Arenas: waves among those who wait, and points.
#include <algorithm>
#include <numeric>

#include "services/algorithms/pairing/arena.h"
#include "services/core/tournaments/formats.h"

namespace astragal::core {
namespace {

using algorithms::kNobody;
using algorithms::Outcome;

constexpr int kUnrated = 1'500;
constexpr int64_t kLeastGraceMs = 60'000;

struct Career {
  std::vector<Outcome> outcomes;
  std::vector<int> opponents;  // of matches that were played or forfeited
  int last_opponent = kNobody;
  int last_wave = 0;
};

bool Counts(Outcome outcome) {
  return outcome >= Outcome::kWin && outcome <= Outcome::kForfeitLoss;
}

std::vector<Career> CareersOf(const TournamentState& state) {
  std::vector<Career> careers(state.players.size());
  const auto enter = [&](int player, int opponent, Outcome outcome, size_t wave) {
    Career& career = careers[static_cast<size_t>(player)];
    career.last_opponent = opponent;
    career.last_wave = static_cast<int>(wave) + 1;
    if (!Counts(outcome)) return;
    career.outcomes.push_back(outcome);
    career.opponents.push_back(opponent);
  };
  for (size_t wave = 0; wave < state.rounds.size(); ++wave) {
    if (state.rounds[wave].stage == RoundStage::kDrafted) continue;
    for (const TournamentBoard& board : state.rounds[wave].boards) {
      if (board.IsBye()) continue;
      enter(board.first, board.second, board.first_outcome, wave);
      enter(board.second, board.first, board.second_outcome, wave);
    }
  }
  return careers;
}

algorithms::ArenaScoring ScoringOf(const TournamentState& state) {
  switch (state.terms.scoring) {
    case Scoring::kRace:
      return algorithms::ArenaScoring::kRace;
    case Scoring::kStreaks:
      return algorithms::ArenaScoring::kStreaks;
    case Scoring::kPlain:
      break;
  }
  return algorithms::ArenaScoring::kPlain;
}

bool Won(Outcome outcome) { return outcome == Outcome::kWin || outcome == Outcome::kForfeitWin; }

}  // namespace

void DraftWave(const TournamentState& state, TournamentRound& round) {
  const std::vector<bool> playing = Playing(state);
  const std::vector<Career> careers = CareersOf(state);
  std::vector<int> rank(state.players.size());
  for (const Standing& row : ArenaStandings(state)) {
    rank[static_cast<size_t>(row.player)] = row.rank;
  }
  const auto waves = static_cast<int>(state.rounds.size());
  std::vector<algorithms::ArenaWaiting> waiting;
  int active = 0;
  for (size_t i = 0; i < state.players.size(); ++i) {
    if (state.players[i].status != EntrantStatus::kIn) continue;
    ++active;
    if (playing[i]) continue;
    waiting.push_back({static_cast<int>(i), rank[i], careers[i].last_opponent,
                       std::max(0, waves - careers[i].last_wave)});
  }
  for (const algorithms::Pairing& pair : algorithms::PairWave(waiting, active)) {
    if (pair.second == kNobody) continue;
    TournamentBoard& board = round.boards.emplace_back();
    board.first = pair.first;
    board.second = pair.second;
  }
}

std::vector<std::string> ArenaColumns() { return {"PTS", "PERF", "WON", "MATCHES"}; }

std::vector<Standing> ArenaStandings(const TournamentState& state) {
  const std::vector<Career> careers = CareersOf(state);
  std::vector<Standing> standings;
  std::vector<std::vector<int64_t>> keys;
  for (size_t i = 0; i < careers.size(); ++i) {
    const Career& career = careers[i];
    const std::vector<int> points = algorithms::ArenaPoints(ScoringOf(state), career.outcomes);
    const auto wins = static_cast<int>(std::ranges::count_if(career.outcomes, Won));
    const auto draws = static_cast<int>(std::ranges::count(career.outcomes, Outcome::kDraw));
    const auto matches = static_cast<int>(career.outcomes.size());
    std::vector<int> ratings;
    for (const int opponent : career.opponents) {
      const int rating = state.players[static_cast<size_t>(opponent)].rating;
      ratings.push_back(rating == 0 ? kUnrated : rating);
    }
    const int performance = algorithms::ArenaPerformance(ratings, wins, matches - wins - draws);
    Standing& row = standings.emplace_back();
    row.player = static_cast<int>(i);
    row.points =
        std::accumulate(points.begin(), points.end(), 0) * 10 + state.players[i].adjustment;
    row.values = {TenthsWord(row.points), std::to_string(performance), std::to_string(wins),
                  std::to_string(matches)};
    keys.push_back({row.points, performance});
  }
  RankBy(keys, standings);
  return standings;
}

// Players times the time that has passed is what all matches of two took together.
int64_t GraceMs(const TournamentState& state) {
  int64_t decided = 0;
  for (const TournamentRound& round : state.rounds) {
    decided += static_cast<int64_t>(round.boards.size() - round.Open());
  }
  const auto players = static_cast<int64_t>(state.players.size());
  const int64_t mean = decided == 0 ? 0 : state.terms.duration_ms * players / (2 * decided);
  return std::max(kLeastGraceMs, std::min(mean, state.terms.duration_ms));
}

}  // namespace astragal::core
