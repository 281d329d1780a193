#include "plugins/patolli/rules.h"

#include <bit>

namespace astragal::patolli {
namespace {

void AddEntries(const Position& p, int direction, sdk::Sink<int64_t>& out) {
  const int8_t chosen = p.own().direction;
  if (chosen != 0 && chosen != direction) return;
  if (!MayEnter(p, p.mover, p.score)) return;
  if (LandableMask(p, p.mover, direction) & Bit(p.score)) {
    out.Add(EncodeEntry(direction, p.score));
  }
}

}  // namespace

uint64_t EnemyMask(const Position& position, int seat, int direction) {
  const Side& enemy = position.sides[static_cast<size_t>(1 - seat)];
  return OppositeMask(enemy.direction == direction, enemy.track);
}

uint64_t LandableMask(const Position& position, int seat, int direction) {
  constexpr uint64_t kInPlayOrLast = kAllSquares & ~Bit(0);
  uint64_t blocked = EnemyMask(position, seat, direction);
  if (position.rules.middle_attack_off == 0) {
    // The last square is never attacked, not even where it is a middle square.
    blocked &= ~(RouteOf(position.rules.start_square, direction).middle & ~Bit(kLast));
  }
  return kInPlayOrLast & ~(blocked | position.sides[static_cast<size_t>(seat)].track);
}

bool MayEnter(const Position& position, int seat, int score) {
  const Side& own = position.sides[static_cast<size_t>(seat)];
  if (own.hand == 0) return false;
  if (score == 1) return true;
  return own.track == 0 && (position.rules.one_only == 0 || own.direction == 0);
}

bool CanMove(const Position& position, int seat, int score) {
  const Side& own = position.sides[static_cast<size_t>(seat)];
  // A side that has not chosen its direction has no piece on the track, and both ways are equal:
  // where one is blocked the other one may be free.
  const uint64_t landable =
      own.direction != 0 ? LandableMask(position, seat, own.direction)
                         : LandableMask(position, seat, 1) | LandableMask(position, seat, -1);
  if ((own.track << score) & landable) return true;
  return MayEnter(position, seat, score) && (landable & Bit(score)) != 0;
}

bool IsCapture(const Position& position, int seat, const Move& move) {
  const int direction =
      move.enters() ? move.direction : position.sides[static_cast<size_t>(seat)].direction;
  if (direction == 0 || move.to == kLast || position.rules.middle_attack_off != 0) return false;
  const uint64_t takeable =
      RouteOf(position.rules.start_square, direction).middle & EnemyMask(position, seat, direction);
  return (takeable & Bit(move.to)) != 0;
}

int32_t FundsOf(const Position& position, int seat) {
  const int32_t purse = position.rules.purse == 0 ? kUnlimitedPurse : position.rules.purse;
  return purse + position.sides[static_cast<size_t>(seat)].coins;
}

const char* SeatName(int seat) { return seat == kRed ? "Red" : "Green"; }

const char* DirectionName(int direction) {
  return direction > 0 ? "anticlockwise" : direction < 0 ? "clockwise" : "undecided";
}

void Position::Actions(sdk::Sink<int64_t>& out) const {
  if (phase != kMoving) return;
  AddEntries(*this, 1, out);
  const int8_t direction = own().direction;
  if (direction != 0) {
    uint64_t targets = (own().track << score) & LandableMask(*this, mover, direction);
    for (; targets != 0; targets &= targets - 1) {
      const int to = std::countr_zero(targets);
      out.Add(EncodeAdvance(to - score, to));
    }
  }
  AddEntries(*this, -1, out);
}

}  // namespace astragal::patolli
