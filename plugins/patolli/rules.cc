#include "plugins/patolli/rules.h"

#include <bit>

namespace astragal::patolli {

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
  const int direction = own().direction;
  const bool enters = MayEnter(*this, mover, score);
  if (direction == 0) {  // no piece on the track, and both ways are open to the first
    for (const int way : {1, -1}) {
      const bool is_free = (LandableMask(*this, mover, way) & Bit(score)) != 0;
      if (enters && is_free) out.Add(EncodeEntry(way, score));
    }
    return;
  }
  // Ascending: entries anticlockwise have the smallest numbers, clockwise ones the largest.
  const uint64_t landable = LandableMask(*this, mover, direction);
  const bool enters_here = enters && (landable & Bit(score)) != 0;
  if (enters_here && direction > 0) out.Add(EncodeEntry(1, score));
  for (uint64_t to = (own().track << score) & landable; to != 0; to &= to - 1) {
    const int index = std::countr_zero(to);
    out.Add(EncodeAdvance(index - score, index));
  }
  if (enters_here && direction < 0) out.Add(EncodeEntry(-1, score));
}

}  // namespace astragal::patolli
