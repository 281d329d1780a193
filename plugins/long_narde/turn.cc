#include "plugins/long_narde/turn.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "plugins/long_narde/options.h"

namespace astragal::long_narde {
namespace {

constexpr uint32_t kAllWindows = (1u << 19) - 1;  // a block of six begins on 0..18
constexpr int kBlock = 6;

// Windows of six points, in the enemy's indices, of which at least so many are held: one bit each,
// counted in parallel with two adders.
struct Held {
  explicit Held(uint32_t own) {
    const uint32_t m = OtherSet(own);
    Add(m, m >> 1, m >> 2, s1, c1);
    Add(m >> 3, m >> 4, m >> 5, s2, c2);
  }
  // 2 <= number <= 5.
  uint32_t AtLeast(int number) const {
    switch (number) {
      case 2:
        return c1 | c2 | (s1 & s2);
      case 3:
        return (c1 & c2) | ((c1 ^ c2) & (s1 | s2));
      case 4:
        return (c1 & c2) | ((c1 ^ c2) & s1 & s2);
      default:
        return c1 & c2 & (s1 | s2);
    }
  }

 private:
  static void Add(uint32_t a, uint32_t b, uint32_t c, uint32_t& sum, uint32_t& carry) {
    sum = a ^ b ^ c;
    carry = (a & b) | (c & (a ^ b));
  }
  uint32_t s1, c1, s2, c2;
};

bool HasBlock(uint32_t own, uint32_t windows) {
  const uint32_t one = OtherSet(own);
  const uint32_t two = one & (one >> 1);
  const uint32_t four = two & (two >> 2);
  return (four & (two >> 4) & windows) != 0;
}

// Whether `steps` more steps could complete a forbidden block at all.
bool AtRisk(const Side& side, int steps) {
  return side.windows != 0 && (Held(side.own).AtLeast(kBlock - steps) & side.windows) != 0;
}

uint32_t OwnAfter(const Side& side, int from, int die) {
  uint32_t own = side.own;
  if (side.count[from] == 1) own &= ~Bit(from);
  return from + die < kPoints ? own | Bit(from + die) : own;
}

// Rules 4, 5 and 7: the points from which `die` can be played, blocks apart.
uint32_t Movable(const Side& side, int die) {
  uint32_t from = side.own & ~(side.enemy >> die) & (kAllPoints >> die);
  if ((side.own & kOutside) == 0) {
    const uint32_t exact = Bit(kPoints - die);
    const uint32_t rearmost = side.own & (0 - side.own);
    from |= side.own & exact;
    if (rearmost > exact) from |= rearmost;
  }
  return side.head_left == 0 ? from & ~Bit(kHead) : from;
}

// Takes out the steps after which a forbidden block stands (rule 6).
uint32_t WithoutBlocks(const Side& side, int die, uint32_t from) {
  if (!AtRisk(side, 1)) return from;
  // If none stands now, only a step to a new point can make one.
  uint32_t suspects = from;
  if (!HasBlock(side.own, side.windows)) suspects &= ~(side.own >> die) & (kAllPoints >> die);
  for (; suspects != 0; suspects &= suspects - 1) {
    const int index = std::countr_zero(suspects);
    if (HasBlock(OwnAfter(side, index, die), side.windows)) from &= ~Bit(index);
  }
  return from;
}

// Steps that may follow inside a turn, and steps that may be its last.
uint32_t Next(const Side& side, int die) {
  const uint32_t from = Movable(side, die);
  return side.judged_at_end ? from : WithoutBlocks(side, die, from);
}
uint32_t Last(const Side& side, int die) { return WithoutBlocks(side, die, Movable(side, die)); }

void Play(Side& side, int from, int die) {
  side.own = OwnAfter(side, from, die);
  --side.count[from];
  if (from + die < kPoints) {
    ++side.count[from + die];
  } else {
    --side.on_board;
  }
  if (from == kHead) --side.head_left;
}

void TakeBack(Side& side, int from, int die) {
  ++side.count[from];
  side.own |= Bit(from);
  if (from + die >= kPoints) {
    ++side.on_board;
  } else if (--side.count[from + die] == 0) {
    side.own &= ~Bit(from + die);
  }
  if (from == kHead) ++side.head_left;
}

// ---- Two different dice.

// The points of `first` after which `die_b` can be played as the turn's last step.
uint32_t ThatGoOn(const Side& side, uint32_t first, int die_a, int die_b) {
  Side draft = side;
  uint32_t good = 0;
  for (uint32_t rest = first; rest != 0; rest &= rest - 1) {
    const int index = std::countr_zero(rest);
    Play(draft, index, die_a);
    if (draft.on_board > 0 && Last(draft, die_b) != 0) good |= Bit(index);
    TakeBack(draft, index, die_a);
  }
  return good;
}

// Two checkers beside the head can play this die: whatever the other die does, one of them is left.
bool AlwaysGoesOn(uint32_t from) { return std::popcount(from & ~Bit(kHead)) >= 2; }

// With one checker left, bearing it off ends the game, whatever dice are left (rule 9).
uint32_t Finishing(const Side& side, uint32_t from, int die) {
  return side.on_board == 1 ? from & ~(kAllPoints >> die) : 0;
}

Steps PlanPair(const Side& side, const Dice& dice) {
  const Steps next = {Next(side, dice.high), Next(side, dice.low)};
  const bool safe = !AtRisk(side, 2);
  Steps pairs;
  pairs.high =
      safe && AlwaysGoesOn(next.low) ? next.high : ThatGoOn(side, next.high, dice.high, dice.low);
  pairs.low =
      safe && AlwaysGoesOn(next.high) ? next.low : ThatGoOn(side, next.low, dice.low, dice.high);
  const Steps finishing = {Finishing(side, next.high, dice.high),
                           Finishing(side, next.low, dice.low)};
  if (!pairs.Empty()) return {pairs.high | finishing.high, pairs.low | finishing.low};
  // Only one die can be played: the higher one if it can.
  const uint32_t high = Last(side, dice.high);
  if (high != 0) return {high, finishing.low};
  return {0, Last(side, dice.low)};
}

// ---- Doubles.

// How often `die` can be played without bearing off, counted up to `enough`, blocks apart. Every
// step takes exactly one from this number, whichever is played and in whatever order.
int Hops(const Side& side, int die, int enough) {
  int hops = 0;
  for (uint32_t rest = Movable(side, die); rest != 0 && hops < enough; rest &= rest - 1) {
    const int from = std::countr_zero(rest);
    int run = 0;
    for (int at = from + die; at < kPoints && (side.enemy & Bit(at)) == 0 && run < enough;
         at += die) {
      ++run;
    }
    const int checkers =
        from == kHead ? std::min<int>(side.count[from], side.head_left) : side.count[from];
    hops += run * checkers;
  }
  return hops;
}

int CheckersOutside(const Side& side) {
  int outside = 0;
  for (int i = 0; i < kHome; ++i) outside += side.count[i];
  return outside;
}

// What the rest of a turn can come to: the most steps that can follow, -1 if it cannot end
// lawfully, and whether it can bear off the last checker.
struct Outlook {
  int8_t steps;
  bool finishes;
};

// Depth-first over distinct positions. Inside one double a position is told by the points that were
// played from, in any order: step i takes a checker from i to i + die, and no two different
// collections of steps sum to the same change. So two points, sorted, are a key.
class DoubleSearch {
 public:
  DoubleSearch(const Side& side, int die) : side_(side), die_(die) {
    std::memset(seen_, kUnseen, sizeof(seen_));
  }

  // `depth` steps were played from played_; `left` dice remain, at least one.
  Outlook Look(int depth, int left) {
    int8_t* const memo = depth == 1 || depth == 2 ? &seen_[Key(depth)] : nullptr;
    if (memo != nullptr && *memo != kUnseen) return Unpack(*memo);
    const Outlook outlook = left == 1 ? LookAtLast() : LookAhead(depth, left);
    if (memo != nullptr) *memo = Pack(outlook);
    return outlook;
  }

  Outlook After(int from, int depth, int left) {
    Play(side_, from, die_);
    Outlook outlook = {0, true};
    if (side_.on_board > 0) {
      played_[depth] = from;
      outlook = Look(depth + 1, left - 1);
    }
    TakeBack(side_, from, die_);
    return outlook;
  }

 private:
  static constexpr int8_t kUnseen = 127;

  static int8_t Pack(Outlook outlook) {
    return static_cast<int8_t>(outlook.steps + (outlook.finishes ? 16 : 0));
  }
  static Outlook Unpack(int8_t packed) {
    const bool finishes = packed >= 15;
    return {static_cast<int8_t>(packed - (finishes ? 16 : 0)), finishes};
  }

  int Key(int depth) const {
    const int a = played_[0] + 1;
    const int b = depth == 2 ? played_[1] + 1 : 0;
    return std::max(a, b) * (kPoints + 1) + std::min(a, b);
  }

  int8_t StepsIfOverNow() const {
    return side_.judged_at_end && HasBlock(side_.own, side_.windows) ? -1 : 0;
  }

  Outlook LookAtLast() const {
    const uint32_t from = Last(side_, die_);
    const int8_t steps = from != 0 ? int8_t{1} : StepsIfOverNow();
    return {steps, Finishing(side_, from, die_) != 0};
  }

  Outlook LookAhead(int depth, int left) {
    Outlook best = {StepsIfOverNow(), false};
    const bool may_finish = side_.on_board <= left;
    for (uint32_t rest = Next(side_, die_); rest != 0; rest &= rest - 1) {
      const Outlook next = After(std::countr_zero(rest), depth, left);
      if (next.steps >= 0) best.steps = std::max<int8_t>(best.steps, next.steps + 1);
      best.finishes |= next.finishes;
      if (best.steps == left && !may_finish) break;
    }
    return best;
  }

  Side side_;
  int die_;
  int played_[4] = {};
  int8_t seen_[(kPoints + 1) * (kPoints + 1)];
};

uint32_t SearchDouble(const Side& side, int die, int left) {
  DoubleSearch search(side, die);
  int most = 0;
  uint32_t longest = 0;
  uint32_t finishing = 0;
  for (uint32_t rest = Next(side, die); rest != 0; rest &= rest - 1) {
    const int from = std::countr_zero(rest);
    const Outlook outlook = search.After(from, 0, left);
    if (outlook.finishes) finishing |= Bit(from);
    const int steps = outlook.steps < 0 ? 0 : outlook.steps + 1;
    if (steps > most) longest = 0;
    if (steps > 0 && steps >= most) {
      most = steps;
      longest |= Bit(from);
    }
  }
  return longest | finishing;
}

uint32_t PlanDouble(const Side& side, int die, int left) {
  if (left == 1) return Last(side, die);
  if (!AtRisk(side, left)) {
    // Where order does not matter, every step that can be played leads to a longest turn.
    const int hops = Hops(side, die, left);
    if (hops >= left || CheckersOutside(side) > hops) return Movable(side, die);
  }
  return SearchDouble(side, die, left);
}

}  // namespace

uint32_t ForbiddenWindows(uint8_t prime_rule, uint32_t enemy_own, int enemy_off) {
  switch (prime_rule) {
    case kOpponentAhead: {
      if (enemy_off > 0 || enemy_own == 0) return 0;
      const int front = std::bit_width(enemy_own) - 1;
      // A block from s is forbidden unless an enemy stands beyond s + 5.
      return front <= kBlock - 1 ? kAllWindows : kAllWindows & ~(Bit(front - (kBlock - 1)) - 1);
    }
    case kOpponentHome:
      return enemy_off > 0 || (enemy_own & ~kOutside) != 0 ? 0 : kAllWindows;
    case kNever:
      return kAllWindows;
    default:
      return 0;
  }
}

Steps Plan(const Side& side, const Dice& dice) {
  if (dice.high == dice.low) return {PlanDouble(side, dice.high, dice.high_left), 0};
  if (dice.high_left != 0 && dice.low_left != 0) return PlanPair(side, dice);
  if (dice.high_left != 0) return {Last(side, dice.high), 0};
  return {0, Last(side, dice.low)};
}

}  // namespace astragal::long_narde
