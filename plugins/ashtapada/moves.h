// What the seat to act may do: the rules for one move, and whether there is any. The position is
// taken to be in the action phase, or about to enter it. Pure; nothing allocates.
#ifndef ASTRAGAL_PLUGINS_ASHTAPADA_MOVES_H_
#define ASTRAGAL_PLUGINS_ASHTAPADA_MOVES_H_

#include <astragal/sink.hpp>
#include <cstdint>

#include "plugins/ashtapada/action.h"
#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {

// A list of actions is at most kMaxActions long, by construction. The pieces that can move form at
// most kMaxPieces pairs (index, size): an index with one unmoved piece gives one pair, one with
// more gives two. With at most kMaxListedParts sub-multisets a pair gives as many moves; entering,
// bearing off and stopping are one action each. When the throws left have more parts than that
// (eighteen throws at the least), a move is put together step by step instead: pick the piece
// (at most kMaxPieces actions), add throws (kScores) and go.
inline constexpr int kMaxListedParts = 511;
inline constexpr int kMaxActions = kMaxPieces * kMaxListedParts + 3;
static_assert(kMaxActions <= static_cast<int>(ASTRAGAL_MAX_ACTIONS));

inline bool MovesInSteps(const Position& p) { return p.left.Parts() - 1 > kMaxListedParts; }

// Own indices of `seat` on which it may not land: marked boxes with an enemy on them, when the
// options say that they block. Bit k is index k.
uint64_t BlockedIndices(const Position& p, int seat);

// May two pieces of `seat` standing on `index` move together, given how many stand there and how
// many of them have not moved in this series?
inline bool CanMoveTogether(const Position& p, int index, int standing, int unmoved) {
  if (p.option[kTwinFormation] == kTwinsOff || IsMarkedIndex(index)) return false;
  if (p.option[kTriplets] == kAsTwins) return unmoved >= 2;
  return standing == 2 && unmoved == 2;
}

// Where `size` pieces on `from` land with throws of this sum; -1 when they may not.
inline int Landing(const Position& p, uint64_t blocked, int from, int size, int sum) {
  const int steps = size == 2 && p.option[kTwinMove] == kHalf ? sum / 2 : sum;
  const int to = from + steps;
  if (steps == 0 || to > kKeep || (blocked >> to & 1) != 0) return -1;
  return to;
}

// The largest sum that can bring `size` pieces from `from` to a landing.
inline int LongestSum(const Position& p, int from, int size) {
  const int way = kKeep - from;
  return size == 2 && p.option[kTwinMove] == kHalf ? 2 * way + 1 : way;
}

inline bool MayEnter(const Position& p, int seat, uint64_t blocked) {
  return p.left[kOne] > 0 && p.piece[seat][0] == PieceAt(kHand) && (blocked & 1) == 0;
}

// All remaining pieces in the keep, one of them unmoved (they are sorted, so that one is first).
inline bool MayBearOff(const Position& p, int seat) {
  return p.left[kOne] > 0 && p.piece[seat][0] == PieceAt(kKeep);
}

// Has the seat to act anything to do but stop?
bool HasAnyAction(const Position& p);

// Whether `action` is legal for the seat to act; if not, says why.
bool IsLegal(const Position& p, const Action& action, sdk::Error& error);

}  // namespace astragal::ashtapada

#endif  // ASTRAGAL_PLUGINS_ASHTAPADA_MOVES_H_
