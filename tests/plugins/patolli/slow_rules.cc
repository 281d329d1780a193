#include "tests/plugins/patolli/slow_rules.h"

#include <algorithm>
#include <optional>

namespace astragal::patolli_test {
namespace {

// An arm's two files: offsets 1..7 go out, 8..14 come back; 0 is the central square before it.
bool IsMiddle(int square) { return square % 15 == 0; }

int RankFromTip(int square) {
  const int offset = square % 15;
  return offset <= 7 ? 8 - offset : offset - 7;
}

bool IsRounded(int square) { return !IsMiddle(square) && RankFromTip(square) == 1; }

bool IsWedge(const SlowGame& game, int square) {
  if (IsMiddle(square)) return false;
  const int rank = RankFromTip(square);
  const std::string& where = game.word.at("wedge_ranks");
  if (where == "third") return rank == 3;
  if (where == "fourth") return rank == 4;
  return rank == 3 || rank == 4;
}

// The squares of a side's circuit: path[k] is where own index k lies.
std::vector<int> Path(const SlowGame& game, int seat, int direction) {
  int square = seat == 0 ? 0 : 30;
  if (game.word.at("start_square") == "arm_inner") ++square;
  std::vector<int> path;
  for (int k = 0; k < 60; ++k) {
    path.push_back(square);
    square += direction;
    if (square == 60) square = 0;
    if (square == -1) square = 59;
  }
  return path;
}

bool Has(const SlowSide& side, int square) {
  return std::find(side.squares.begin(), side.squares.end(), square) != side.squares.end();
}

void Remove(SlowSide& side, int square) {
  side.squares.erase(std::find(side.squares.begin(), side.squares.end(), square));
}

void Put(SlowSide& side, int square) {
  side.squares.push_back(square);
  std::sort(side.squares.begin(), side.squares.end());
}

// Coins that `seat` really pays when it owes `owed`.
long Payable(const SlowGame& game, int seat, long owed) {
  const long purse = game.number.at("purse");
  if (purse == 0) return owed;
  const long has = purse + game.side[seat].coins;
  return has < owed ? has : owed;
}

void PayPot(SlowGame& game, int seat, long owed) {
  const long paid = Payable(game, seat, owed);
  game.side[seat].coins -= paid;
  game.pot += paid;
}

void PayEnemy(SlowGame& game, int seat, long owed) {
  const long paid = Payable(game, seat, owed);
  game.side[seat].coins -= paid;
  game.side[1 - seat].coins += paid;
}

// May a piece of `seat` land on path[k]? Nothing if not, otherwise whether it attacks.
std::optional<bool> LandsOn(const SlowGame& game, int seat, int square, bool last) {
  if (Has(game.side[seat], square)) return std::nullopt;
  if (!Has(game.side[1 - seat], square)) return false;
  if (last || !IsMiddle(square) || game.word.at("middle_attack") == "off") return std::nullopt;
  return true;
}

// After the piece is on the square.
void Settle(SlowGame& game, int seat, int square, bool attacks) {
  const int enemy = 1 - seat;
  if (attacks) {
    Remove(game.side[enemy], square);
    ++game.side[enemy].hand;
    if (game.word.at("attack_payee") == "pot") {
      PayPot(game, enemy, game.number.at("penalty"));
    } else {
      PayEnemy(game, enemy, game.number.at("penalty"));
    }
  }
  if (IsWedge(game, square)) {
    if (game.word.at("wedge_payee") == "pot") {
      PayPot(game, seat, game.number.at("wedge_amount"));
    } else {
      PayEnemy(game, seat, game.number.at("wedge_amount"));
    }
  }
  game.to_throw = IsRounded(square) ? seat : enemy;
}

void FinishPiece(SlowGame& game, int seat) {
  ++game.side[seat].off;
  if (game.word.at("bonus_from") == "opponent") {
    PayEnemy(game, 1 - seat, 1);
  } else if (game.pot > 0) {
    --game.pot;
    ++game.side[seat].coins;
  }
  game.to_throw = 1 - seat;
  if (game.side[seat].off < 6) return;
  game.side[seat].coins += game.pot;
  game.pot = 0;
  game.to_throw = -1;
}

bool EntryAllowed(const SlowGame& game, int seat, int score) {
  const SlowSide& side = game.side[seat];
  if (side.hand == 0) return false;
  if (score == 1) return true;
  if (!side.squares.empty()) return false;
  const bool entered_before = side.direction != 0;
  return game.word.at("entry_when_empty") == "any_score" || !entered_before;
}

void AddEntries(const SlowGame& game, int score, std::vector<SlowOutcome>& outcomes) {
  const int seat = game.to_throw;
  if (!EntryAllowed(game, seat, score)) return;
  for (const int direction : {1, -1}) {
    const int chosen = game.side[seat].direction;
    if (chosen != 0 && chosen != direction) continue;
    const int square = Path(game, seat, direction)[static_cast<size_t>(score)];
    const std::optional<bool> attacks = LandsOn(game, seat, square, false);
    if (!attacks) continue;
    SlowGame after = game;
    after.side[seat].direction = direction;
    --after.side[seat].hand;
    Put(after.side[seat], square);
    Settle(after, seat, square, *attacks);
    outcomes.push_back({std::string(direction > 0 ? "in/+" : "in/-") + std::to_string(score) +
                            (*attacks ? "*" : ""),
                        after});
  }
}

void AddAdvances(const SlowGame& game, int score, std::vector<SlowOutcome>& outcomes) {
  const int seat = game.to_throw;
  const SlowSide& side = game.side[seat];
  if (side.direction == 0) return;
  const std::vector<int> path = Path(game, seat, side.direction);
  for (int from = 1; from + score <= 59; ++from) {
    const int to = from + score;
    const int square = path[static_cast<size_t>(to)];
    if (!Has(side, path[static_cast<size_t>(from)])) continue;
    const std::optional<bool> attacks = LandsOn(game, seat, square, to == 59);
    if (!attacks) continue;
    SlowGame after = game;
    Remove(after.side[seat], path[static_cast<size_t>(from)]);
    std::string notation = std::to_string(from) + "/";
    if (to == 59) {
      notation += "home";
      FinishPiece(after, seat);
    } else {
      notation += std::to_string(to) + (*attacks ? "*" : "");
      Put(after.side[seat], square);
      Settle(after, seat, square, *attacks);
    }
    outcomes.push_back({notation, after});
  }
}

}  // namespace

void PrintTo(const SlowGame& game, std::ostream* out) {
  for (const SlowSide& side : game.side) {
    *out << "dir " << side.direction << " hand " << side.hand << " off " << side.off << " coins "
         << side.coins << " on";
    for (const int square : side.squares) *out << ' ' << square;
    *out << "; ";
  }
  *out << "pot " << game.pot << " to throw " << game.to_throw;
}

SlowGame Observe(const Bytes& position) {
  SlowGame game;
  const astragal_about& about = *Table().about;
  std::vector<int64_t> values(about.option_count);
  Table().options(position.get(), values.data());
  for (uint32_t i = 0; i < about.option_count; ++i) {
    const astragal_option& option = about.options[i];
    if (option.kind == ASTRAGAL_OPTION_INTEGER) {
      game.number[option.name] = values[i];
    } else {
      game.word[option.name] = option.choices[values[i]];
    }
  }
  for (int seat = 0; seat < 2; ++seat) {
    SlowSide& side = game.side[seat];
    side.direction = static_cast<int>(Counter(position, "direction", seat));
    side.coins = Counter(position, "coins", seat);
    side.hand = 0;
  }
  game.pot = Counter(position, "pot", -1);
  for (const astragal_piece& piece : Pieces(position)) {
    SlowSide& side = game.side[piece.seat];
    if (piece.place < 60) {
      side.squares.insert(side.squares.end(), static_cast<size_t>(piece.count), piece.place);
    } else if (piece.place < 62) {
      side.hand += piece.count;
    } else {
      side.off += piece.count;
    }
  }
  for (SlowSide& side : game.side) std::sort(side.squares.begin(), side.squares.end());
  const bool over = Table().actor(position.get()) == ASTRAGAL_OVER;
  game.to_throw = over ? -1 : ToText(position).starts_with("red") ? 0 : 1;
  return game;
}

std::vector<SlowOutcome> Outcomes(const SlowGame& game, int score) {
  std::vector<SlowOutcome> outcomes;
  if (score > 0) {
    AddEntries(game, score, outcomes);
    AddAdvances(game, score, outcomes);
  }
  if (!outcomes.empty()) return outcomes;
  SlowGame after = game;
  if (score > 0) PayPot(after, game.to_throw, game.number.at("penalty"));
  after.to_throw = 1 - game.to_throw;
  return {{"", after}};
}

}  // namespace astragal::patolli_test
