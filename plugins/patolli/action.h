// Actions of Patolli as numbers. A number means the same in every position:
//
//   from * 64 + to              a piece goes from own index `from` (1..58) to own index `to`
//   (2..59) to                          a piece enters on own index `to` and runs anticlockwise
//   4096 + to                   a piece enters on own index `to` and runs clockwise
//
// Every step to - from is one that the sticks can show: 1, 2, 3, 4 or 10.
#ifndef ASTRAGAL_PLUGINS_PATOLLI_ACTION_H_
#define ASTRAGAL_PLUGINS_PATOLLI_ACTION_H_

#include <array>
#include <cstdint>

#include "plugins/patolli/geometry.h"

namespace astragal::patolli {

// What outcome k of the throw kind "sticks" scores, and its chance in 32nds.
inline constexpr std::array<int, 6> kScores = {0, 1, 2, 3, 4, 10};
inline constexpr uint32_t kScoreWeights[6] = {1, 5, 10, 10, 5, 1};

constexpr bool IsStep(int steps) { return (steps >= 1 && steps <= 4) || steps == 10; }

struct Move {
  int from;       // own index; 0: from the hand
  int to;         // own index
  int direction;  // of an entry, +1 or -1; 0 for a piece in play

  constexpr bool enters() const { return from == 0; }
  constexpr int steps() const { return to - from; }
};

inline constexpr int64_t kClockwiseBit = 4096;

constexpr int64_t EncodeEntry(int direction, int to) {
  return to + (direction < 0 ? kClockwiseBit : 0);
}
constexpr int64_t EncodeAdvance(int from, int to) { return int64_t{from} * 64 + to; }
constexpr int64_t Encode(const Move& move) {
  return move.enters() ? EncodeEntry(move.direction, move.to) : EncodeAdvance(move.from, move.to);
}

// False if the number is no action of this game.
constexpr bool Decode(int64_t action, Move& move) {
  if (action < 0 || action >= 2 * kClockwiseBit) return false;
  const bool clockwise = action >= kClockwiseBit;
  const int rest = static_cast<int>(action % kClockwiseBit);
  move = {rest / 64, rest % 64, 0};
  if (move.enters()) move.direction = clockwise ? -1 : 1;
  return IsStep(move.steps()) && move.to <= kLast && !(clockwise && !move.enters());
}

}  // namespace astragal::patolli

#endif  // ASTRAGAL_PLUGINS_PATOLLI_ACTION_H_
