// A whole game of Long Narde at one moment: 84 bytes, options included.
//
// Every member function is pure and may be called from any thread; none allocates or throws. What
// each promises is written in <astragal/ruleset.h>. Apply changes nothing when it refuses;
// ParsePosition may leave a position half read.
//
// Both seats are stored in indices along their own route (route.h), so that the rules are written
// once. `points` and `legal` repeat what follows from the rest; they are kept because everything
// asks for them, and Check() refuses bytes in which they do not agree.
#ifndef ASTRAGAL_PLUGINS_LONG_NARDE_POSITION_H_
#define ASTRAGAL_PLUGINS_LONG_NARDE_POSITION_H_

#include <astragal/ruleset.h>

#include <astragal/reader.hpp>
#include <astragal/sink.hpp>
#include <cstdint>
#include <span>
#include <string_view>

#include "plugins/long_narde/options.h"
#include "plugins/long_narde/route.h"
#include "plugins/long_narde/turn.h"

namespace astragal::long_narde {

namespace sdk = ::astragal::sdk;

enum Phase : uint8_t {
  kOpening,  // chance: the roll-off for who begins
  kRoll,     // chance: the mover's dice
  kMove,     // the mover plays; something is legal
  kOver
};

enum ThrowKindIndex : int32_t { kOpeningThrow = 0, kRollThrow = 1 };

inline constexpr uint8_t kNobody = 2;  // `opener` before the roll-off

// Place ids of the trays; points have their absolute number.
inline constexpr int kWhiteTray = 25;
inline constexpr int kBlackTray = 26;

struct Position {
  uint32_t points[2];         // points held, by seat, in its own indices
  uint32_t legal[2];          // from where the high and the low die can be played now
  uint8_t count[2][kPoints];  // checkers on each point
  uint8_t off[2];             // checkers borne off
  uint8_t phase;
  uint8_t mover;
  uint8_t opener;         // who moved first in this game
  uint8_t last_turn;      // 1: the second player's extra turn after the first one finished
  uint8_t dice[2];        // the roll, high first; 0 when there is none
  uint8_t left[2];        // how often each is still to be played; a double counts in left[0]
  uint8_t head_moves;     // checkers that left the head in this turn
  uint8_t first_turn[2];  // 1: the seat's first turn is still ahead or under way
  uint8_t option[kOptionCount];
  uint8_t zero;  // fills the last word

  static constexpr bool kChecksBeforeChange = true;  // Apply

  static astragal_about About();

  bool Start(std::span<const int64_t> options, sdk::Error& error);
  bool Check(sdk::Error& error) const;
  int32_t Actor() const {
    return phase == kMove ? mover : phase == kOver ? ASTRAGAL_OVER : ASTRAGAL_CHANCE;
  }
  void Options(std::span<int64_t> out) const;
  void Actions(sdk::Sink<int64_t>& out) const;
  int32_t Chances() const {
    return phase == kOpening ? kOpeningThrow : phase == kRoll ? kRollThrow : -1;
  }
  bool Apply(int32_t actor, int64_t action, sdk::Error& error);
  void Result(std::span<astragal_seat_result> out) const;
  bool Concession(int32_t seat, astragal_concession& out) const;
  void Effects(int32_t actor, int64_t action, sdk::Sink<astragal_effect>& out) const;

  // notation.cc
  void Format(int32_t seat, int64_t action, sdk::TextSink& out) const;
  bool Parse(int32_t seat, std::string_view text, int64_t& action, sdk::Error& error) const;

  // position_text.cc
  void FormatPosition(sdk::TextSink& out) const;
  bool ParsePosition(std::string_view text, sdk::Error& error);

  // board.cc
  void Places(sdk::Sink<astragal_place>& out) const;
  void Pieces(sdk::Sink<astragal_piece>& out) const;
  void Throws(sdk::Sink<astragal_throw>& out) const;
  void Counters(sdk::Sink<astragal_counter>& out) const;
  void Text(sdk::TextSink& out) const;

  // evaluate.cc
  int32_t Evaluate(int32_t seat) const;

  // The other side of the table: seats change places, steps keep their numbers.
  Position Mirrored() const;
  int32_t MirrorSeat(int32_t seat) const { return 1 - seat; }
  int64_t MirrorAction(int32_t actor, int64_t action) const;

  // ---- For the files of this room.

  bool IsLegal(int64_t action) const;
  // The seat that has more off when the game is over, -1 for a draw.
  int Winner() const;
  int64_t PointsOfWin(int winner) const;
  int Pips(int seat) const;
  // Fills `points` and `legal` from everything else.
  void Derive();

 private:
  template <class Log>
  void Throw(int64_t action, Log& log);
  template <class Log>
  void Step(int64_t action, Log& log);
  template <class Log>
  void Finish(Log& log);
  template <class Log>
  void GoOn(bool passed, Log& log);
  template <class Log>
  void EndGame(Log& log);
  void PlanSteps();
  int HeadAllowance() const;
  bool CheckBoard(sdk::Error& error) const;
  bool CheckPhase(sdk::Error& error) const;
  bool CheckOpening(sdk::Error& error) const;
  bool CheckDice(sdk::Error& error) const;
};

static_assert(sizeof(Position) <= 128);

}  // namespace astragal::long_narde

#endif  // ASTRAGAL_PLUGINS_LONG_NARDE_POSITION_H_
