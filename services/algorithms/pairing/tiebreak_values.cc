#include "services/algorithms/pairing/tiebreak_values.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace astragal::algorithms {
namespace {

bool IsVoluntary(Outcome outcome) {
  return outcome == Outcome::kForfeitLoss || outcome == Outcome::kHalfBye ||
         outcome == Outcome::kZeroBye || outcome == Outcome::kNothing;
}

int64_t HalfUp(int64_t sum, int64_t count) { return (2 * sum + count) / (2 * count); }

}  // namespace

TieBreakValues::TieBreakValues(const Crosstable& table, const TieBreakRules& rules)
    : table_(table), rules_(rules), rounds_(table.rounds_played) {
  ReadGames();
}

void TieBreakValues::ReadGames() {
  games_.resize(table_.players.size() * static_cast<size_t>(rounds_));
  scores_.resize(table_.players.size());
  size_t at = 0;
  for (size_t i = 0; i < table_.players.size(); ++i) {
    for (int round = 0; round < rounds_; ++round) {
      const RoundEntry entry = EntryOf(table_.players[i], round);
      Game& game = games_[at++];
      game.opponent = entry.opponent;
      game.points = PointsOf(table_.points, entry.outcome);
      game.outcome = entry.outcome;
      game.played = entry.Played();
      game.second_side = entry.side == Side::kSecond;
      game.voluntary = IsVoluntary(entry.outcome);
      scores_[i] += game.points;
    }
  }
}

Column TieBreakValues::Of(const TieBreak& tie_break) const {
  switch (tie_break.kind) {
    case TieBreakKind::kBuchholz:
    case TieBreakKind::kForeBuchholz:
    case TieBreakKind::kSonnebornBerger:
      return OpponentScores(tie_break);
    case TieBreakKind::kAverageBuchholz:
      return AverageBuchholz();
    case TieBreakKind::kAverageRating:
      return AverageRating();
    case TieBreakKind::kKoya:
      return Koya();
    default:
      break;
  }
  Column column(table_.players.size());
  for (int i = 0; i < players(); ++i) {
    if (tie_break.kind == TieBreakKind::kPoints) {
      column[i] = scores_[i];
    } else if (tie_break.kind == TieBreakKind::kProgressive) {
      column[i] = Progressive(i, tie_break.cut_low);
    } else if (tie_break.kind == TieBreakKind::kLot) {
      // The smaller number is the better one.
      const bool drawn = static_cast<size_t>(i) < rules_.lots.size();
      const uint64_t lot = drawn ? rules_.lots[i] : std::numeric_limits<uint64_t>::max();
      column[i] = -static_cast<int64_t>(lot >> 1);
    } else {
      column[i] = Count(i, tie_break.kind);
    }
  }
  return column;
}

int64_t TieBreakValues::Count(int player, TieBreakKind kind) const {
  int64_t count = 0;
  for (int round = 0; round < rounds_; ++round) {
    const Game& game = At(player, round);
    const bool win = game.points == table_.points.win;
    count += kind == TieBreakKind::kWins          ? win
             : kind == TieBreakKind::kWinsOnBoard ? win && game.played
                                                  : game.played && game.second_side;
  }
  return count;
}

int64_t TieBreakValues::Progressive(int player, int cut) const {
  int64_t score = 0;
  int64_t sum = 0;
  for (int round = 0; round < rounds_; ++round) {
    score += At(player, round).points;
    if (round >= cut) sum += score;
  }
  return sum;
}

void TieBreakValues::AdjustOne(int player, bool fore, Tenths& adjusted, Tenths& own) const {
  int last_there = -1;  // the last round that was not voluntarily unplayed
  for (int round = 0; round < rounds_; ++round) {
    if (!At(player, round).voluntary) last_there = round;
  }
  const int last = rounds_ - 1;
  const bool in_last = fore && rounds_ > 0 && At(player, last).opponent != kNobody;
  if (in_last) last_there = last;
  const Tenths gone = rules_.round_robin ? table_.points.zero_bye : table_.points.draw;
  adjusted = 0;
  own = scores_[player];
  for (int round = 0; round < rounds_; ++round) {
    const Game& game = At(player, round);
    adjusted += round <= last_there || game.opponent != kNobody ? game.points : gone;
  }
  if (!in_last) return;
  const Tenths drawn = table_.points.draw - At(player, last).points;
  adjusted += drawn;
  own += drawn;
}

std::vector<Tenths> TieBreakValues::Adjusted(bool fore, std::vector<Tenths>& own) const {
  std::vector<Tenths> adjusted(table_.players.size());
  own.resize(table_.players.size());
  for (int i = 0; i < players(); ++i) AdjustOne(i, fore, adjusted[i], own[i]);
  return adjusted;
}

std::optional<TieBreakValues::Share> TieBreakValues::ShareOf(int player, int round,
                                                             const TieBreak& tie_break,
                                                             const std::vector<Tenths>& adjusted,
                                                             Tenths own) const {
  const Game& game = At(player, round);
  const bool opponent = game.opponent != kNobody;
  if (rules_.round_robin && !opponent) return std::nullopt;
  const bool fore = tie_break.kind == TieBreakKind::kForeBuchholz && round == rounds_ - 1;
  Share share{game.voluntary, 0, 0};
  if (opponent && (game.played || rules_.round_robin || fore)) {
    share = {false, adjusted[game.opponent], 0};
  } else if (opponent) {
    share.score = std::min(own, adjusted[game.opponent]);
  } else {
    share.score = std::min(own, table_.points.draw * rounds_);
  }
  const bool times_result = tie_break.kind == TieBreakKind::kSonnebornBerger;
  share.value = times_result ? int64_t{share.score} * game.points : share.score;
  return share;
}

Column TieBreakValues::OpponentScores(const TieBreak& tie_break) const {
  std::vector<Tenths> own;
  const std::vector<Tenths> adjusted = Adjusted(tie_break.kind == TieBreakKind::kForeBuchholz, own);
  Column column(table_.players.size());
  std::vector<Share> shares;
  const auto drop = [&shares](auto chosen) { shares.erase(chosen); };
  for (int i = 0; i < players(); ++i) {
    shares.clear();
    for (int round = 0; round < rounds_; ++round) {
      const std::optional<Share> share = ShareOf(i, round, tie_break, adjusted, own[i]);
      if (share.has_value()) shares.push_back(*share);
    }
    const auto by_score = [](const Share& a, const Share& b) {
      return std::tie(a.score, a.value) < std::tie(b.score, b.value);
    };
    for (int cut = 0; cut < tie_break.cut_low && !shares.empty(); ++cut) {
      // The least value goes; a voluntary one first, unless another one is worth even less.
      const auto least = std::min_element(shares.begin(), shares.end(), by_score);
      const auto voluntary =
          std::min_element(shares.begin(), shares.end(), [](const Share& a, const Share& b) {
            return std::make_tuple(!a.voluntary, a.value, a.score) <
                   std::make_tuple(!b.voluntary, b.value, b.score);
          });
      drop(!voluntary->voluntary || least->value > voluntary->value ? least : voluntary);
    }
    for (int cut = 0; cut < tie_break.cut_high && !shares.empty(); ++cut) {
      drop(std::max_element(shares.begin(), shares.end(), by_score));
    }
    int64_t sum = 0;
    for (const Share& share : shares) sum += share.value;
    column[i] = sum;
  }
  return column;
}

Column TieBreakValues::AverageBuchholz() const {
  const Column buchholz = OpponentScores({TieBreakKind::kBuchholz});
  Column column(table_.players.size());
  for (int i = 0; i < players(); ++i) {
    int64_t sum = 0;
    int64_t count = 0;
    for (int round = 0; round < rounds_; ++round) {
      if (!At(i, round).played) continue;
      sum += *buchholz[At(i, round).opponent];
      ++count;
    }
    if (count > 0) column[i] = HalfUp(10 * sum, count);
  }
  return column;
}

// Without a rating for everybody there is no average to compare.
Column TieBreakValues::AverageRating() const {
  Column column(table_.players.size());
  const bool all = std::all_of(table_.players.begin(), table_.players.end(),
                               [](const Entrant& player) { return player.rating > 0; });
  for (int i = 0; all && i < players(); ++i) {
    int64_t sum = 0;
    int64_t count = 0;
    for (int round = 0; round < rounds_; ++round) {
      if (!At(i, round).played) continue;
      sum += table_.players[At(i, round).opponent].rating;
      ++count;
    }
    if (count > 0) column[i] = HalfUp(sum, count);
  }
  return column;
}

Column TieBreakValues::Koya() const {
  int games = rounds_;  // that a player can have
  if (rules_.round_robin) {
    if (players() > 0 && rounds_ % players() == 0) games -= rounds_ / players();
    for (int i = 0; i < players(); ++i) {
      bool paired = false;
      for (int round = 0; round < rounds_; ++round) {
        paired = paired || At(i, round).opponent != kNobody ||
                 At(i, round).outcome == Outcome::kPairingBye;
      }
      games -= !paired;
    }
  }
  Column column(table_.players.size());
  for (int i = 0; i < players(); ++i) {
    int64_t sum = 0;
    for (int round = 0; round < rounds_; ++round) {
      const Game& game = At(i, round);
      if (game.opponent == kNobody) continue;
      if (2 * scores_[game.opponent] >= table_.points.win * games) sum += game.points;
    }
    column[i] = sum;
  }
  return column;
}

}  // namespace astragal::algorithms
