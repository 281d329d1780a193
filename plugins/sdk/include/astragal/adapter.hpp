// From a position type to the C table: included by <astragal/ruleset.hpp>, not by authors.
//
// Every function is noexcept and catches what the author's code throws. Thread contract: pure, any
// thread; the table and what it points to are built once and live for ever.
#ifndef ASTRAGAL_ADAPTER_HPP_
#define ASTRAGAL_ADAPTER_HPP_

#include <astragal/ruleset.h>

#include <astragal/concepts.hpp>
#include <astragal/reader.hpp>
#include <astragal/sink.hpp>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace astragal::sdk {

template <class P>
class Adapter {
 public:
  static const astragal_ruleset* Table() noexcept {
    static const astragal_ruleset table = MakeTable();
    return &table;
  }

 private:
  // What P says about itself. Filled by MakeTable and only read after that: whoever calls one of
  // these functions has the table. Not a static of a function, whose guard every call would test.
  inline static astragal_about about_{};

  // The caller's bytes are a P: it is trivially copyable and the memory is aligned for it.
  static const P& Read(const void* position) noexcept { return *static_cast<const P*>(position); }

  static const astragal_about& About() noexcept { return about_; }

  static astragal_about MakeAbout() noexcept {
    astragal_about about = P::About();
    about.struct_size = sizeof(about);
    about.position_size = sizeof(P);
    if (HasLeave<P>) about.flags |= ASTRAGAL_RULESET_HAS_LEAVE;
    return about;
  }

  static uint32_t SeatCount(const P& position) {
    if constexpr (HasSeats<P>) {
      return static_cast<uint32_t>(position.Seats());
    } else {
      return About().max_seats;
    }
  }

  // Runs `body`, which returns what the table function returns; an exception gives `fault`.
  template <class Result, class Body>
  static Result Guard(Result fault, Body&& body) noexcept {
    try {
      return static_cast<Result>(body());
    } catch (...) {
      return fault;
    }
  }

  // Runs `body(error)`, a yes or no, and turns it into a code of the ABI.
  template <class Body>
  static int32_t Decide(astragal_error* out, Body&& body) noexcept {
    Error error(out);
    try {
      if (body(error)) [[likely]]
        return ASTRAGAL_OK;
    } catch (...) {
      error.Fault("The ruleset failed.");
    }
    return CodeOf(error);
  }

  // Refusals are rare and long: out of line, so that the way to a yes stays short.
  [[gnu::cold, gnu::noinline]] static int32_t CodeOf(Error& error) noexcept {
    if (error.code() == ASTRAGAL_OK) error.Refuse("", "This is not possible here.");
    return error.code();
  }

  // Runs `body(draft, error)` and takes the draft over when it says yes.
  template <class Body>
  static int32_t Change(void* position, const P& from, astragal_error* out, Body&& body) noexcept {
    P draft = from;
    const int32_t code = Decide(out, [&](Error& error) { return body(draft, error); });
    if (code == ASTRAGAL_OK) std::memcpy(position, &draft, sizeof(P));
    return code;
  }

  template <class T, class Body>
  static uint32_t Fill(T* out, uint32_t capacity, Body&& body) noexcept {
    return Guard<uint32_t>(UINT32_MAX, [&] {
      Sink<T> sink(out, capacity);
      body(sink);
      return sink.count();
    });
  }

  template <class Body>
  static uint32_t Write(char* out, uint32_t capacity, Body&& body) noexcept {
    return Guard<uint32_t>(UINT32_MAX, [&] {
      TextSink sink(out, capacity);
      body(sink);
      return sink.count();
    });
  }

  // The throw kind that is thrown now, null when chance is not to act.
  static const astragal_throw_kind* KindNow(const P& position, int32_t& index) {
    if (position.Actor() != ASTRAGAL_CHANCE) return nullptr;
    index = position.Chances();
    if (index < 0 || static_cast<uint32_t>(index) >= About().throw_kind_count) return nullptr;
    return &About().throw_kinds[index];
  }

  // Chances() is -1 when chance is not to act.
  static bool IsThrowNow(const P& position, int64_t action) {
    const auto index = static_cast<uint32_t>(position.Chances());
    return index < About().throw_kind_count &&
           static_cast<uint64_t>(action) - ASTRAGAL_CHANCE_ACTION(index, 0) <
               About().throw_kinds[index].outcome_count;
  }

  // Whether `actor` is to act and, if it is chance, with a throw of the kind that is thrown now.
  static bool IsToAct(const P& position, int32_t actor, int64_t action) {
    if (position.Actor() != actor) return false;
    return actor >= 0 || (actor == ASTRAGAL_CHANCE && IsThrowNow(position, action));
  }

  [[gnu::cold, gnu::noinline]] static bool RefuseActor(const P& position, int32_t actor,
                                                       Error& error) {
    const int32_t now = position.Actor();
    if (now == ASTRAGAL_OVER) return error.Refuse("", "The game is over.");
    if (now == actor) return error.Refuse("", "This throw cannot happen here.");
    if (now == ASTRAGAL_CHANCE) return error.Refuse("", "A throw comes first.");
    return error.Refuse("", "It is the turn of another seat.");
  }

  static bool CheckOptions(const int64_t* values, Error& error) {
    for (uint32_t i = 0; i < About().option_count; ++i) {
      const astragal_option& option = About().options[i];
      if (values[i] < option.minimum || values[i] > option.maximum) {
        return error.Refuse(option.name, values[i], " is outside of ", option.minimum, " to ",
                            option.maximum, ".");
      }
    }
    return true;
  }

  static void FormatThrow(const P& position, int64_t action, TextSink& out) {
    if (!IsThrowNow(position, action)) return;
    out.Put(
        About().throw_kinds[ASTRAGAL_CHANCE_KIND(action)].labels[ASTRAGAL_CHANCE_OUTCOME(action)]);
  }

  static bool ParseThrow(const P& position, std::string_view text, int64_t& action, Error& error) {
    int32_t index = -1;
    const astragal_throw_kind* kind = KindNow(position, index);
    if (kind == nullptr) return error.Refuse("throw", "Nothing is thrown here.");
    for (uint32_t outcome = 0; outcome < kind->outcome_count; ++outcome) {
      if (!SameWord(kind->labels[outcome], text)) continue;
      action = ASTRAGAL_CHANCE_ACTION(index, outcome);
      return true;
    }
    return error.Refuse("throw", "'", text.substr(0, 40), "' is no outcome of the throw ",
                        kind->name, ".");
  }

  // ---- The functions of the table, in its order.

  static int32_t Start(const int64_t* options, void* position, astragal_error* error) noexcept {
    return Change(position, P{}, error, [&](P& draft, Error& why) {
      return CheckOptions(options, why) &&
             draft.Start(std::span<const int64_t>(options, About().option_count), why);
    });
  }

  static int32_t Check(const void* position, astragal_error* error) noexcept {
    return Decide(error, [&](Error& why) { return Read(position).Check(why); });
  }

  static int32_t Actor(const void* position) noexcept {
    return Guard<int32_t>(INT32_MIN, [&] { return Read(position).Actor(); });
  }

  static uint32_t Seats(const void* position) noexcept {
    return Guard<uint32_t>(UINT32_MAX, [&] { return SeatCount(Read(position)); });
  }

  static void Options(const void* position, int64_t* out) noexcept {
    Guard<int32_t>(0, [&] {
      for (uint32_t i = 0; i < About().option_count; ++i) out[i] = INT64_MIN;
      Read(position).Options(std::span<int64_t>(out, About().option_count));
      return 0;
    });
  }

  static uint32_t Actions(const void* position, int64_t* out, uint32_t capacity) noexcept {
    return Fill(out, capacity, [&](Sink<int64_t>& sink) { Read(position).Actions(sink); });
  }

  static int32_t Chances(const void* position) noexcept {
    return Guard<int32_t>(INT32_MIN, [&] { return Read(position).Chances(); });
  }

  static int32_t Apply(void* position, int32_t actor, int64_t action,
                       astragal_error* error) noexcept {
    const auto apply = [&](P& target, Error& why) {
      if (!IsToAct(target, actor, action)) [[unlikely]]
        return RefuseActor(target, actor, why);
      return target.Apply(actor, action, why);
    };
    if constexpr (ChecksBeforeChange<P>) {
      return Decide(error, [&](Error& why) { return apply(*static_cast<P*>(position), why); });
    } else {
      return Change(position, Read(position), error, apply);
    }
  }

  static int32_t Leave(void* position, int32_t seat, astragal_error* error) noexcept {
    if constexpr (HasLeave<P>) {
      return Change(position, Read(position), error, [&](P& draft, Error& why) {
        if (seat < 0 || static_cast<uint32_t>(seat) >= SeatCount(draft)) {
          return why.Refuse("seat", "There is no such seat.");
        }
        return draft.Leave(seat, why);
      });
    } else {
      static_cast<void>(position);
      static_cast<void>(seat);
      return Decide(error, [](Error& why) {
        return why.Unsupported("This game does not go on without a seat.");
      });
    }
  }

  static void Result(const void* position, astragal_seat_result* out) noexcept {
    Guard<int32_t>(0, [&] {
      const uint32_t seats = SeatCount(Read(position));
      for (uint32_t i = 0; i < seats; ++i) out[i] = {sizeof(astragal_seat_result), 0, 0};
      Read(position).Result(std::span<astragal_seat_result>(out, seats));
      return 0;
    });
  }

  static uint32_t Format(const void* position, int32_t actor, int64_t action, char* out,
                         uint32_t capacity) noexcept {
    return Write(out, capacity, [&](TextSink& sink) {
      const P& p = Read(position);
      if (actor == ASTRAGAL_CHANCE) return FormatThrow(p, action, sink);
      if (actor < 0 || static_cast<uint32_t>(actor) >= SeatCount(p) || action < 0) return;
      p.Format(actor, action, sink);
    });
  }

  static int32_t Parse(const void* position, int32_t actor, const char* text, uint32_t length,
                       int64_t* action, astragal_error* error) noexcept {
    return Decide(error, [&](Error& why) {
      const P& p = Read(position);
      std::string_view words(text, length);
      while (!words.empty() && IsSpace(words.front())) words.remove_prefix(1);
      while (!words.empty() && IsSpace(words.back())) words.remove_suffix(1);
      if (actor == ASTRAGAL_CHANCE) return ParseThrow(p, words, *action, why);
      if (actor < 0 || static_cast<uint32_t>(actor) >= SeatCount(p)) {
        return why.Refuse("seat", "There is no such seat.");
      }
      return p.Parse(actor, words, *action, why);
    });
  }

  static uint32_t FormatPosition(const void* position, char* out, uint32_t capacity) noexcept {
    return Write(out, capacity, [&](TextSink& sink) { Read(position).FormatPosition(sink); });
  }

  static int32_t ParsePosition(const char* text, uint32_t length, void* position,
                               astragal_error* error) noexcept {
    return Change(position, P{}, error, [&](P& draft, Error& why) {
      return draft.ParsePosition(std::string_view(text, length), why) && draft.Check(why);
    });
  }

  static uint32_t Effects(const void* position, int32_t actor, int64_t action, astragal_effect* out,
                          uint32_t capacity) noexcept {
    return Fill(out, capacity, [&](Sink<astragal_effect>& sink) {
      if (IsToAct(Read(position), actor, action)) Read(position).Effects(actor, action, sink);
    });
  }

  static int32_t Concession(const void* position, int32_t seat, astragal_concession* out) noexcept {
    return Guard<int32_t>(ASTRAGAL_FAULT, [&] {
      const P& p = Read(position);
      astragal_concession answer{sizeof(astragal_concession), 0, 0, 0};
      if (seat < 0 || static_cast<uint32_t>(seat) >= SeatCount(p)) return ASTRAGAL_REFUSED;
      if (!p.Concession(seat, answer)) return ASTRAGAL_REFUSED;
      *out = answer;
      return ASTRAGAL_OK;
    });
  }

  static uint32_t Places(const void* position, astragal_place* out, uint32_t capacity) noexcept {
    return Fill(out, capacity, [&](Sink<astragal_place>& sink) { Read(position).Places(sink); });
  }

  static uint32_t Pieces(const void* position, astragal_piece* out, uint32_t capacity) noexcept {
    return Fill(out, capacity, [&](Sink<astragal_piece>& sink) { Read(position).Pieces(sink); });
  }

  static uint32_t Throws(const void* position, astragal_throw* out, uint32_t capacity) noexcept {
    return Fill(out, capacity, [&](Sink<astragal_throw>& sink) {
      if constexpr (HasThrows<P>) Read(position).Throws(sink);
    });
  }

  static uint32_t Counters(const void* position, astragal_counter* out,
                           uint32_t capacity) noexcept {
    return Fill(out, capacity, [&](Sink<astragal_counter>& sink) {
      if constexpr (HasCounters<P>) Read(position).Counters(sink);
    });
  }

  static uint32_t Text(const void* position, char* out, uint32_t capacity) noexcept {
    return Write(out, capacity, [&](TextSink& sink) { Read(position).Text(sink); });
  }

  static int32_t Evaluate(const void* position, int32_t seat) noexcept {
    return Guard<int32_t>(INT32_MIN, [&] {
      if constexpr (HasEvaluate<P>) {
        return static_cast<int32_t>(Read(position).Evaluate(seat));
      } else {
        static_cast<void>(position);
        static_cast<void>(seat);
        return INT32_MIN;
      }
    });
  }

  // ---- The mirror extension.

  static void MirrorPosition(const void* position, void* mirrored) noexcept {
    if constexpr (HasMirror<P>) {
      Guard<int32_t>(0, [&] {
        const P answer = Read(position).Mirrored();
        std::memcpy(mirrored, &answer, sizeof(P));
        return 0;
      });
    }
  }

  static int32_t MirrorSeat(const void* position, int32_t seat) noexcept {
    return Guard<int32_t>(INT32_MIN, [&] {
      if constexpr (HasMirror<P>) return static_cast<int32_t>(Read(position).MirrorSeat(seat));
      return INT32_MIN;
    });
  }

  static int64_t MirrorAction(const void* position, int32_t actor, int64_t action) noexcept {
    return Guard<int64_t>(-1, [&] {
      if constexpr (HasMirror<P>) {
        return static_cast<int64_t>(Read(position).MirrorAction(actor, action));
      }
      return int64_t{-1};
    });
  }

  static const void* Extension(const char* id) noexcept {
    static constexpr astragal_mirror kMirror = {sizeof(astragal_mirror), 0, MirrorPosition,
                                                MirrorSeat, MirrorAction};
    if (HasMirror<P> && std::string_view(id) == ASTRAGAL_EXTENSION_MIRROR) return &kMirror;
    return nullptr;
  }

  static astragal_ruleset MakeTable() noexcept {
    about_ = MakeAbout();
    astragal_ruleset table{};
    table.struct_size = sizeof(table);
    table.abi_major = ASTRAGAL_ABI_MAJOR;
    table.abi_minor = ASTRAGAL_ABI_MINOR;
    table.about = &About();
    table.start = Start;
    table.check = Check;
    table.actor = Actor;
    table.seats = Seats;
    table.options = Options;
    table.actions = Actions;
    table.chances = Chances;
    table.apply = Apply;
    table.leave = Leave;
    table.result = Result;
    table.format = Format;
    table.parse = Parse;
    table.format_position = FormatPosition;
    table.parse_position = ParsePosition;
    table.effects = Effects;
    table.concession = Concession;
    table.places = Places;
    table.pieces = Pieces;
    table.throws = Throws;
    table.counters = Counters;
    table.text = Text;
    table.evaluate = HasEvaluate<P> ? Evaluate : nullptr;
    table.extension = Extension;
    return table;
  }
};

}  // namespace astragal::sdk

#endif  // ASTRAGAL_ADAPTER_HPP_
