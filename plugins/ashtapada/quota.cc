#include "plugins/ashtapada/quota.h"

#include <algorithm>

#include "plugins/ashtapada/moves.h"
#include "plugins/ashtapada/pieces.h"

namespace astragal::ashtapada {
namespace {

// One index of the own route with pieces on it.
struct Stack {
  int index;
  int unmoved;
  int moved;
};

// The pieces of the seat to act as stacks on the route, and how many are elsewhere.
struct Side {
  Stack stacks[kMaxPieces];
  int stack_count = 0;
  int in_hand = 0;
  int can_bear_off = 0;     // in the keep, not moved in this series
  bool has_stayer = false;  // a piece on the route that has moved already
  uint64_t blocked = 0;
};

Side Survey(const Position& p) {
  Side side;
  side.blocked = BlockedIndices(p, p.turn);
  for (const uint8_t piece : p.PiecesOf(p.turn)) {
    const int index = IndexOf(piece);
    const bool moved = HasMoved(piece);
    if (index == kHand) {
      ++side.in_hand;
    } else if (index == kKeep) {
      side.can_bear_off += moved ? 0 : 1;
    } else if (index < kKeep) {
      const bool is_new = side.stack_count == 0 || side.stacks[side.stack_count - 1].index != index;
      if (is_new) side.stacks[side.stack_count++] = {index, 0, 0};
      Stack& stack = side.stacks[side.stack_count - 1];
      ++(moved ? stack.moved : stack.unmoved);
      side.has_stayer |= moved;
    }
  }
  return side;
}

enum class Plan { kFree, kHome };

// Sums that bring `size` pieces from `index` to a landing that the plan allows.
NumberSet AllowedSums(const Position& p, const Side& side, int index, int size, Plan plan) {
  NumberSet sums{0, 0};
  const int longest = std::min(LongestSum(p, index, size), p.left.Sum());
  for (int sum = 1; sum <= longest; ++sum) {
    const int to = Landing(p, side.blocked, index, size, sum);
    if (to == kKeep || (to >= 0 && plan == Plan::kFree)) sums.Put(sum);
  }
  return sums;
}

// table <- table with `times` bins.
void AddBins(UsableThrows& table, const ThrowSet& r, const NumberSet& sums, int times) {
  for (int i = 0; i < times; ++i) {
    UsableThrows next;
    next.Reset(r);
    next.AddBin(table, sums);
    table = next;
  }
}

// The ways in which a stack can move: `twins` pairs, the other pieces one by one.
struct Ways {
  int most_twins;
  bool others_must_move;  // before the twins can
};

Ways WaysOf(const Position& p, const Stack& stack, Plan plan) {
  const bool singles_do_as_well = plan == Plan::kFree && p.option[kTwinMove] == kFull;
  if (p.option[kTwinFormation] == kTwinsOff || IsMarkedIndex(stack.index) || singles_do_as_well) {
    return {0, false};
  }
  if (p.option[kTriplets] == kAsTwins) return {stack.unmoved / 2, false};
  return {stack.moved == 0 && stack.unmoved >= 2 ? 1 : 0, true};
}

void AddStack(const Position& p, const Side& side, const Stack& stack, Plan plan,
              UsableThrows& table) {
  const NumberSet must = AllowedSums(p, side, stack.index, 1, plan);
  NumberSet may = must;
  if (plan == Plan::kFree) may.Put(0);
  const Ways ways = WaysOf(p, stack, plan);
  UsableThrows joined = table;
  AddBins(joined, p.left, may, stack.unmoved);
  const NumberSet pair =
      ways.most_twins > 0 ? AllowedSums(p, side, stack.index, 2, plan) : NumberSet{0, 0};
  for (int twins = 1; twins <= ways.most_twins; ++twins) {
    UsableThrows way = table;
    AddBins(way, p.left, pair, twins);
    AddBins(way, p.left, ways.others_must_move ? must : may, stack.unmoved - 2 * twins);
    joined.Join(way);
  }
  table = joined;
}

// Pieces from the hand: each uses a 1 and may then move from index 0. In the home plan all must.
void AddEntries(const Position& p, const Side& side, Plan plan, UsableThrows& table) {
  NumberSet sums = AllowedSums(p, side, 0, 1, plan);
  if (plan == Plan::kFree) sums.Put(0);
  const bool can_enter = (side.blocked & 1) == 0;
  const int most = can_enter ? std::min<int>(side.in_hand, p.left[kOne]) : 0;
  if (plan == Plan::kHome && most < side.in_hand) {
    table.Reset(p.left);
    return;
  }
  UsableThrows entered = table;
  for (int i = 0; i < most; ++i) {
    entered.UseOne();
    AddBins(entered, p.left, sums, 1);
    if (plan == Plan::kFree) table.Join(entered);
  }
  if (plan == Plan::kHome) table = entered;
}

// Whether one unmoved piece alone can use all of `throws`, which is often so and quickly seen. Of
// the pieces on `but_from`, `but` are not there any more.
bool OnePieceUsesAll(const Position& p, const ThrowSet& throws, int but_from, int but) {
  const int sum = throws.Sum();
  const uint64_t blocked = BlockedIndices(p, p.turn);
  for (const uint8_t piece : p.PiecesOf(p.turn)) {
    const int index = IndexOf(piece);
    if (index < 0 || index >= kKeep || HasMoved(piece)) continue;
    if (index == but_from && but-- > 0) continue;
    if (Landing(p, blocked, index, 1, sum) >= 0) return true;
  }
  return false;
}

void FindPlan(const Position& p, const Side& side, Plan plan, UsableThrows& table) {
  table.Reset(p.left);
  table.AddEmpty();
  for (int i = side.stack_count - 1; i >= 0; --i) {
    AddStack(p, side, side.stacks[i], plan, table);
  }
  AddEntries(p, side, plan, table);
}

}  // namespace

void UsableThrows::Reset(const ThrowSet& r) {
  ones_ = r[kOne];
  extras_ = r[kTwo] + r[kThree] > 0 ? 1 : 0;
  extra_value_ = r[kTwo] > 0 ? 2 : 3;
  fours_ = r[kFour];
  eights_ = r[kEight];
  limit_ = {0, 0};
  for (int i = 0; i <= ones_; ++i) limit_.Put(i);
  for (int i = 0; i < cells(); ++i) cells_[i] = {0, 0};
}

UsableThrows::UsableThrows(const UsableThrows& other) { *this = other; }

UsableThrows& UsableThrows::operator=(const UsableThrows& other) {
  if (this == &other) return *this;
  ones_ = other.ones_;
  extras_ = other.extras_;
  extra_value_ = other.extra_value_;
  fours_ = other.fours_;
  eights_ = other.eights_;
  limit_ = other.limit_;
  std::copy_n(other.cells_, cells(), cells_);
  return *this;
}

void UsableThrows::Join(const UsableThrows& other) {
  for (int i = 0; i < cells(); ++i) cells_[i].Join(other.cells_[i]);
}

void UsableThrows::UseOne() {
  for (int i = 0; i < cells(); ++i) cells_[i] = cells_[i].Plus(1, limit_);
}

void UsableThrows::AddBin(const UsableThrows& from, const NumberSet& sums) {
  const int longest = sums.Largest();
  for (int x = 0; x <= extras_; ++x) {
    for (int e = 0; e <= eights_ && 8 * e <= longest; ++e) {
      for (int f = 0; f <= fours_; ++f) {
        const int base = x * extra_value_ + 8 * e + 4 * f;
        if (base > longest) break;
        // Runs of numbers of 1s that make an allowed sum.
        const int most = std::min(ones_, longest - base);
        for (int o = 0; o <= most; ++o) {
          const int first = o;
          while (o <= most && sums.Has(base + o)) ++o;
          if (o > first) AddPart(from, {x, e, f}, {first, o - first});
        }
      }
    }
  }
}

void UsableThrows::AddPart(const UsableThrows& from, const Part& part, const Ones& ones) {
  for (int x = 0; x + part.extras <= extras_; ++x) {
    for (int e = 0; e + part.eights <= eights_; ++e) {
      for (int f = 0; f + part.fours <= fours_; ++f) {
        const NumberSet& before = from.At(x, e, f);
        if (before.IsEmpty()) continue;
        At(x + part.extras, e + part.eights, f + part.fours)
            .Join(before.PlusEach(ones.first, ones.length, limit_));
      }
    }
  }
}

int UsableThrows::Most(const ThrowSet& within) const {
  const int extras = std::min<int>(extras_, within[kTwo] + within[kThree]);
  int most = -1;
  for (int x = 0; x <= extras; ++x) {
    for (int e = 0; e <= within[kEight]; ++e) {
      for (int f = 0; f <= within[kFour]; ++f) {
        const NumberSet& ones = At(x, e, f);
        int o = within[kOne];
        while (o >= 0 && !ones.Has(o)) --o;
        if (o >= 0) most = std::max(most, x + e + f + o);
      }
    }
  }
  return most;
}

void FindUsable(const Position& p, UsableThrows& out) {
  const Side side = Survey(p);
  FindPlan(p, side, Plan::kFree, out);
  if (side.has_stayer || side.can_bear_off == 0 || p.left[kOne] == 0) return;
  UsableThrows home;
  FindPlan(p, side, Plan::kHome, home);
  for (int i = 0; i < side.can_bear_off; ++i) {
    home.UseOne();
    out.Join(home);
  }
}

Quota::Quota(const Position& p) : p_(p) {
  most_ = p.left.Size();
  // The seat to act has something to do, so it can use a single throw.
  if (most_ == 1 || OnePieceUsesAll(p, p.left, kHand, 0)) return;
  UsableThrows now;
  FindUsable(p, now);
  most_ = now.Most(p.left);
}

void Quota::FindAfter(const Action& action, int to, UsableThrows& out) const {
  Position after = p_;
  MovePieces(after, action, to);
  FindUsable(after, out);
}

bool Quota::Keeps(const Action& action, int to) {
  ThrowSet rest = p_.left;
  rest.Remove(action.throws);
  const int needed = most_ - action.throws.Size();
  if (needed <= 0) return true;
  if (OnePieceUsesAll(p_, rest, action.from, action.size)) return true;
  if (action.kind != kMove) {
    UsableThrows after;
    FindAfter(action, to, after);
    return after.Most(rest) >= needed;
  }
  // Only a landing among own pieces that can still move changes what those can do.
  bool joins_others = false;
  for (const uint8_t piece : p_.PiecesOf(p_.turn)) joins_others |= piece == PieceAt(to);
  const int landing = joins_others || to == kKeep ? to : kElsewhere;
  for (const Known& known : known_) {
    if (known.from != action.from || known.size != action.size || known.to != landing) continue;
    return known.after.Most(rest) >= needed;
  }
  Known& known = known_[next_];
  next_ = (next_ + 1) % kKnown;
  FindAfter(action, to, known.after);
  known.from = action.from;
  known.size = action.size;
  known.to = landing;
  return known.after.Most(rest) >= needed;
}

}  // namespace astragal::ashtapada
