// Which bytes are a position.
#include <bit>

#include "plugins/patolli/options.h"
#include "plugins/patolli/rules.h"

namespace astragal::patolli {
namespace {

bool CheckRules(const Position& p, sdk::Error& error) {
  int64_t values[kOptionCount];
  ValuesOf(p.rules, values);
  Rules same{};
  return RulesFrom(values, same, error);
}

bool CheckSide(const Position& p, int seat, sdk::Error& error) {
  const Side& side = p.sides[static_cast<size_t>(seat)];
  const char* const name = SeatName(seat);
  if (side.reserved != 0) return error.Refuse("", "Unused bytes are not zero.");
  if (side.direction < -1 || side.direction > 1) {
    return error.Refuse("direction", name, " runs neither way around the board.");
  }
  constexpr uint64_t kInPlay = kAllSquares & ~(Bit(0) | Bit(kLast));
  if ((side.track & ~kInPlay) != 0) {
    return error.Refuse("on", name, "'s pieces stand on own squares 1 to 58.");
  }
  const int pieces = side.hand + side.off + std::popcount(side.track);
  if (pieces != kPieces) {
    return error.Refuse("hand", name, " has six pieces, not ", pieces, ".");
  }
  if (side.direction == 0 && side.hand != kPieces) {
    return error.Refuse("direction", name,
                        " has brought in a piece: say whether it runs anticlockwise or clockwise.");
  }
  if (side.coins < -kUnlimitedPurse || side.coins > kUnlimitedPurse || FundsOf(p, seat) < 0) {
    return error.Refuse("coins", name, " cannot have a balance of ", side.coins, ".");
  }
  return true;
}

bool CheckTogether(const Position& p, sdk::Error& error) {
  const Side& red = p.sides[kRed];
  const Side& green = p.sides[kGreen];
  if (red.direction != 0 && (red.track & EnemyMask(p, kRed, red.direction)) != 0) {
    return error.Refuse("on", "Red and Green stand on one square.");
  }
  const int64_t sum = int64_t{p.pot} + red.coins + green.coins;
  if (p.pot < 0) return error.Refuse("pot", "The pot cannot be negative.");
  if (sum != 0) {
    return error.Refuse("pot", "Balances and pot add up to zero, not to ", sum, ".");
  }
  return true;
}

bool IsUntouched(const Position& p) {
  for (const Side& side : p.sides) {
    if (side.hand != kPieces || side.direction != 0 || side.coins != -p.rules.stake) return false;
  }
  return true;
}

bool CheckOpening(const Position& p, sdk::Error& error) {
  if (p.phase != kOpening) {
    if (p.opening != 0) return error.Refuse("", "The throws for the first turn are over.");
    return true;
  }
  if (p.rules.first_player != kFirstHighestThrow) {
    return error.Refuse("first_player", "Nobody throws for the first turn in this game.");
  }
  if (!IsUntouched(p)) return error.Refuse("", "The throws for the first turn come before moves.");
  if (p.opening > 5 && p.opening != 11) {
    return error.Refuse("", "The sticks show 0 to 4 or 10, not ", p.opening - 1, ".");
  }
  return true;
}

bool CheckScore(const Position& p, sdk::Error& error) {
  if (p.phase != kMoving) {
    if (p.score != 0) return error.Refuse("", "There is no throw to play now.");
    return true;
  }
  if (!IsStep(p.score)) {
    return error.Refuse("", "A throw to play is 1 to 4 or 10, not ", int{p.score}, ".");
  }
  if (CanMove(p, p.mover, p.score)) return true;
  return error.Refuse("", SeatName(p.mover), " cannot move with ", int{p.score},
                      ": the turn would have passed on.");
}

bool CheckEnd(const Position& p, sdk::Error& error) {
  const bool finished = p.sides[kRed].off == kPieces || p.sides[kGreen].off == kPieces;
  if (finished != (p.phase == kOver)) {
    return error.Refuse("off", "The game is over when a side has six pieces home, and only then.");
  }
  if (!finished) return true;
  if (p.own().off != kPieces || p.enemy().off == kPieces) {
    return error.Refuse("off", "Exactly the winner has six pieces home.");
  }
  if (p.pot != 0) return error.Refuse("pot", "The winner has taken the pot.");
  return true;
}

}  // namespace

bool Position::Check(sdk::Error& error) const {
  if (mover > kGreen || phase > kOver || reserved != std::array<uint8_t, 2>{}) {
    return error.Refuse("", "These bytes are no position of Patolli.");
  }
  return CheckRules(*this, error) && CheckSide(*this, kRed, error) &&
         CheckSide(*this, kGreen, error) && CheckTogether(*this, error) && CheckEnd(*this, error) &&
         CheckOpening(*this, error) && CheckScore(*this, error);
}

}  // namespace astragal::patolli
