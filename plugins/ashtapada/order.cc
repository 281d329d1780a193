// Rule 2: who starts.
#include <algorithm>

#include "plugins/ashtapada/flow.h"

namespace astragal::ashtapada {
namespace {

bool IsContender(const Position& p, int seat) {
  return p.IsPlaying(seat) && p.ordered[seat] != kOutthrown;
}

// The first contender to the left of `seat` (at last `seat` itself) that has not thrown; -1 if
// none.
int NextToThrow(const Position& p, int seat) {
  for (uint32_t i = 0; i < p.Seats(); ++i) {
    seat = p.LeftOf(seat);
    if (IsContender(p, seat) && p.ordered[seat] == 0) return seat;
  }
  return -1;
}

}  // namespace

void GoOnOrdering(Position& p, Trail& trail) {
  int contenders = 0;
  uint8_t highest = 0;
  for (const uint8_t seat : p.PlayOrder()) {
    if (!IsContender(p, seat)) continue;
    ++contenders;
    highest = std::max(highest, p.ordered[seat]);
  }
  const int next = NextToThrow(p, p.turn);
  if (next >= 0 && contenders > 1) {
    const bool goes_on = IsContender(p, p.turn) && p.ordered[p.turn] == 0;
    if (!goes_on) p.turn = static_cast<uint8_t>(next);
    return;
  }
  int tied = 0;
  uint8_t starter = 0;
  for (const uint8_t seat : p.PlayOrder()) {
    if (!IsContender(p, seat)) continue;
    if (p.ordered[seat] < highest) {
      p.ordered[seat] = kOutthrown;
    } else {
      p.ordered[seat] = 0;
      ++tied;
      starter = seat;
    }
  }
  if (tied == 1) {
    std::fill_n(p.ordered, kSeats, uint8_t{0});
    Begin(p, starter);
    trail.Add(ASTRAGAL_EFFECT_TURN, starter);
    return;
  }
  p.turn = static_cast<uint8_t>(NextToThrow(p, p.turn));
  for (const uint8_t seat : p.PlayOrder()) {
    if (IsContender(p, seat)) trail.Add(ASTRAGAL_EFFECT_EXTRA_THROW, seat);
  }
}

void ThrowForOrder(Position& p, int score, Trail& trail) {
  trail.Add(ASTRAGAL_EFFECT_THROW, p.turn, kScoreValues[score]);
  p.ordered[p.turn] = static_cast<uint8_t>(score + 1);
  GoOnOrdering(p, trail);
}

}  // namespace astragal::ashtapada
