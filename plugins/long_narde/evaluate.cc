// A cheap estimate for bots: a weighted sum of what each side has, squeezed into 0..1000.
#include <bit>
#include <cmath>

#include "plugins/long_narde/position.h"

namespace astragal::long_narde {
namespace {

struct Weights {
  double pip = -1.0;      // each pip still to run
  double off = 4.0;       // each checker borne off
  double held = 3.0;      // each point held: it is closed to the other side
  double ahead = 2.0;     // more for one that an enemy checker has still to pass
  double on_head = -2.0;  // each checker on the head, where it can leave one a turn only
  double stacked = -1.0;  // each checker beyond the second on a point before the home
  double scale = 30.0;    // the lead at which the chance is about 73 %
};
constexpr Weights kWeights;

double Value(const Position& p, int seat) {
  const uint32_t enemy = p.points[1 - seat];
  const uint32_t held_for_enemy = OtherSet(p.points[seat]);
  // Points beyond the enemy's rearmost checker are in somebody's way.
  const uint32_t in_the_way =
      enemy == 0 ? 0 : held_for_enemy & ~((enemy & (0 - enemy)) | ((enemy & (0 - enemy)) - 1));
  int stacked = 0;
  for (int i = kHead + 1; i < kHome; ++i) {
    if (p.count[seat][i] > 2) stacked += p.count[seat][i] - 2;
  }
  return kWeights.pip * p.Pips(seat) + kWeights.off * p.off[seat] +
         kWeights.held * std::popcount(p.points[seat]) +
         kWeights.ahead * std::popcount(in_the_way) + kWeights.on_head * p.count[seat][kHead] +
         kWeights.stacked * stacked;
}

}  // namespace

int32_t Position::Evaluate(int32_t seat) const {
  if (phase == kOver) {
    const int winner = Winner();
    return winner < 0 ? 500 : winner == seat ? 1000 : 0;
  }
  const double lead = Value(*this, seat) - Value(*this, 1 - seat);
  return static_cast<int32_t>(std::lround(1000.0 / (1.0 + std::exp(-lead / kWeights.scale))));
}

}  // namespace astragal::long_narde
