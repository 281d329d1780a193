#include "services/algorithms/pairing/swiss.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace astragal::algorithms {
namespace {

// Score with lent points in the pairing of the round with this index.
Tenths PairingScore(const Crosstable& table, int player, int round) {
  return ScoreBefore(table, player, round) + LentIn(table.players[player], round);
}

// FIDE C.04.3, 1.4: who scored more than a loss without playing floated down; who played somebody
// with another score floated.
Float FloatIn(const Crosstable& table, int player, int round) {
  if (round < 0) return Float::kNone;
  const RoundEntry entry = EntryOf(table.players[player], round);
  if (!entry.Played()) {
    const bool gained = PointsOf(table.points, entry.outcome) > table.points.loss;
    return gained ? Float::kDown : Float::kNone;
  }
  const Tenths own = PairingScore(table, player, round);
  const Tenths other = PairingScore(table, entry.opponent, round);
  return own > other ? Float::kDown : own < other ? Float::kUp : Float::kNone;
}

bool EverPaired(const Entrant& player, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    if (EntryOf(player, round).Paired()) return true;
  }
  return false;
}

void ReadSides(const Entrant& entrant, int rounds, SwissPlayer& player) {
  int first = 0;
  int second = 0;
  for (int round = 0; round < rounds; ++round) {
    const RoundEntry entry = EntryOf(entrant, round);
    if (!entry.Played() || entry.side == Side::kNone) continue;
    player.sides.push_back(entry.side);
    ++(entry.side == Side::kFirst ? first : second);
  }
  if (player.sides.empty()) return;
  const size_t games = player.sides.size();
  const Side last = player.sides.back();
  if (games > 1 && player.sides[games - 2] == last) player.repeated = last;
  player.imbalance = std::abs(first - second);
  const Side rarer = first > second ? Side::kSecond : Side::kFirst;
  const bool absolute = player.imbalance > 1 || player.repeated != Side::kNone;
  player.wish = absolute ? Wish::kAbsolute : player.imbalance == 1 ? Wish::kStrong : Wish::kMild;
  if (player.imbalance > 1) {
    player.wanted = rarer;
  } else if (player.repeated != Side::kNone) {
    player.wanted = OtherSide(player.repeated);
  } else {
    player.wanted = player.imbalance == 1 ? rarer : OtherSide(last);
  }
}

// The first round in which sides were given tells what was drawn, by the parity of the numbers of
// those that were paired by then.
Side DrawnSide(const Crosstable& table) {
  if (table.first_side != Side::kNone) return table.first_side;
  for (int round = 0; round < table.rounds_played; ++round) {
    int rank = 0;
    for (const Entrant& player : table.players) {
      if (!EverPaired(player, round + 1)) continue;
      const Side side = EntryOf(player, round).side;
      if (side != Side::kNone) return rank % 2 == 0 ? side : OtherSide(side);
      ++rank;
    }
  }
  return Side::kFirst;
}

}  // namespace

SwissField::SwissField(const Crosstable& table, bool sides)
    : sides_(sides),
      rounds_played_(table.rounds_played),
      last_round_(table.rounds_planned > 0 && table.rounds_played + 1 >= table.rounds_planned),
      first_side_(DrawnSide(table)) {
  AddPlayers(table);
  AddHistory(table);
  AddPairs(table);
}

void SwissField::AddPlayers(const Crosstable& table) {
  int rank = 0;
  for (int i = 0; i < static_cast<int>(table.players.size()); ++i) {
    const bool absent = AbsentFromNext(table, i);
    if (absent && !EverPaired(table.players[i], rounds_played_)) continue;
    if (!absent) {
      SwissPlayer player;
      player.player = i;
      player.rank = rank;
      player.earned = ScoreBefore(table, i, rounds_played_);
      player.score = player.earned + LentIn(table.players[i], rounds_played_);
      players_.push_back(std::move(player));
    }
    ++rank;
  }
  std::stable_sort(players_.begin(), players_.end(),
                   [](const SwissPlayer& a, const SwissPlayer& b) { return a.score > b.score; });
}

void SwissField::AddHistory(const Crosstable& table) {
  const Tenths best = std::max(table.points.win, table.points.draw) * rounds_played_;
  for (SwissPlayer& player : players_) {
    const Entrant& entrant = table.players[player.player];
    for (int round = 0; round < rounds_played_; ++round) {
      const RoundEntry entry = EntryOf(entrant, round);
      player.byes += entry.outcome == Outcome::kPairingBye;
      if (entry.Played()) {
        ++player.played;
      } else if (PointsOf(table.points, entry.outcome) >= table.points.win) {
        player.may_have_bye = false;
      }
    }
    player.last_float = FloatIn(table, player.player, rounds_played_ - 1);
    player.earlier_float = FloatIn(table, player.player, rounds_played_ - 2);
    player.topscorer = last_round_ && 2 * player.score > best;
    if (sides_) ReadSides(entrant, rounds_played_, player);
  }
}

void SwissField::AddPairs(const Crosstable& table) {
  words_ = (players_.size() + 63) / 64;
  met_.assign(players_.size() * words_, 0);
  forbidden_.assign(players_.size() * words_, 0);
  std::vector<int> field_index(table.players.size(), kNobody);
  for (int i = 0; i < size(); ++i) field_index[players_[i].player] = i;
  for (int i = 0; i < size(); ++i) {
    for (int round = 0; round < rounds_played_; ++round) {
      const RoundEntry entry = EntryOf(table.players[players_[i].player], round);
      if (!entry.Played() || field_index[entry.opponent] == kNobody) continue;
      Set(met_, i, field_index[entry.opponent]);
    }
  }
  const int round = rounds_played_ + 1;
  for (const ForbiddenGroup& group : table.forbidden) {
    if (round < group.first_round || round > group.last_round) continue;
    for (const int a : group.players) {
      for (const int b : group.players) {
        if (a == b || field_index[a] == kNobody || field_index[b] == kNobody) continue;
        Set(forbidden_, field_index[a], field_index[b]);
      }
    }
  }
}

void SwissField::Set(Bits& bits, int a, int b) {
  bits[static_cast<size_t>(a) * words_ + static_cast<size_t>(b) / 64] |= uint64_t{1} << (b % 64);
}

bool SwissField::MayMeet(int a, int b) const {
  if (Met(a, b) || Forbidden(a, b)) return false;
  const SwissPlayer& one = players_[a];
  const SwissPlayer& two = players_[b];
  return one.wish != Wish::kAbsolute || two.wish != Wish::kAbsolute || one.wanted != two.wanted ||
         one.topscorer || two.topscorer;
}

namespace {

// The side that the most recent round in which they differed gives the first of them: the other one
// than then. kNone when they never differed.
Side Alternated(const SwissPlayer& a, const SwissPlayer& b) {
  const size_t games = std::min(a.sides.size(), b.sides.size());
  for (size_t i = 1; i <= games; ++i) {
    const Side side_a = a.sides[a.sides.size() - i];
    const Side side_b = b.sides[b.sides.size() - i];
    if (side_a != side_b) return side_b;
  }
  return Side::kNone;
}

}  // namespace

Side SideAgainst(const SwissField& field, int a, int b) {
  if (b < a) return OtherSide(SideAgainst(field, b, a));
  const SwissPlayer& higher = field[a];
  const SwissPlayer& lower = field[b];
  if (higher.wanted == Side::kNone && lower.wanted == Side::kNone) {
    return higher.rank % 2 == 0 ? field.first_side() : OtherSide(field.first_side());
  }
  if (higher.wanted == Side::kNone) return OtherSide(lower.wanted);
  if (lower.wanted == Side::kNone || higher.wanted != lower.wanted) return higher.wanted;
  if (higher.wish != lower.wish) {
    return higher.wish > lower.wish ? higher.wanted : OtherSide(lower.wanted);
  }
  if (higher.wish == Wish::kAbsolute && higher.imbalance != lower.imbalance) {
    return higher.imbalance > lower.imbalance ? higher.wanted : OtherSide(lower.wanted);
  }
  const Side alternated = Alternated(higher, lower);
  return alternated != Side::kNone ? alternated : higher.wanted;
}

std::vector<Pairing> BoardsOf(const SwissField& field, std::vector<Pairing> pairs) {
  struct Board {
    Pairing pairing;
    std::tuple<bool, Tenths, Tenths, int> key;
  };
  std::vector<Board> boards;
  for (const Pairing& pair : pairs) {
    const SwissPlayer& one = field[pair.first];
    if (pair.second == kNobody) {
      boards.push_back({{one.player, kNobody}, {true, 0, 0, 0}});
      continue;
    }
    const SwissPlayer& two = field[pair.second];
    const auto order = [](const SwissPlayer& p) { return std::make_tuple(-p.earned, p.rank); };
    const SwissPlayer& higher = order(one) < order(two) ? one : two;
    const SwissPlayer& lower = &higher == &one ? two : one;
    Pairing pairing{std::min(one.player, two.player), std::max(one.player, two.player)};
    if (field.sides()) {
      const bool begins = SideAgainst(field, pair.first, pair.second) == Side::kFirst;
      pairing = begins ? Pairing{one.player, two.player} : Pairing{two.player, one.player};
    }
    boards.push_back({pairing, {false, -higher.earned, -lower.earned, higher.rank}});
  }
  std::stable_sort(boards.begin(), boards.end(),
                   [](const Board& a, const Board& b) { return a.key < b.key; });
  std::vector<Pairing> sorted;
  for (const Board& board : boards) sorted.push_back(board.pairing);
  return sorted;
}

}  // namespace astragal::algorithms
