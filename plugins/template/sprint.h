// Sprint: a ruleset to copy. This file is the position; its members are the rules.
//
// Two seats race two runners each along one short track with one die. A turn is one throw and one
// move: a runner goes as many squares as the die shows. Both seats run the same way over the same
// squares, and a square holds one runner. Who lands exactly on a runner of the other seat sends it
// back to its start; on an own runner nobody may land. A throw that fits no runner is lost. The
// first seat with both runners home wins, a double win (2 points) if the other has none home.
//
// rules.cc     what happens
// text.cc      how actions and positions are written and read
// board.cc     how a position is shown, and what bots and the check of symmetry use
// about.cc     options, presets, throws, limits, and the line that exports the ruleset
#ifndef SPRINT_H_
#define SPRINT_H_

#include <algorithm>
#include <astragal/ruleset.hpp>
#include <cstdint>
#include <span>
#include <string_view>

// A namespace of your own, so that two rulesets never share a name. (They could not anyway: a
// library exports its entry and nothing else.)
namespace sprint {

namespace sdk = astragal::sdk;

constexpr int kSeats = 2;
constexpr int kRunners = 2;
constexpr int kFaces = 6;
constexpr int kMinLength = 8;
constexpr int kMaxLength = 20;
constexpr int kUsualLength = 12;

// Where a runner is: kStart, a square 1 .. length, or kHome. The same for every length, so that the
// numbers of actions mean the same in every game.
constexpr int kStart = 0;
constexpr int kHome = 31;

// An action is "the runner on `from` goes to `to`", whatever the position.
constexpr int64_t ActionOf(int from, int to) { return from * 32 + to; }
constexpr int FromOf(int64_t action) { return static_cast<int>(action / 32); }
constexpr int ToOf(int64_t action) { return static_cast<int>(action % 32); }
constexpr int64_t kEndOfActions = int64_t{32} * 32;

constexpr const char* kSeatNames[] = {"red", "blue"};
constexpr const char* kFinishNames[] = {"over", "exact"};
enum Option : uint32_t { kLengthOption, kFinishOption, kFirstOption };

// The whole state, options included; bytes only, so that there is no padding between them. The
// runners of a seat are interchangeable, so they are kept in ascending order: equal positions have
// equal bytes.
struct Sprint {
  uint8_t at[kSeats][kRunners];
  uint8_t mover;  // the seat whose turn it is; after the end the winner
  uint8_t die;    // 0: not thrown yet
  uint8_t length;
  uint8_t exact;  // a runner comes home by an exact throw only
  uint8_t first;  // the seat that began: an option, so it is kept though nothing asks for it later

  // ---- What the SDK asks for: see <astragal/ruleset.hpp>.

  static astragal_about About();
  bool Start(std::span<const int64_t> options, sdk::Error& error);
  bool Check(sdk::Error& error) const;
  int32_t Actor() const;
  void Options(std::span<int64_t> out) const;
  void Actions(sdk::Sink<int64_t>& out) const;
  int32_t Chances() const { return Actor() == ASTRAGAL_CHANCE ? 0 : -1; }
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
  void Text(sdk::TextSink& out) const;

  // Optional.
  void Throws(sdk::Sink<astragal_throw>& out) const;
  void Counters(sdk::Sink<astragal_counter>& out) const;
  int32_t Evaluate(int32_t seat) const;
  Sprint Mirrored() const;
  int32_t MirrorSeat(int32_t seat) const { return 1 - seat; }
  int64_t MirrorAction(int32_t, int64_t action) const { return action; }

  // ---- Our own.

  int Count(int seat, int place) const {
    return static_cast<int>(std::count(at[seat], at[seat] + kRunners, place));
  }
  bool Has(int seat, int place) const { return Count(seat, place) > 0; }
  bool IsOver() const { return Count(0, kHome) == kRunners || Count(1, kHome) == kRunners; }
  int TargetOf(int from) const;
  bool IsLegal(int64_t action) const;
  bool HasAction() const;
  bool CheckRunners(int seat, sdk::Error& error) const;
  void Relocate(int seat, int from, int to);
  int WorthAgainst(int loser) const { return Has(loser, kHome) ? 1 : 2; }
  int Progress(int seat) const;

  // The place on the drawn board: squares have their own number, a seat's start and home are trays.
  static int PlaceId(int seat, int place) {
    if (place == kStart) return 100 + seat;
    return place == kHome ? 110 + seat : place;
  }

  template <class Use>
  void ForEachAction(Use use) const;
  template <class Tell>
  void Step(int32_t actor, int64_t action, Tell tell);
  template <class Tell>
  void Throw(int face, Tell tell);
  template <class Tell>
  void Move(int from, int to, Tell tell);
  template <class Tell>
  void NextTurn(Tell tell);
};

}  // namespace sprint

#endif  // SPRINT_H_
