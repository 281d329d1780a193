// Swiss at tables: who sits where, and what places are worth.
#include <algorithm>

#include "services/algorithms/pairing/tables.h"
#include "services/core/tournaments/formats.h"

namespace astragal::core {
namespace {

using algorithms::Outcome;

constexpr int kLargestTable = 4;
constexpr int kSmallestTable = 3;

// Twice the points of the board's players, by seat; a bye has one.
std::vector<int> PointsOf(const TournamentBoard& board) {
  if (board.IsBye()) {
    return {board.first_outcome == Outcome::kPairingBye ? algorithms::kTableBye2 : 0};
  }
  return algorithms::TablePoints2({board.places.begin(), board.places.end()});
}

// What each player has so far, of boards that are decided.
struct Score {
  int points2 = 0;
  int firsts = 0;
  int seconds = 0;
  int tables = 0;  // that were played
  std::vector<int> met;
};

std::vector<Score> ScoresOf(const TournamentState& state) {
  std::vector<Score> scores(state.players.size());
  for (size_t i = 0; i < scores.size(); ++i) scores[i].points2 = state.players[i].adjustment / 5;
  for (const TournamentRound& round : state.rounds) {
    if (round.stage == RoundStage::kDrafted) continue;
    for (const TournamentBoard& board : round.boards) {
      if (board.IsOpen()) continue;
      const std::vector<int> players = board.Players();
      const std::vector<int> points = PointsOf(board);
      for (size_t seat = 0; seat < players.size() && seat < points.size(); ++seat) {
        Score& score = scores[static_cast<size_t>(players[seat])];
        score.points2 += points[seat];
        if (board.IsBye()) continue;
        ++score.tables;
        score.firsts += board.places[seat] == 1;
        score.seconds += board.places[seat] == 2;
        for (const int other : players) {
          if (other != players[seat]) score.met.push_back(other);
        }
      }
    }
  }
  return scores;
}

void CountSeats(const TournamentRound& round, std::vector<algorithms::TableEntrant>& entrants) {
  for (const TournamentBoard& board : round.boards) {
    const std::vector<int> players = board.Players();
    if (board.IsBye()) {
      entrants[static_cast<size_t>(board.first)].byes +=
          board.first_outcome == Outcome::kPairingBye;
      continue;
    }
    entrants[static_cast<size_t>(board.first)].first_seats += 1;
    for (const int player : players) {
      auto& entrant = entrants[static_cast<size_t>(player)];
      entrant.short_tables += players.size() < kLargestTable;
      for (const int other : players) {
        if (other == player) continue;
        entrant.met.push_back(other);
      }
    }
  }
}

// The same places for those who meet again: the seed follows from tournament and round.
uint64_t SeedOf(const TournamentState& state) {
  uint64_t seed = static_cast<uint64_t>(state.NextRound());
  for (const uint8_t byte : state.id.bytes()) seed = seed * 257 + byte;
  return seed;
}

// Players of the round by their places in `there`, and those whom they have met among them.
std::vector<algorithms::TableEntrant> EntrantsOf(const TournamentState& state,
                                                 const std::vector<int>& there) {
  std::vector<algorithms::TableEntrant> all(state.players.size());
  for (const TournamentRound& round : state.rounds) {
    if (round.stage != RoundStage::kDrafted) CountSeats(round, all);
  }
  const std::vector<Score> scores = ScoresOf(state);
  std::vector<int> place(state.players.size(), algorithms::kNobody);
  for (size_t i = 0; i < there.size(); ++i) {
    place[static_cast<size_t>(there[i])] = static_cast<int>(i);
  }
  std::vector<algorithms::TableEntrant> entrants;
  for (const int player : there) {
    algorithms::TableEntrant entrant = std::move(all[static_cast<size_t>(player)]);
    entrant.points2 = scores[static_cast<size_t>(player)].points2;
    std::vector<int> met;
    for (const int other : entrant.met) {
      const int index = place[static_cast<size_t>(other)];
      if (index != algorithms::kNobody) met.push_back(index);
    }
    entrant.met = std::move(met);
    entrants.push_back(std::move(entrant));
  }
  return entrants;
}

}  // namespace

void DraftTables(const TournamentState& state, TournamentRound& round) {
  const int number = state.NextRound();
  std::vector<int> there;
  std::vector<TournamentBoard> rests;
  for (size_t i = 0; i < state.players.size(); ++i) {
    const TournamentPlayer& player = state.players[i];
    if (player.status != EntrantStatus::kIn) continue;
    const auto asked = player.asked_for.find(number);
    if (asked == player.asked_for.end()) {
      there.push_back(static_cast<int>(i));
      continue;
    }
    TournamentBoard& rest = rests.emplace_back();
    rest.first = static_cast<int>(i);
    rest.first_outcome = asked->second;
  }
  const algorithms::TableRound seated = algorithms::SeatTables(
      EntrantsOf(state, there), kLargestTable, kSmallestTable, SeedOf(state));
  for (const std::vector<int>& table : seated.tables) {
    TournamentBoard& board = round.boards.emplace_back();
    board.first = there[static_cast<size_t>(table[0])];
    board.second = there[static_cast<size_t>(table[1])];
    for (size_t seat = 2; seat < table.size(); ++seat) {
      board.others.push_back(there[static_cast<size_t>(table[seat])]);
    }
  }
  for (const int index : seated.byes) {
    TournamentBoard& bye = round.boards.emplace_back();
    bye.first = there[static_cast<size_t>(index)];
    bye.first_outcome = Outcome::kPairingBye;
  }
  round.boards.insert(round.boards.end(), rests.begin(), rests.end());
}

std::vector<std::string> TableColumns() { return {"PTS", "1ST", "2ND", "OPP"}; }

// Points, first places, second places, mean points of the opponents (times twenty, so that it is a
// whole number of hundredths of twice a point).
std::vector<Standing> TableStandings(const TournamentState& state) {
  const std::vector<Score> scores = ScoresOf(state);
  std::vector<Standing> standings;
  std::vector<std::vector<int64_t>> keys;
  for (size_t i = 0; i < scores.size(); ++i) {
    const Score& score = scores[i];
    int64_t sum2 = 0;
    for (const int other : score.met) sum2 += scores[static_cast<size_t>(other)].points2;
    const auto count = static_cast<int64_t>(score.met.size());
    const int64_t mean = count == 0 ? 0 : (sum2 * 5 + count / 2) / count;  // tenths
    Standing& row = standings.emplace_back();
    row.player = static_cast<int>(i);
    row.points = score.points2 * 5;
    row.values = {TenthsWord(row.points), std::to_string(score.firsts),
                  std::to_string(score.seconds), TenthsWord(static_cast<int>(mean))};
    keys.push_back({score.points2, score.firsts, score.seconds, mean});
  }
  RankBy(keys, standings);
  return standings;
}

// As many as would tell winners of tables apart, and two more.
int UsualTableRounds(int players) {
  int rounds = 2;
  for (int left = players; left > 1; left = (left + kLargestTable - 1) / kLargestTable) ++rounds;
  return players < kSmallestTable ? 0 : rounds;
}

}  // namespace astragal::core
