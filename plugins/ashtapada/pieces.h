// Changes to a seat's sorted pieces, and nothing else: turn.cc and quota.cc build on them.
#ifndef ASTRAGAL_PLUGINS_ASHTAPADA_PIECES_H_
#define ASTRAGAL_PLUGINS_ASHTAPADA_PIECES_H_

#include <cstdint>

#include "plugins/ashtapada/action.h"
#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {

// Replaces one `old_piece` of the seat, which must be there, by `new_piece`; keeps the order.
inline void Replace(Position& p, int seat, uint8_t old_piece, uint8_t new_piece) {
  uint8_t* const pieces = p.piece[seat];
  const int count = p.PieceCount();
  int at = 0;
  while (pieces[at] != old_piece) ++at;
  for (; at + 1 < count && pieces[at + 1] < new_piece; ++at) pieces[at] = pieces[at + 1];
  for (; at > 0 && pieces[at - 1] > new_piece; --at) pieces[at] = pieces[at - 1];
  pieces[at] = new_piece;
}

// What a legal kEnter, kBearOff or kMove (landing on `to`) does to the pieces of the seat to act.
inline void MovePieces(Position& p, const Action& action, int to) {
  if (action.kind == kEnter) {
    Replace(p, p.turn, PieceAt(kHand), PieceAt(0));
  } else if (action.kind == kBearOff) {
    Replace(p, p.turn, PieceAt(kKeep), PieceAt(kOff));
  } else {
    for (int i = 0; i < action.size; ++i) {
      Replace(p, p.turn, PieceAt(action.from), PieceAt(to, true));
    }
  }
}

}  // namespace astragal::ashtapada

#endif  // ASTRAGAL_PLUGINS_ASHTAPADA_PIECES_H_
