// What a seat can decide, and its 64-bit code. A code means the same in every position:
//
//   bits 0-34   how many throws of 1, 2, 3, 4 and 8 it uses, 7 bits each, the 1s lowest
//   bits 35-36  how many pieces move, 1 or 2
//   bits 37-42  the mover's own index they move from
//   bits 43-45  the kind; stop is the whole code 0
//
// Codes stay below 2^46, so that they survive a JSON number.
#ifndef ASTRAGAL_PLUGINS_ASHTAPADA_ACTION_H_
#define ASTRAGAL_PLUGINS_ASHTAPADA_ACTION_H_

#include <cstdint>

#include "plugins/ashtapada/throws.h"

namespace astragal::ashtapada {

enum ActionKind : uint8_t {
  kStop = 0,
  kEnter = 1,    // uses a 1
  kBearOff = 2,  // uses a 1
  kMove = 3,     // from, size, throws
  // Only when the throws of a very long series have more parts than can be listed: the same move
  // is put together in steps. See kMaxListedParts in moves.h.
  kPick = 4,  // from, size: these pieces will move
  kAdd = 5,   // one throw more for the move
  kGo = 6     // carries the move out
};

struct Action {
  uint8_t kind;
  uint8_t from;
  uint8_t size;
  ThrowSet throws;
};

int64_t Encode(const Action& action);

// False when the code is not one that Encode() gives for an action that some position may have.
bool Decode(int64_t code, Action& action);

}  // namespace astragal::ashtapada

#endif  // ASTRAGAL_PLUGINS_ASHTAPADA_ACTION_H_
