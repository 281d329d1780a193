// A cheap estimate for bots, in integers, so that every build gives the same.
#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "plugins/ashtapada/moves.h"
#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {
namespace {

// Worth of a piece in steps, tenths: the 1s that entering and bearing off wait for count as steps.
constexpr int kTenths = 10;
constexpr int kEntered = 8 * kTenths;
constexpr int kInKeep = 76 * kTenths;
constexpr int kBorneOff = 90 * kTenths;
constexpr int kExtraSeries = 5 * kTenths;

// Chance in percent that a piece is hit by one enemy so many steps behind it: roughly how often a
// series holds that sum. Far away everything is a combined throw and rare.
constexpr int kHitChance[] = {0, 27, 42, 36, 14, 13, 9, 7, 6, 7, 8, 6, 4, 3, 2, 2};
constexpr int kHitReach = static_cast<int>(std::size(kHitChance));

bool IsSafe(const Position& p, int seat, int index) {
  if (IsMarkedIndex(index)) return true;
  if (p.option[kTwinFormation] == kTwinsOff) return false;
  const int count = p.CountAt(seat, index);
  return p.option[kTriplets] == kAsTwins ? count >= 2 : count == 2;
}

int DangerAt(const Position& p, int seat, int index) {
  if (IsSafe(p, seat, index)) return 0;
  const int square = p.SquareOf(seat, index);
  // By distance and not by seat: rounding must not depend on who sits where.
  int hunters[kHitReach] = {};
  for (const uint8_t enemy : p.PlayOrder()) {
    if (enemy == seat || !p.IsPlaying(enemy)) continue;
    const int target = p.IndexOn(enemy, square);
    for (const uint8_t piece : p.PiecesOf(enemy)) {
      const int from = IndexOf(piece);
      if (from < 0 || from >= target || target - from >= kHitReach) continue;
      ++hunters[target - from];
    }
  }
  int missed = 100;
  for (int steps = 1; steps < kHitReach; ++steps) {
    for (int i = 0; i < hunters[steps]; ++i) missed = missed * (100 - kHitChance[steps]) / 100;
  }
  return 100 - missed;
}

int Worth(const Position& p, int seat) {
  int worth = 0;
  for (const uint8_t piece : p.PiecesOf(seat)) {
    const int index = IndexOf(piece);
    if (index == kHand) continue;
    if (index >= kKeep) {
      worth += index == kOff ? kBorneOff : kInKeep;
      continue;
    }
    const int standing = kEntered + index * kTenths;
    worth += standing - standing * DangerAt(p, seat, index) / 100;
  }
  if (seat == p.turn && (p.flags & kCaptured) != 0) worth += kExtraSeries;
  return worth;
}

}  // namespace

// Of the seats still playing: who is the next to finish?
int32_t Position::Evaluate(int32_t seat) const {
  if (!IsPlaying(seat)) return place[seat] == 1 ? 1000 : 0;
  if (phase == kOver) return 0;
  constexpr int kSpread = 600;  // a lead of this much is worth half of what is open
  int enemy_worth = 0;
  int enemies = 0;
  for (const uint8_t enemy : PlayOrder()) {
    if (enemy == seat || !IsPlaying(enemy)) continue;
    enemy_worth += Worth(*this, enemy);
    ++enemies;
  }
  const int lead = Worth(*this, seat) - enemy_worth / enemies;
  const int even = 1000 / (enemies + 1);
  const int share = 1000 * std::abs(lead) / (std::abs(lead) + kSpread);  // thousandths
  const int estimate = lead >= 0 ? even + (999 - even) * share / 1000 : even - even * share / 1000;
  return std::clamp(estimate, 1, 999);
}

}  // namespace astragal::ashtapada
