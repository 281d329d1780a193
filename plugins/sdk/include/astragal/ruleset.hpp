// The C++ way to write a ruleset: one struct, one macro line.
//
// The struct is the position: trivially copyable, no padding, the whole state with the options in
// it. Its member functions are the rules, and ASTRAGAL_RULESET turns them into the table of
// <astragal/ruleset.h>, whose contract holds for every member: pure, callable from any thread.
//
//   #include <astragal/ruleset.hpp>
//   namespace sdk = astragal::sdk;
//
//   struct Position {
//     uint8_t stones[2];
//     int8_t actor;      // a seat, ASTRAGAL_CHANCE or ASTRAGAL_OVER
//     uint8_t die;
//
//     static astragal_about About();  // struct_size, position_size and HAS_LEAVE are filled in
//     bool Start(std::span<const int64_t> options, sdk::Error& error);  // on a Position{}
//     bool Check(sdk::Error& error) const;                              // any bytes may come in
//     int32_t Actor() const { return actor; }
//     void Options(std::span<int64_t> out) const;
//     void Actions(sdk::Sink<int64_t>& out) const;                      // ascending, distinct
//     int32_t Chances() const { return actor == ASTRAGAL_CHANCE ? 0 : -1; }
//     bool Apply(int32_t actor, int64_t action, sdk::Error& error);
//     void Result(std::span<astragal_seat_result> out) const;           // all zero at first
//     bool Concession(int32_t seat, astragal_concession& out) const;    // false: refused
//     void Format(int32_t seat, int64_t action, sdk::TextSink& out) const;  // nothing: not ours
//     bool Parse(int32_t seat, std::string_view text, int64_t& action, sdk::Error& error) const;
//     void FormatPosition(sdk::TextSink& out) const;
//     bool ParsePosition(std::string_view text, sdk::Error& error);     // on a Position{}
//     void Effects(int32_t actor, int64_t action, sdk::Sink<astragal_effect>& out) const;
//     void Places(sdk::Sink<astragal_place>& out) const;
//     void Pieces(sdk::Sink<astragal_piece>& out) const;
//     void Text(sdk::TextSink& out) const;
//     // Optional: uint32_t Seats() const; bool Leave(int32_t seat, sdk::Error&);
//     //   void Throws(sdk::Sink<astragal_throw>&) const;
//     //   void Counters(sdk::Sink<astragal_counter>&) const;  int32_t Evaluate(int32_t seat)
//     const;
//     //   Position Mirrored() const; int32_t MirrorSeat(int32_t seat) const;
//     //   int64_t MirrorAction(int32_t actor, int64_t action) const;
//   };
//
//   ASTRAGAL_RULESET(Position);
//
// Refusing: `return error.Refuse("die", "A die shows 1 to 6.");`. A member that changes the
// position works on a copy that is only taken over when it returns true, so it may stop anywhere.
// Exceptions end here: they become ASTRAGAL_FAULT, or a value out of range where there is no error
// to fill.
//
// The adapter does by itself: throws are written and read by the labels of the throw kind (Format
// and Parse only see seats), ParsePosition is followed by Check, the throw that Apply gets is one
// of the kind that Chances names, and the action that it gets comes from the seat to act. Whether
// that action is legal is for Apply to decide. Start's options are within their declared bounds.
//
// The adapter allocates nothing.
#ifndef ASTRAGAL_RULESET_HPP_
#define ASTRAGAL_RULESET_HPP_

#include <astragal/ruleset.h>

#include <astragal/about.hpp>
#include <astragal/adapter.hpp>
#include <astragal/concepts.hpp>
#include <astragal/reader.hpp>
#include <astragal/sink.hpp>

// Exports `Position` as the ruleset of this library. Use once, at file scope, outside a namespace.
#define ASTRAGAL_RULESET(Position)                                                     \
  static_assert(::astragal::sdk::IsRuleset<Position>, "not a ruleset: see the notes"); \
  extern "C" ASTRAGAL_EXPORT const astragal_ruleset* astragal_ruleset_v1(void) {       \
    return ::astragal::sdk::Adapter<Position>::Table();                                \
  }                                                                                    \
  static_assert(true)

#endif  // ASTRAGAL_RULESET_HPP_
