#include "plugins/ashtapada/moves.h"

#include "plugins/ashtapada/quota.h"

namespace astragal::ashtapada {
namespace {

// Pieces of one seat on one index of the route that can still move.
struct Group {
  int from;
  int unmoved;
  bool can_move_together;
};

// Calls visit(group) for every group of the seat to act, in ascending order, until it says true.
template <class Visit>
bool AnyGroup(const Position& p, Visit&& visit) {
  const std::span<const uint8_t> pieces = p.PiecesOf(p.turn);
  size_t at = 0;
  while (at < pieces.size()) {
    const uint8_t piece = pieces[at];
    if (piece >= PieceAt(kKeep)) return false;
    size_t end = at + 1;
    while (end < pieces.size() && pieces[end] == piece) ++end;
    if (piece != PieceAt(kHand) && !HasMoved(piece)) {
      const int unmoved = static_cast<int>(end - at);
      size_t moved = end;
      while (moved < pieces.size() && pieces[moved] == piece + 1) ++moved;
      const int index = IndexOf(piece);
      const bool together = CanMoveTogether(p, index, static_cast<int>(moved - at), unmoved);
      if (visit(Group{index, unmoved, together})) return true;
    }
    at = end;
  }
  return false;
}

// The group on `from`; unmoved is 0 when there is none.
Group FindGroup(const Position& p, int from) {
  Group found{from, 0, false};
  AnyGroup(p, [&](const Group& group) {
    if (group.from != from) return false;
    found = group;
    return true;
  });
  return found;
}

bool IsQuotaOn(const Position& p) { return p.option[kForgo] == kNone; }

// Calls body(quota), null when throws may be left unused. A Quota is big: it is made only here, so
// that other games do not pay for it.
template <class Body>
auto WithQuota(const Position& p, Body&& body) {
  if (!IsQuotaOn(p)) return body(nullptr);
  Quota quota(p);
  return body(&quota);
}

bool MayStop(const Position& p) {
  if (p.pick_size != 0) return false;
  return p.option[kForgo] == kAny || (p.option[kForgo] == kAfterFirst && (p.flags & kActed) != 0);
}

// All of R: what is left and what a move in the making holds.
ThrowSet Remaining(const Position& p) {
  ThrowSet all = p.left;
  all.Add(p.picked);
  return all;
}

// The position as it was before the move in the making was begun.
Position WithoutPick(const Position& p) {
  Position before = p;
  before.left = Remaining(p);
  before.picked = {};
  before.pick_from = 0;
  before.pick_size = 0;
  return before;
}

// Whether some legal move of `size` pieces from `from` uses at least `part`.
bool CanComplete(const Position& p, Quota* quota, int from, int size, const ThrowSet& part) {
  const uint64_t blocked = BlockedIndices(p, p.turn);
  return AnyPart(p.left, LongestSum(p, from, size), [&](const ThrowSet& throws, int sum) {
    if (!throws.Contains(part)) return false;
    const int to = Landing(p, blocked, from, size, sum);
    if (to < 0) return false;
    if (quota == nullptr) return true;
    return quota->Keeps({kMove, static_cast<uint8_t>(from), static_cast<uint8_t>(size), throws},
                        to);
  });
}

bool CanGo(const Position& before, Quota* quota, const Position& p) {
  const int to =
      Landing(before, BlockedIndices(before, p.turn), p.pick_from, p.pick_size, p.picked.Sum());
  if (p.picked.Size() == 0 || to < 0) return false;
  return quota == nullptr || quota->Keeps({kMove, p.pick_from, p.pick_size, p.picked}, to);
}

// Lists what may follow while a move is put together.
void ListSteps(const Position& p, sdk::Sink<int64_t>& out) {
  const Position before = WithoutPick(p);
  WithQuota(before, [&](Quota* quota) {
    for (int score = 0; score < kScores; ++score) {
      if (p.left[score] == 0) continue;
      ThrowSet part = p.picked;
      ++part[score];
      if (!CanComplete(before, quota, p.pick_from, p.pick_size, part)) continue;
      out.Add(Encode({kAdd, 0, 0, Single(score)}));
    }
    if (CanGo(before, quota, p)) out.Add(Encode({kGo, 0, 0, {}}));
  });
}

void ListMoves(const Position& p, uint64_t blocked, Quota* quota, sdk::Sink<int64_t>& out) {
  const bool in_steps = MovesInSteps(p);
  AnyGroup(p, [&](const Group& group) {
    const uint8_t from = static_cast<uint8_t>(group.from);
    for (uint8_t size = 1; size <= (group.can_move_together ? 2 : 1); ++size) {
      if (in_steps) {
        if (CanComplete(p, quota, from, size, {})) out.Add(Encode({kPick, from, size, {}}));
        continue;
      }
      AnyPart(p.left, LongestSum(p, from, size), [&](const ThrowSet& throws, int sum) {
        const Action move{kMove, from, size, throws};
        const int to = Landing(p, blocked, from, size, sum);
        if (to >= 0 && (quota == nullptr || quota->Keeps(move, to))) out.Add(Encode(move));
        return false;
      });
    }
    return false;
  });
}

void ListActions(const Position& p, Quota* quota, sdk::Sink<int64_t>& out) {
  const uint64_t blocked = BlockedIndices(p, p.turn);
  for (const uint8_t kind : {kEnter, kBearOff}) {
    const bool may = kind == kEnter ? MayEnter(p, p.turn, blocked) : MayBearOff(p, p.turn);
    const Action action{kind, 0, 0, Single(kOne)};
    if (may && (quota == nullptr || quota->Keeps(action, 0))) out.Add(Encode(action));
  }
  ListMoves(p, blocked, quota, out);
}

// Is a move of the group possible at all, whatever comes after?
bool CanGroupMove(const Position& p, uint64_t blocked, const Group& group) {
  for (int size = 1; size <= (group.can_move_together ? 2 : 1); ++size) {
    for (int score = 0; score < kScores; ++score) {
      if (p.left[score] == 0) continue;
      if (Landing(p, blocked, group.from, size, kScoreValues[score]) >= 0) return true;
    }
    // Unless boxes are blocked, a sum is possible only if each of its throws is: for single pieces
    // it goes further, and twins that go half the way need a 1 more only where one piece can go.
    if (blocked != 0 && CanComplete(p, nullptr, group.from, size, {})) return true;
  }
  return false;
}

bool IsLegalMove(const Position& p, const Action& action, sdk::Error& error) {
  const bool in_steps = MovesInSteps(p);
  if (action.kind == kMove && in_steps) {
    return error.Refuse("", "There are too many throws to move at once: pick the piece first.");
  }
  if (action.kind == kPick && !in_steps) {
    return error.Refuse("", "Name the throws together with the piece.");
  }
  const Group group = FindGroup(p, action.from);
  if (group.unmoved == 0) {
    return error.Refuse("", "You have no piece there that has not moved in this series.");
  }
  if (action.size == 2 && !group.can_move_together) {
    return error.Refuse("", "There are no twins of yours there that can move.");
  }
  if (action.kind == kPick) {
    const bool can_move = WithQuota(
        p, [&](Quota* quota) { return CanComplete(p, quota, action.from, action.size, {}); });
    if (can_move) return true;
    return error.Refuse("", "No combination of your throws moves this piece.");
  }
  if (!p.left.Contains(action.throws)) {
    return error.Refuse("", "You do not have these throws left.");
  }
  const int sum = action.throws.Sum();
  if (sum > LongestSum(p, action.from, action.size)) {
    return error.Refuse("", "That goes beyond the keep, which needs the exact number.");
  }
  if (Landing(p, BlockedIndices(p, p.turn), action.from, action.size, sum) < 0) {
    return error.Refuse("", sum == 1 ? "A half of 1 is not a move."
                                     : "An enemy on that marked box keeps you from it.");
  }
  return true;
}

bool IsLegalStep(const Position& p, const Action& action, sdk::Error& error) {
  if (p.pick_size == 0) return error.Refuse("", "Pick a piece first.");
  if (action.kind == kAdd && !p.left.Contains(action.throws)) {
    return error.Refuse("", "You do not have this throw left.");
  }
  const Position before = WithoutPick(p);
  if (action.kind == kGo) {
    if (WithQuota(before, [&](Quota* quota) { return CanGo(before, quota, p); })) return true;
    return error.Refuse("", "The throws that you added do not make a legal move.");
  }
  ThrowSet part = p.picked;
  part.Add(action.throws);
  const bool can_move = WithQuota(before, [&](Quota* quota) {
    return CanComplete(before, quota, p.pick_from, p.pick_size, part);
  });
  if (can_move) return true;
  return error.Refuse("", "With this throw the piece has no legal move.");
}

// Legal but for the option that as many throws as possible must be used.
bool IsLegalAlone(const Position& p, const Action& action, sdk::Error& error) {
  const uint64_t blocked = BlockedIndices(p, p.turn);
  switch (action.kind) {
    case kStop:
      if (MayStop(p)) return true;
      if (p.option[kForgo] == kNone) {
        return error.Refuse("", "As many throws as possible must be used: you may not stop.");
      }
      return error.Refuse("", "You may stop only after your first action.");
    case kEnter:
      if (MayEnter(p, p.turn, blocked)) return true;
      if (p.left[kOne] == 0) return error.Refuse("", "Entering needs a throw of 1.");
      if ((blocked & 1) != 0) return error.Refuse("", "An enemy stands on your entry box.");
      return error.Refuse("", "You have no piece in hand.");
    case kBearOff:
      if (MayBearOff(p, p.turn)) return true;
      if (p.left[kOne] == 0) return error.Refuse("", "Bearing off needs a throw of 1.");
      return error.Refuse("",
                          "You may bear off when all your pieces are in the keep, and not with "
                          "one that came there in this series.");
    default:
      return IsLegalMove(p, action, error);
  }
}

}  // namespace

uint64_t BlockedIndices(const Position& p, int seat) {
  if (p.option[kMarkedBox] != kBlock) return 0;
  uint64_t blocked = 0;
  for (const uint8_t enemy : p.PlayOrder()) {
    if (enemy == seat) continue;
    for (const uint8_t piece : p.PiecesOf(enemy)) {
      const int index = IndexOf(piece);
      if (index < 0 || index >= kKeep || !IsMarkedIndex(index)) continue;
      blocked |= uint64_t{1} << p.IndexOn(seat, p.SquareOf(enemy, index));
    }
  }
  return blocked;
}

bool HasAnyAction(const Position& p) {
  const uint64_t blocked = BlockedIndices(p, p.turn);
  if (MayEnter(p, p.turn, blocked) || MayBearOff(p, p.turn)) return true;
  return AnyGroup(p, [&](const Group& group) { return CanGroupMove(p, blocked, group); });
}

bool IsLegal(const Position& p, const Action& action, sdk::Error& error) {
  if (action.kind == kAdd || action.kind == kGo) return IsLegalStep(p, action, error);
  if (p.pick_size != 0) {
    return error.Refuse("", "Finish the move first: add throws, then go.");
  }
  if (!IsLegalAlone(p, action, error)) return false;
  if (!IsQuotaOn(p) || action.kind == kStop || action.kind == kPick) return true;
  const int to = action.kind == kMove ? Landing(p, BlockedIndices(p, p.turn), action.from,
                                                action.size, action.throws.Sum())
                                      : 0;
  if (Quota(p).Keeps(action, to)) return true;
  return error.Refuse("", "As many throws as possible must be used: this leaves more unused.");
}

void Position::Actions(sdk::Sink<int64_t>& out) const {
  if (phase != kActing) return;
  if (pick_size != 0) return ListSteps(*this, out);
  if (MayStop(*this)) out.Add(Encode({kStop, 0, 0, {}}));
  WithQuota(*this, [&](Quota* quota) { ListActions(*this, quota, out); });
}

}  // namespace astragal::ashtapada
