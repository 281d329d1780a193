// A cheap estimate of a seat's chance to win.
//
// The game is a race of 354 steps a side at 2.66 steps a throw. So the estimate is the difference
// of the steps still to go, corrected for what the next throws will change: who throws next, a
// throw that will find no move, a piece in the middle that may be attacked.
#include <bit>
#include <cmath>

#include "plugins/patolli/rules.h"

namespace astragal::patolli {
namespace {

constexpr double kStepsPerThrow = 85.0 / 32.0;

double StepsToGo(const Side& side) {
  int steps = side.hand * kLast;
  for (uint64_t rest = side.track; rest != 0; rest &= rest - 1) {
    steps += kLast - std::countr_zero(rest);
  }
  return steps;
}

// Chance that the side's next throw finds no move.
double ChanceOfNoMove(const Position& p, int seat) {
  uint32_t weight = 0;
  for (size_t outcome = 0; outcome < kScores.size(); ++outcome) {
    const int score = kScores[outcome];
    if (score == 0 || !CanMove(p, seat, score)) weight += kScoreWeights[outcome];
  }
  return weight / 32.0;
}

// Steps that the side can expect to lose to the other side's next throw.
double ExpectedLoss(const Position& p, int seat) {
  const Side& side = p.sides[static_cast<size_t>(seat)];
  const Side& enemy = p.sides[static_cast<size_t>(1 - seat)];
  if (p.rules.middle_attack_off != 0 || side.track == 0 || enemy.direction == 0) return 0;
  uint64_t targets = side.track & RouteOf(p.rules.start_square, side.direction).middle;
  double loss = 0;
  for (; targets != 0; targets &= targets - 1) {
    const int own = std::countr_zero(targets);
    const int theirs = OppositeIndex(side.direction == enemy.direction, own);
    if (theirs == 0 || theirs == kLast) continue;
    uint32_t weight = 0;
    for (size_t outcome = 1; outcome < kScores.size(); ++outcome) {
      const int from = theirs - kScores[outcome];
      const bool hits = from > 0 ? (enemy.track & Bit(from)) != 0
                                 : from == 0 && MayEnter(p, 1 - seat, kScores[outcome]);
      if (hits) weight += kScoreWeights[outcome];
    }
    loss += own * weight / 32.0;
  }
  return loss;
}

// Steps to go, the near future counted in.
double Burden(const Position& p, int seat) {
  const bool throws_next = p.mover == seat;
  return StepsToGo(p.sides[static_cast<size_t>(seat)]) +
         2.0 * kStepsPerThrow * ChanceOfNoMove(p, seat) +
         (throws_next ? 0.3 : 1.0) * ExpectedLoss(p, seat);
}

}  // namespace

int32_t Position::Evaluate(int32_t seat) const {
  if (phase == kOver) return mover == seat ? 1000 : 0;
  const double own = Burden(*this, seat);
  const double other = Burden(*this, 1 - seat);
  const double tempo = phase == kOpening ? 0 : mover == seat ? 0.5 : -0.5;
  const double lead = other - own + tempo * kStepsPerThrow;
  // What the throws still to come can change grows with the root of their number.
  const double spread = 2.0 + std::sqrt(own + other);
  const double chance = 0.5 + 0.5 * lead / (spread + std::abs(lead));
  return 1 + static_cast<int32_t>(std::lround(chance * 998));
}

}  // namespace astragal::patolli
