// A position of Ashtapada: 71 bytes, nothing hidden. Plain data with the members that
// <astragal/ruleset.hpp> asks of a ruleset; each group of members has a source file of its own.
//
// Pieces of a seat are interchangeable, so they are kept sorted, and everything that has no meaning
// in a phase is zero: equal positions have equal bytes. Start, Leave and ParsePosition may leave it
// half changed when they return false (the adapter gives them a copy); Apply does not.
// Thread contract: as in <astragal/ruleset.h>, pure. Nothing here allocates.
#ifndef ASTRAGAL_PLUGINS_ASHTAPADA_POSITION_H_
#define ASTRAGAL_PLUGINS_ASHTAPADA_POSITION_H_

#include <astragal/ruleset.h>

#include <astragal/sink.hpp>
#include <cstdint>
#include <span>
#include <string_view>

#include "plugins/ashtapada/geometry.h"
#include "plugins/ashtapada/options.h"
#include "plugins/ashtapada/throws.h"

namespace astragal::ashtapada {

enum Phase : uint8_t {
  kOrdering = 0,  // each seat throws once, the highest starts
  kThrowing = 1,  // a series is being thrown
  kActing = 2,    // the seat whose turn it is has at least one legal action
  kOver = 3
};

enum Flag : uint8_t { kActed = 1, kCaptured = 2 };

// In Position::ordered: a seat that another one has outthrown.
inline constexpr uint8_t kOutthrown = 9;

// A piece as one byte: twice its own index plus one, and one more if it has moved in this series.
constexpr uint8_t PieceAt(int index, bool moved = false) {
  return static_cast<uint8_t>((index + 1) * 2 + (moved ? 1 : 0));
}
constexpr int IndexOf(uint8_t piece) { return (piece >> 1) - 1; }
constexpr bool HasMoved(uint8_t piece) { return (piece & 1) != 0; }

struct Position {
  uint8_t option[kOptionCount];
  uint8_t phase;
  uint8_t turn;                       // the seat that throws or acts; 0 when the game is over
  uint8_t flags;                      // kActed, kCaptured: of this series
  ThrowSet left;                      // still to use in this series
  ThrowSet used;                      // used or discarded in this series
  uint8_t ordered[kSeats];            // kOrdering: 1 + score of the throw, 0 to throw, kOutthrown
  uint8_t place[kSeats];              // final place of a seat that finished or left, else 0
  uint8_t pick_from;                  // a move that is being put together (kPick): own index,
  uint8_t pick_size;                  // how many pieces (0: none is),
  ThrowSet picked;                    // and its throws so far, taken from `left`
  uint8_t piece[kSeats][kMaxPieces];  // ascending, the first option[kPieces] count

  static constexpr bool kChecksBeforeChange = true;  // see <astragal/concepts.hpp>

  // about.cc
  static astragal_about About();

  // turn.cc
  bool Start(std::span<const int64_t> options, sdk::Error& error);
  int32_t Actor() const {
    return phase == kActing ? turn : phase == kOver ? ASTRAGAL_OVER : ASTRAGAL_CHANCE;
  }
  uint32_t Seats() const { return option[kPlayers]; }
  void Options(std::span<int64_t> out) const;
  int32_t Chances() const {
    return phase == kOrdering || phase == kThrowing ? option[kThrowWeights] : -1;
  }
  bool Apply(int32_t actor, int64_t action, sdk::Error& error);
  bool Leave(int32_t seat, sdk::Error& error);
  void Effects(int32_t actor, int64_t action, sdk::Sink<astragal_effect>& out) const;
  void Result(std::span<astragal_seat_result> out) const;
  bool Concession(int32_t seat, astragal_concession& out) const;

  // moves.cc
  void Actions(sdk::Sink<int64_t>& out) const;

  // check.cc
  bool Check(sdk::Error& error) const;

  // notation.cc
  void Format(int32_t seat, int64_t action, sdk::TextSink& out) const;
  bool Parse(int32_t seat, std::string_view text, int64_t& action, sdk::Error& error) const;

  // position_text.cc
  void FormatPosition(sdk::TextSink& out) const;
  // read_position.cc
  bool ParsePosition(std::string_view text, sdk::Error& error);

  // show.cc
  void Places(sdk::Sink<astragal_place>& out) const;
  void Pieces(sdk::Sink<astragal_piece>& out) const;
  void Throws(sdk::Sink<astragal_throw>& out) const;
  void Counters(sdk::Sink<astragal_counter>& out) const;
  Position Mirrored() const;
  int32_t MirrorSeat(int32_t seat) const;
  int64_t MirrorAction(int32_t actor, int64_t action) const;

  // board_text.cc
  void Text(sdk::TextSink& out) const;

  // evaluate.cc
  int32_t Evaluate(int32_t seat) const;

  // ---- Small facts used everywhere.
  int PieceCount() const { return option[kPieces]; }
  std::span<const uint8_t> PiecesOf(int seat) const {
    return {piece[seat], static_cast<size_t>(option[kPieces])};
  }
  int SquareOf(int seat, int index) const { return kRoutes.square[option[kEntryBox]][seat][index]; }
  int IndexOn(int seat, int square) const { return kRoutes.index[option[kEntryBox]][seat][square]; }
  int LeftOf(int seat) const { return kLeftOf[option[kPlayers]][seat]; }
  std::span<const uint8_t> PlayOrder() const {
    return {kPlayOrder[option[kPlayers]], static_cast<size_t>(option[kPlayers])};
  }
  bool IsPlaying(int seat) const { return place[seat] == 0; }
  bool HasAllOff(int seat) const { return piece[seat][0] == PieceAt(kOff); }
  // Own pieces on one index, moved or not.
  int CountAt(int seat, int index) const {
    int count = 0;
    for (const uint8_t p : PiecesOf(seat)) count += IndexOf(p) == index ? 1 : 0;
    return count;
  }
  // Nothing on the route or in the keep; borne-off pieces do not count.
  bool IsBoardBare(int seat) const {
    for (const uint8_t p : PiecesOf(seat)) {
      if (p != PieceAt(kHand) && p != PieceAt(kOff)) return false;
    }
    return true;
  }
};

static_assert(sizeof(Position) == 71);

}  // namespace astragal::ashtapada

#endif  // ASTRAGAL_PLUGINS_ASHTAPADA_POSITION_H_
