// What a position type must offer, one small named concept per member, so that the compiler names
// the one that is missing. P is the author's position; every member named here is public.
#ifndef ASTRAGAL_CONCEPTS_HPP_
#define ASTRAGAL_CONCEPTS_HPP_

#include <astragal/ruleset.h>

#include <astragal/sink.hpp>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace astragal::sdk {

// Bytes and nothing else: no pointer-like members, no padding, no floats, at most 8-byte aligned.
// (Use integers rather than bool or enum members: Check() must be able to read any bytes.)
template <class P>
concept IsPlainBytes = std::is_trivially_copyable_v<P> &&
                           std::has_unique_object_representations_v<P> &&
                           std::is_default_constructible_v<P> && alignof(P) <= 8 &&
                       sizeof(P) <= ASTRAGAL_MAX_POSITION_BYTES;

template <class P>
concept HasAbout = requires {
  { P::About() } -> std::convertible_to<astragal_about>;
};
template <class P>
concept HasStart = requires(P p, std::span<const int64_t> options, Error& error) {
  { p.Start(options, error) } -> std::same_as<bool>;
};
template <class P>
concept HasCheck = requires(const P p, Error& error) {
  { p.Check(error) } -> std::same_as<bool>;
};
template <class P>
concept HasActor = requires(const P p) {
  { p.Actor() } -> std::convertible_to<int32_t>;
};
template <class P>
concept HasOptions = requires(const P p, std::span<int64_t> out) {
  p.Options(out);
};
template <class P>
concept HasActions = requires(const P p, Sink<int64_t>& out) {
  p.Actions(out);
};
template <class P>
concept HasChances = requires(const P p) {
  { p.Chances() } -> std::convertible_to<int32_t>;
};
template <class P>
concept HasApply = requires(P p, int32_t actor, int64_t action, Error& error) {
  { p.Apply(actor, action, error) } -> std::same_as<bool>;
};
template <class P>
concept HasResult = requires(const P p, std::span<astragal_seat_result> out) {
  p.Result(out);
};
template <class P>
concept HasFormat = requires(const P p, int32_t seat, int64_t action, TextSink& out) {
  p.Format(seat, action, out);
};
template <class P>
concept HasParse = requires(const P p, int32_t seat, std::string_view text, int64_t& action,
                            Error& error) {
  { p.Parse(seat, text, action, error) } -> std::same_as<bool>;
};
template <class P>
concept HasFormatPosition = requires(const P p, TextSink& out) {
  p.FormatPosition(out);
};
template <class P>
concept HasParsePosition = requires(P p, std::string_view text, Error& error) {
  { p.ParsePosition(text, error) } -> std::same_as<bool>;
};
template <class P>
concept HasEffects = requires(const P p, int32_t actor, int64_t action,
                              Sink<astragal_effect>& out) {
  p.Effects(actor, action, out);
};
template <class P>
concept HasConcession = requires(const P p, int32_t seat, astragal_concession& out) {
  { p.Concession(seat, out) } -> std::same_as<bool>;
};
template <class P>
concept HasPlaces = requires(const P p, Sink<astragal_place>& out) {
  p.Places(out);
};
template <class P>
concept HasPieces = requires(const P p, Sink<astragal_piece>& out) {
  p.Pieces(out);
};
template <class P>
concept HasText = requires(const P p, TextSink& out) {
  p.Text(out);
};

// Optional members: the adapter uses what is there.
template <class P>
concept HasSeats = requires(const P p) {
  { p.Seats() } -> std::convertible_to<uint32_t>;
};
template <class P>
concept HasLeave = requires(P p, int32_t seat, Error& error) {
  { p.Leave(seat, error) } -> std::same_as<bool>;
};
// P says `static constexpr bool kChecksBeforeChange = true;`: its Apply refuses (and throws, if
// ever) before it changes anything, so the adapter lets it work on the caller's position without a
// draft.
template <class P>
concept ChecksBeforeChange = requires {
  requires P::kChecksBeforeChange;
};
template <class P>
concept HasThrows = requires(const P p, Sink<astragal_throw>& out) {
  p.Throws(out);
};
template <class P>
concept HasCounters = requires(const P p, Sink<astragal_counter>& out) {
  p.Counters(out);
};
template <class P>
concept HasEvaluate = requires(const P p, int32_t seat) {
  { p.Evaluate(seat) } -> std::convertible_to<int32_t>;
};
template <class P>
concept HasMirror = requires(const P p, int32_t seat, int64_t action) {
  { p.Mirrored() } -> std::same_as<P>;
  { p.MirrorSeat(seat) } -> std::convertible_to<int32_t>;
  { p.MirrorAction(seat, action) } -> std::convertible_to<int64_t>;
};

template <class P>
concept IsPlayable = HasStart<P> && HasCheck<P> && HasActor<P> && HasOptions<P> && HasActions<P> &&
    HasChances<P> && HasApply<P> && HasResult<P> && HasConcession<P>;
template <class P>
concept IsReadable =
    HasFormat<P> && HasParse<P> && HasFormatPosition<P> && HasParsePosition<P> && HasText<P>;
template <class P>
concept IsShowable = HasEffects<P> && HasPlaces<P> && HasPieces<P>;

template <class P>
concept IsRuleset =
    IsPlainBytes<P> && HasAbout<P> && IsPlayable<P> && IsReadable<P> && IsShowable<P>;

}  // namespace astragal::sdk

#endif  // ASTRAGAL_CONCEPTS_HPP_
