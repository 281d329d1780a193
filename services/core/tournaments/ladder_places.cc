// Ladders: the order that challenges have made.
#include <algorithm>

#include "services/core/tournaments/formats.h"

namespace astragal::core {
namespace {

using algorithms::kNobody;
using algorithms::Outcome;

int PlaceOf(const algorithms::Ladder& ladder, int player) {
  const auto found = std::ranges::find(ladder, player);
  return found == ladder.end() ? kNobody : static_cast<int>(found - ladder.begin());
}

bool IsOut(const TournamentPlayer& player) {
  return player.status == EntrantStatus::kWithdrawn || player.status == EntrantStatus::kExpelled;
}

struct Record {
  int wins = 0;
  int challenges = 0;
};

}  // namespace

// Players begin in the order of their numbers: as they are seeded, late ones behind.
algorithms::Ladder LadderOf(const TournamentState& state) {
  algorithms::Ladder ladder;
  for (size_t i = 0; i < state.players.size(); ++i) ladder.push_back(static_cast<int>(i));
  for (const TournamentRound& round : state.rounds) {
    for (const TournamentBoard& board : round.boards) {
      const bool won =
          board.first_outcome == Outcome::kWin || board.first_outcome == Outcome::kForfeitWin;
      const int challenger = PlaceOf(ladder, board.first);
      const int place = PlaceOf(ladder, board.second);
      // Who has climbed past the other one meanwhile has nothing to win.
      if (!won || challenger <= place) continue;
      algorithms::ChallengeWon(ladder, challenger, place, algorithms::LadderMove::kAbove);
    }
  }
  std::erase_if(ladder,
                [&state](int player) { return IsOut(state.players[static_cast<size_t>(player)]); });
  return ladder;
}

std::vector<std::string> LadderColumns() { return {"WON", "PLAYED"}; }

std::vector<Standing> LadderStandings(const TournamentState& state) {
  std::vector<Record> records(state.players.size());
  for (const TournamentRound& round : state.rounds) {
    for (const TournamentBoard& board : round.boards) {
      if (board.IsOpen()) continue;
      for (const auto& [player, outcome] : {std::pair{board.first, board.first_outcome},
                                            std::pair{board.second, board.second_outcome}}) {
        Record& record = records[static_cast<size_t>(player)];
        ++record.challenges;
        record.wins += outcome == Outcome::kWin || outcome == Outcome::kForfeitWin;
      }
    }
  }
  algorithms::Ladder ladder = LadderOf(state);
  // Who has left stands below all others.
  for (size_t i = 0; i < state.players.size(); ++i) {
    if (IsOut(state.players[i])) ladder.push_back(static_cast<int>(i));
  }
  std::vector<Standing> standings;
  for (const int player : ladder) {
    const Record& record = records[static_cast<size_t>(player)];
    Standing& row = standings.emplace_back();
    row.player = player;
    row.rank = static_cast<int>(standings.size());
    row.points = record.wins * 10;
    row.values = {std::to_string(record.wins), std::to_string(record.challenges)};
  }
  return standings;
}

}  // namespace astragal::core
