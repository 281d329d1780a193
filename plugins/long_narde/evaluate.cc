// A cheap estimate for bots: a weighted sum of what each side has, squeezed into 0..1000. The
// weights were found by playing greedily for one step against random steps (README).
#include <bit>
#include <cmath>

#include "plugins/long_narde/position.h"

namespace astragal::long_narde {
namespace {

struct Weights {
  double pip = -1.0;       // each pip still to run
  double off = 4.0;        // each checker borne off
  double held = 1.0;       // each point held: it is closed to the other side
  double ahead = 2.0;      // more for one that an enemy checker has still to pass
  double wall = 2.0;       // each four in a row of those, and again for each five
  double on_head = -2.0;   // each checker on the head, where it can leave one a turn only
  double stacked = -1.0;   // each checker beyond the second on a point before the home
  double playable = 0.5;   // each point from which a die can be played, for each die
  double dead_die = -3.0;  // each die that cannot be played at all
  double scale = 40.0;     // the lead at which the chance is about 73 %
};
constexpr Weights kWeights;

double Mobility(uint32_t own, uint32_t enemy) {
  int playable = 0;
  int dead = 0;
  for (int die = 1; die <= 6; ++die) {
    uint32_t from = own & ~(enemy >> die) & (kAllPoints >> die);
    if ((own & kOutside) == 0) from |= own;  // bearing off, near enough
    playable += std::popcount(from);
    dead += from == 0 ? 1 : 0;
  }
  return kWeights.playable * playable + kWeights.dead_die * dead;
}

// The points held beyond the enemy's rearmost checker: they are in somebody's way.
double Walls(uint32_t own, uint32_t enemy_own) {
  if (enemy_own == 0) return 0;
  const uint32_t rearmost = enemy_own & (0 - enemy_own);
  const uint32_t ahead = OtherSet(own) & ~(rearmost | (rearmost - 1));
  const uint32_t two = ahead & (ahead >> 1);
  const uint32_t four = two & (two >> 2);
  const uint32_t five = four & (ahead >> 4);
  return kWeights.ahead * std::popcount(ahead) +
         kWeights.wall * (std::popcount(four) + std::popcount(five));
}

double Value(const Position& p, int seat) {
  const uint32_t own = p.points[seat];
  const uint32_t enemy = p.points[1 - seat];
  int stacked = 0;
  for (int i = kHead + 1; i < kHome; ++i) {
    if (p.count[seat][i] > 2) stacked += p.count[seat][i] - 2;
  }
  return kWeights.pip * p.Pips(seat) + kWeights.off * p.off[seat] +
         kWeights.held * std::popcount(own) + kWeights.on_head * p.count[seat][kHead] +
         kWeights.stacked * stacked + Walls(own, enemy) + Mobility(own, OtherSet(enemy));
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
