// What a position shows: plain values that Ruleset fills from the plugin's answers, already checked
// (seats, kinds and counts are in range, texts are UTF-8).
#ifndef ASTRAGAL_PLUGINS_HOST_VIEW_H_
#define ASTRAGAL_PLUGINS_HOST_VIEW_H_

#include <cstdint>
#include <string>

namespace astragal::host {

// What Ruleset::Actor answers when it is nobody's seat.
inline constexpr int kChance = -1;
inline constexpr int kOver = -2;
// The plugin contradicts what it said when the position was made: treat it as a RULESET_FAULT.
inline constexpr int kBroken = -3;

// An action of the actor kChance: outcome number `outcome` of throw kind `kind`.
constexpr int64_t ChanceAction(int kind, int outcome) {
  return (static_cast<int64_t>(kind) << 16) | outcome;
}
constexpr int ChanceKind(int64_t action) { return static_cast<int>(action >> 16); }
constexpr int ChanceOutcome(int64_t action) { return static_cast<int>(action & 0xFFFF); }

enum class EffectKind {
  kMove = 1,
  kEnter,
  kCapture,
  kBearOff,
  kThrow,
  kDiscard,
  kPass,
  kExtraThrow,
  kPay,
  kTake,
  kFinish,
  kTurn,
  kStop,
};

// One step of what an action does; see ASTRAGAL_EFFECT_* for what each field means for each kind.
struct Effect {
  EffectKind kind = EffectKind::kMove;
  int seat = -1;
  int piece = -1;  // index into About::piece_kinds, -1 none
  int from = -1;   // place id, -1 none
  int to = -1;     // place id, -1 none; for kPay the seat that receives, -1 the pot
  int64_t amount = 0;

  friend bool operator==(const Effect&, const Effect&) = default;
};

// Place 1 is the best and ties share a number; 0 while the seat still plays.
struct SeatResult {
  int place = 0;
  int64_t points = 0;

  friend bool operator==(const SeatResult&, const SeatResult&) = default;
};

// What the others still score together if a seat stops now.
struct ConcessionRange {
  int64_t fewest = 0;  // a resignation offers at least this
  int64_t most = 0;    // a timeout costs this
};

enum class Shape { kSquare = 0, kTriangleUp, kTriangleDown, kCircle, kTray };

// Or-ed together in Place::marks.
inline constexpr uint32_t kMarkStart = 1u << 0;
inline constexpr uint32_t kMarkSafe = 1u << 1;
inline constexpr uint32_t kMarkPenalty = 1u << 2;
inline constexpr uint32_t kMarkExtra = 1u << 3;
inline constexpr uint32_t kMarkCentre = 1u << 4;
inline constexpr uint32_t kMarkHome = 1u << 5;
inline constexpr uint32_t kMarkDark = 1u << 6;

// One place where a piece can stand. Thousandths of a unit square, x to the right, y down.
struct Place {
  int id = 0;
  int x = 0;  // of the centre
  int y = 0;
  int width = 0;
  int height = 0;
  Shape shape = Shape::kSquare;
  uint32_t marks = 0;
  int seat = -1;  // whose tray, start or home; -1 nobody's
  std::string label;
};

// `count` pieces of one seat and kind on one place.
struct Piece {
  int place = 0;
  int seat = 0;
  int kind = 0;
  int count = 0;

  friend bool operator==(const Piece&, const Piece&) = default;
};

// A throw made in this turn.
struct Throw {
  int seat = 0;
  int64_t value = 0;
  bool used = false;
};

// A named integer: coins, pot, throws left.
struct Counter {
  int seat = -1;  // -1: the table's
  int64_t value = 0;
  std::string name;
};

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_VIEW_H_
