// The three ways to name a point of the board, and the way between them.
//
//   index    0..23 along a seat's own route: 0 is its head, 18..23 its home, 24 is off the board.
//            Rules are written in indices, where both seats are alike.
//   own      24..1 as that player says it: 24 is the head, 6..1 the home. Notation and text.
//   absolute 1..24 as drawn from White's chair; for White it equals `own`. Place ids.
//
// A set of points is the low 24 bits of a word, bit i for index i.
#ifndef ASTRAGAL_PLUGINS_LONG_NARDE_ROUTE_H_
#define ASTRAGAL_PLUGINS_LONG_NARDE_ROUTE_H_

#include <cstdint>

namespace astragal::long_narde {

inline constexpr int kPoints = 24;
inline constexpr int kCheckers = 15;
inline constexpr int kHead = 0;
inline constexpr int kHome = 18;  // first index of the home
inline constexpr int kWhite = 0;
inline constexpr int kBlack = 1;
inline constexpr const char* kSeatNames[] = {"white", "black"};

inline constexpr uint32_t kAllPoints = 0xFFFFFF;
inline constexpr uint32_t kOutside = (1u << kHome) - 1;  // every point before the home

constexpr uint32_t Bit(int index) { return 1u << index; }

// The same point, or set of points, in the other seat's indices.
constexpr int OtherIndex(int index) { return index < 12 ? index + 12 : index - 12; }
constexpr uint32_t OtherSet(uint32_t set) { return ((set << 12) | (set >> 12)) & kAllPoints; }

constexpr int OwnPoint(int index) { return kPoints - index; }
constexpr int IndexOfOwn(int own) { return kPoints - own; }

constexpr int AbsolutePoint(int seat, int index) {
  return kPoints - (seat == kWhite ? index : OtherIndex(index));
}
constexpr int IndexOfAbsolute(int seat, int point) {
  return seat == kWhite ? kPoints - point : OtherIndex(kPoints - point);
}

// An action: one step of one checker. Its number is own point * 8 + die, whatever the position.
constexpr int64_t StepAction(int index, int die) { return OwnPoint(index) * 8 + die; }
constexpr int StepDie(int64_t action) { return static_cast<int>(action & 7); }
constexpr int StepIndex(int64_t action) { return IndexOfOwn(static_cast<int>(action >> 3)); }
constexpr bool IsStep(int64_t action) {
  return action >= 8 + 1 && action < 25 * 8 && StepDie(action) >= 1 && StepDie(action) <= 6;
}

}  // namespace astragal::long_narde

#endif  // ASTRAGAL_PLUGINS_LONG_NARDE_ROUTE_H_
