// The position of a game of Patolli: the whole state, its options included, in 56 bytes without
// padding. Its member functions are the rules in the form that <astragal/ruleset.hpp> asks for.
//
// Owns nothing and points to nothing. Pure: several threads may read one position. A member that
// can refuse says why in `error` and, Apply apart, may leave *this half changed; the adapter works
// on a copy then.
#ifndef ASTRAGAL_PLUGINS_PATOLLI_POSITION_H_
#define ASTRAGAL_PLUGINS_PATOLLI_POSITION_H_

#include <array>
#include <astragal/ruleset.hpp>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "plugins/patolli/geometry.h"

namespace astragal::patolli {

namespace sdk = ::astragal::sdk;

enum Seat : uint8_t { kRed = 0, kGreen = 1 };
inline constexpr int kPot = -1;  // payee of a payment that is no seat

enum Phase : uint8_t {
  kOpening = 0,   // option first_player=highest_throw: `mover` throws for the first turn
  kThrowing = 1,  // `mover` throws for its turn
  kMoving = 2,    // `mover` has thrown `score` and has at least one legal move
  kOver = 3       // `mover` has won
};

enum FirstPlayer : uint8_t { kFirstRed = 0, kFirstGreen = 1, kFirstHighestThrow = 2 };

// Balances are kept within a billion: what a side with an unlimited purse can spend, and more than
// the longest game that is allowed can move.
inline constexpr int32_t kUnlimitedPurse = 1000000000;

// Values of the options. Choices hold the index of the choice.
struct Rules {
  int16_t stake;
  int16_t purse;  // 0: unlimited
  uint8_t start_square;
  uint8_t one_only;  // entry_when_empty=one_only
  uint8_t middle_attack_off;
  uint8_t attack_to_attacker;
  uint8_t wedge_amount;
  uint8_t wedge_to_opponent;
  uint8_t wedge_ranks;
  uint8_t penalty;
  uint8_t bonus_from_opponent;
  uint8_t first_player;
};

struct Side {
  uint64_t track;    // own indices of its pieces in play
  int32_t coins;     // running balance
  int8_t direction;  // +1 anticlockwise, -1 clockwise, 0 until the first entry
  uint8_t hand;
  uint8_t off;
  uint8_t reserved;
};

struct Position {
  std::array<Side, 2> sides;
  int32_t pot;
  Rules rules;
  uint8_t mover;    // seat
  uint8_t phase;    // Phase
  uint8_t score;    // in kMoving what the sticks showed, otherwise 0
  uint8_t opening;  // in kOpening 1 + what the other side threw; 0: nothing yet
  std::array<uint8_t, 2> reserved;

  static constexpr bool kChecksBeforeChange = true;  // Apply; see <astragal/concepts.hpp>

  Side& own() { return sides[mover]; }
  const Side& own() const { return sides[mover]; }
  Side& enemy() { return sides[1u - mover]; }
  const Side& enemy() const { return sides[1u - mover]; }

  static astragal_about About();
  bool Start(std::span<const int64_t> options, sdk::Error& error);
  bool Check(sdk::Error& error) const;
  int32_t Actor() const {
    return phase == kMoving ? mover : phase == kOver ? ASTRAGAL_OVER : ASTRAGAL_CHANCE;
  }
  void Options(std::span<int64_t> out) const;
  void Actions(sdk::Sink<int64_t>& out) const;
  int32_t Chances() const { return phase <= kThrowing ? 0 : -1; }
  bool Apply(int32_t actor, int64_t action, sdk::Error& error);
  void Result(std::span<astragal_seat_result> out) const;
  bool Concession(int32_t seat, astragal_concession& out) const;
  void Format(int32_t seat, int64_t action, sdk::TextSink& out) const;
  bool Parse(int32_t seat, std::string_view text, int64_t& action, sdk::Error& error) const;
  void FormatPosition(sdk::TextSink& out) const;
  bool ParsePosition(std::string_view text, sdk::Error& error);
  void Effects(int32_t actor, int64_t action, sdk::Sink<astragal_effect>& out) const;
  void Places(sdk::Sink<astragal_place>& out) const;
  void Pieces(sdk::Sink<astragal_piece>& out) const;
  void Throws(sdk::Sink<astragal_throw>& out) const;
  void Counters(sdk::Sink<astragal_counter>& out) const;
  void Text(sdk::TextSink& out) const;
  int32_t Evaluate(int32_t seat) const;
  Position Mirrored() const;
  int32_t MirrorSeat(int32_t seat) const { return 1 - seat; }
  int64_t MirrorAction(int32_t, int64_t action) const { return action; }
};

static_assert(sizeof(Position) == 56 && std::is_trivially_copyable_v<Position> &&
              std::has_unique_object_representations_v<Position>);
static_assert(std::endian::native == std::endian::little, "positions are little-endian");

}  // namespace astragal::patolli

#endif  // ASTRAGAL_PLUGINS_PATOLLI_POSITION_H_
