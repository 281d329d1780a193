#include "services/algorithms/pairing/crosstable.h"

#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "services/base/status.h"

namespace astragal::algorithms {
namespace {

bool NeedsOpponent(Outcome outcome) {
  return outcome == Outcome::kWin || outcome == Outcome::kDraw || outcome == Outcome::kLoss;
}

bool ForbidsOpponent(Outcome outcome) {
  return outcome == Outcome::kHalfBye || outcome == Outcome::kFullBye ||
         outcome == Outcome::kZeroBye || outcome == Outcome::kPairingBye;
}

absl::Status Finding(const Entrant& player, int round, std::string_view what) {
  return base::Error(base::Reason::kBadField, absl::StrCat("Player ", player.number, ", round ",
                                                           round + 1, ": ", std::string(what)))
      .With("player", player.number)
      .With("round", round + 1);
}

absl::Status CheckEntry(const Crosstable& table, int index, int round) {
  const Entrant& player = table.players[index];
  const RoundEntry& entry = player.rounds[round];
  const int count = static_cast<int>(table.players.size());
  if (entry.opponent == kNobody) {
    if (NeedsOpponent(entry.outcome)) return Finding(player, round, "a result without an opponent");
    return absl::OkStatus();
  }
  if (ForbidsOpponent(entry.outcome)) return Finding(player, round, "a bye with an opponent");
  if (entry.opponent < 0 || entry.opponent >= count) {
    return Finding(player, round, "the opponent is not in the table");
  }
  if (entry.opponent == index) return Finding(player, round, "plays against themselves");
  const RoundEntry other = EntryOf(table.players[entry.opponent], round);
  if (other.opponent != index) return Finding(player, round, "the opponent names somebody else");
  if (entry.Played() != other.Played()) {
    return Finding(player, round, "played for one and not for the other");
  }
  if (entry.Played() && entry.side != OtherSide(other.side)) {
    return Finding(player, round, "both have the same side");
  }
  return absl::OkStatus();
}

}  // namespace

Tenths PointsOf(const PointSystem& points, Outcome outcome) {
  switch (outcome) {
    case Outcome::kWin:
    case Outcome::kForfeitWin:
    case Outcome::kFullBye:
      return points.win;
    case Outcome::kDraw:
    case Outcome::kHalfBye:
      return points.draw;
    case Outcome::kLoss:
      return points.loss;
    case Outcome::kForfeitLoss:
      return points.forfeit_loss;
    case Outcome::kPairingBye:
      return points.pairing_bye;
    case Outcome::kNothing:
    case Outcome::kZeroBye:
      return points.zero_bye;
  }
  return 0;
}

RoundEntry EntryOf(const Entrant& player, int round) {
  if (round < 0 || round >= static_cast<int>(player.rounds.size())) return {};
  return player.rounds[round];
}

Tenths ScoreBefore(const Crosstable& table, int player, int round) {
  Tenths score = 0;
  for (int i = 0; i < round; ++i) {
    score += PointsOf(table.points, EntryOf(table.players[player], i).outcome);
  }
  return score;
}

Tenths LentIn(const Entrant& player, int round) {
  return round < static_cast<int>(player.lent.size()) ? player.lent[round] : 0;
}

bool AbsentFromNext(const Crosstable& table, int player) {
  return static_cast<int>(table.players[player].rounds.size()) > table.rounds_played;
}

absl::Status CheckCrosstable(const Crosstable& table) {
  std::set<int> numbers;
  for (int i = 0; i < static_cast<int>(table.players.size()); ++i) {
    const Entrant& player = table.players[i];
    if (player.number <= 0 || !numbers.insert(player.number).second) {
      return base::Error(
          base::Reason::kBadField,
          absl::StrCat("Number ", player.number, " is no positive number that is used once."));
    }
    const int rounds = std::min(static_cast<int>(player.rounds.size()), table.rounds_played);
    for (int round = 0; round < rounds; ++round) {
      if (absl::Status found = CheckEntry(table, i, round); !found.ok()) return found;
    }
  }
  return absl::OkStatus();
}

}  // namespace astragal::algorithms
