// Rulesets that the host takes and that break one obligation: the tiny ruleset, spoiled by the one
// macro that this file is compiled with. conformance_test.cc says which obligation each breaks.
#include <arpa/inet.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/plugins/host/odd/tiny.h"

namespace {

astragal_ruleset table;
astragal_about about;
[[maybe_unused]] const astragal_ruleset& good = *TinyTable();

[[maybe_unused]] uint8_t* Bytes(void* position) { return static_cast<uint8_t*>(position); }
[[maybe_unused]] int At(const void* position, int offset) {
  return static_cast<const uint8_t*>(position)[offset];
}
[[maybe_unused]] volatile bool forever = true;
// Keeps what is only there to be imported, and is never called.
[[maybe_unused]] volatile bool never = false;

[[maybe_unused]] uint32_t Put(const char* text, char* out, uint32_t capacity) {
  const size_t length = std::strlen(text);
  std::memcpy(out, text, std::min<size_t>(length, capacity));
  return static_cast<uint32_t>(length);
}

// ---- The process and the world -----------------------------------------------------------------

#if defined(CHEAT_CLOCK)
void Spoil() {
  if (never) about.flags = static_cast<uint32_t>(time(nullptr));
}
#elif defined(CHEAT_RANDOMNESS)
void Spoil() {
  if (never) about.flags = static_cast<uint32_t>(rand());
}
#elif defined(CHEAT_ENVIRONMENT)
void Spoil() {
  if (never && getenv("SEED") != nullptr) about.flags = 0;
}
#elif defined(CHEAT_LOCALE)
void Spoil() {
  if (never) about.name = localeconv()->decimal_point;
}
#elif defined(CHEAT_FILES)
void Spoil() {
  if (never) about.flags = static_cast<uint32_t>(open("book", O_RDONLY));
}
#elif defined(CHEAT_NETWORK)
void Spoil() {
  if (never) about.flags = static_cast<uint32_t>(socket(AF_INET, SOCK_STREAM, 0));
}
#elif defined(CHEAT_PROCESSES)
void Spoil() {
  if (never) about.flags = static_cast<uint32_t>(fork());
}
#elif defined(CHEAT_OUTPUT)
void Spoil() {
  if (never) puts("thinking");
}
#elif defined(CHEAT_EXPORTS_MORE)
}  // namespace
extern "C" ASTRAGAL_EXPORT int astragal_ruleset_v1_helper() { return 1; }
namespace {
void Spoil() {}
#elif defined(CHEAT_GLOBALS)
int calls = 0;
void Spoil() {
  table.text = [](const void* position, char* out, uint32_t capacity) {
    ++calls;
    return good.text(position, out, capacity);
  };
}
#elif defined(CHEAT_WRITES)
// Past the library functions that the imports would show.
void Write(const char* text, size_t length) {
#if defined(__x86_64__)
  long result = 1;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(1L), "S"(text), "d"(length)
                   : "rcx", "r11", "memory");
#else
  if (write(1, text, length) < 0) std::abort();
#endif
}
void Spoil() {
  table.text = [](const void* position, char* out, uint32_t capacity) {
    Write("x\n", 2);
    return good.text(position, out, capacity);
  };
}
#elif defined(CHEAT_LEAVES_A_THREAD)
void* Wait(void*) {
  pause();
  return nullptr;
}
void Spoil() {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, Wait, nullptr) != 0) std::abort();
}
#elif defined(CHEAT_ALTERNATES)
thread_local int calls = 0;
void Spoil() {
  table.evaluate = [](const void*, int32_t) -> int32_t { return 500 + (++calls % 7); };
  table.extension = nullptr;
}
#elif defined(CHEAT_ADDRESSES)
// The same all through a process, another in the next one.
void Spoil() {
  table.evaluate = [](const void*, int32_t) -> int32_t {
    return static_cast<int32_t>((reinterpret_cast<uintptr_t>(&about) >> 12) % 1000);
  };
}
#elif defined(CHEAT_PER_THREAD)
thread_local char mine = 0;
char* const first = &mine;
void Spoil() {
  table.evaluate = [](const void*, int32_t) -> int32_t { return &mine == first ? 500 : 400; };
}

// ---- Positions ---------------------------------------------------------------------------------

#elif defined(CHEAT_START_LEAVES_A_BYTE)
void Spoil() {
  table.start = [](const int64_t* options, void* position, astragal_error* error) {
    const uint8_t kept = Bytes(position)[kTinySize - 1];
    const int32_t code = good.start(options, position, error);
    Bytes(position)[kTinySize - 1] = kept;
    return code;
  };
}
#elif defined(CHEAT_START_REFUSES_A_PRESET)
void Spoil() {
  table.start = [](const int64_t* options, void* position, astragal_error* error) -> int32_t {
    if (options[0] != 12) return good.start(options, position, error);
    std::strcpy(error->message, "No.");
    error->field[0] = '\0';
    return ASTRAGAL_REFUSED;
  };
}
#elif defined(CHEAT_CHECK_REFUSES_REACHED)
void Spoil() {
  table.check = [](const void* position, astragal_error* error) -> int32_t {
    if (At(position, kTinyTurns) != 3) return good.check(position, error);
    std::strcpy(error->message, "Three is too many.");
    error->field[0] = '\0';
    return ASTRAGAL_REFUSED;
  };
}
#elif defined(CHEAT_CHECK_LETS_CRASHES_IN)
void Spoil() {
  table.check = [](const void* position, astragal_error* error) -> int32_t {
    return At(position, kTinyThrown) > 3 ? ASTRAGAL_OK : good.check(position, error);
  };
  table.actions = [](const void* position, int64_t* out, uint32_t capacity) {
    if (At(position, kTinyThrown) > 3) __builtin_trap();
    return good.actions(position, out, capacity);
  };
}
#elif defined(CHEAT_OPTIONS_CHANGE)
void Spoil() {
  table.options = [](const void* position, int64_t* out) {
    good.options(position, out);
    if (At(position, kTinyTurns) > 4) out[2] = 1 - out[2];
  };
}

// ---- Actions and throws ------------------------------------------------------------------------

#elif defined(CHEAT_ACTIONS_BACKWARDS)
void Spoil() {
  table.actions = [](const void* position, int64_t* out, uint32_t capacity) {
    const uint32_t count = good.actions(position, out, capacity);
    std::reverse(out, out + std::min(count, capacity));
    return count;
  };
}
#elif defined(CHEAT_LISTED_IS_REFUSED) || defined(CHEAT_THROW_IS_REFUSED)
void Spoil() {
  table.apply = [](void* position, int32_t actor, int64_t action,
                   astragal_error* error) -> int32_t {
#ifdef CHEAT_LISTED_IS_REFUSED
    const bool refuse = actor >= 0 && action > 2;
#else
    const bool refuse = actor < 0 && action == 2 && At(position, kTinyTurns) == 4;
#endif
    if (!refuse) return good.apply(position, actor, action, error);
    std::strcpy(error->message, "Not today.");
    error->field[0] = '\0';
    return ASTRAGAL_REFUSED;
  };
}
#elif defined(CHEAT_TAKES_OTHERS)
void Spoil() {
  table.apply = [](void* position, int32_t actor, int64_t action, astragal_error* error) {
    return good.apply(position, actor, action < 0 ? action : action & 0xFF, error);
  };
}
#elif defined(CHEAT_REFUSES_DIRTY)
void Spoil() {
  table.apply = [](void* position, int32_t actor, int64_t action, astragal_error* error) {
    const int32_t code = good.apply(position, actor, action, error);
    if (code != ASTRAGAL_OK) ++Bytes(position)[kTinyTurns];
    return code;
  };
}
#elif defined(CHEAT_REFUSES_WITHOUT_WORDS) || defined(CHEAT_REFUSES_WITHOUT_END)
void Spoil() {
  table.apply = [](void* position, int32_t actor, int64_t action, astragal_error* error) {
    const int32_t code = good.apply(position, actor, action, error);
#ifdef CHEAT_REFUSES_WITHOUT_WORDS
    if (code != ASTRAGAL_OK) error->message[0] = '\0';
#else
    if (code != ASTRAGAL_OK) std::memset(error->message, 'a', sizeof error->message);
#endif
    return code;
  };
}

// ---- Text --------------------------------------------------------------------------------------

#elif defined(CHEAT_SAME_NOTATION)
void Spoil() {
  table.format = [](const void* position, int32_t actor, int64_t action, char* out,
                    uint32_t capacity) {
    return good.format(position, actor, actor >= 0 && action > 0 ? 1 : action, out, capacity);
  };
}
#elif defined(CHEAT_READS_NONSENSE) || defined(CHEAT_PARSE_CRASHES)
void Spoil() {
  table.parse = [](const void* position, int32_t actor, const char* text, uint32_t length,
                   int64_t* action, astragal_error* error) -> int32_t {
#ifdef CHEAT_PARSE_CRASHES
    if (length > 20) __builtin_trap();
#else
    if (std::memchr(text, '#', length) != nullptr) {
      *action = 99;
      return ASTRAGAL_OK;
    }
#endif
    return good.parse(position, actor, text, length, action, error);
  };
}
#elif defined(CHEAT_TEXT_FORGETS)
void Spoil() {
  table.format_position = [](const void* position, char* out, uint32_t capacity) {
    alignas(8) uint8_t copy[kTinySize];
    std::memcpy(copy, position, kTinySize);
    copy[kTinyTurns] = 0;
    return good.format_position(copy, out, capacity);
  };
}
#elif defined(CHEAT_POSITION_TEXT_CRASHES) || defined(CHEAT_POSITION_TEXT_UNCHECKED)
void Spoil() {
  table.parse_position = [](const char* text, uint32_t length, void* position,
                            astragal_error* error) -> int32_t {
#ifdef CHEAT_POSITION_TEXT_CRASHES
    if (length > 60) __builtin_trap();
#else
    if (length > 60) {
      std::memset(position, 0xEE, kTinySize);
      return ASTRAGAL_OK;
    }
#endif
    return good.parse_position(text, length, position, error);
  };
}

// ---- What is shown -----------------------------------------------------------------------------

#elif defined(CHEAT_EFFECTS_MALFORMED) || defined(CHEAT_EFFECTS_FORGET_CAPTURES) || \
    defined(CHEAT_EFFECTS_PAY_DOUBLE) || defined(CHEAT_EFFECTS_WRONG_TURN) ||       \
    defined(CHEAT_EFFECTS_WRONG_FINISH)
void Spoil() {
  table.effects = [](const void* position, int32_t actor, int64_t action, astragal_effect* out,
                     uint32_t capacity) {
    uint32_t count = good.effects(position, actor, action, out, capacity);
    const uint32_t filled = std::min(count, capacity);
    for (uint32_t i = 0; i < filled; ++i) {
      [[maybe_unused]] astragal_effect& effect = out[i];
#if defined(CHEAT_EFFECTS_MALFORMED)
      if (effect.kind == ASTRAGAL_EFFECT_BEAR_OFF) effect.piece = 7;
#elif defined(CHEAT_EFFECTS_FORGET_CAPTURES)
      if (effect.kind == ASTRAGAL_EFFECT_CAPTURE) effect.to = effect.from;
#elif defined(CHEAT_EFFECTS_PAY_DOUBLE)
      if (effect.kind == ASTRAGAL_EFFECT_PAY) effect.amount *= 2;
#elif defined(CHEAT_EFFECTS_WRONG_TURN)
      // The turn goes on with the other one: that seat would be next to act after a throw.
      if (effect.kind == ASTRAGAL_EFFECT_FINISH) effect.kind = ASTRAGAL_EFFECT_TURN;
#else
      if (effect.kind == ASTRAGAL_EFFECT_FINISH) effect.amount = 2;
#endif
    }
    return count;
  };
}
#elif defined(CHEAT_PIECE_NOWHERE) || defined(CHEAT_PIECE_LOST)
void Spoil() {
  table.pieces = [](const void* position, astragal_piece* out, uint32_t capacity) -> uint32_t {
    const uint32_t count = good.pieces(position, out, capacity);
    if (capacity < count || count == 0) return count;
    astragal_piece& last = out[count - 1];
#ifdef CHEAT_PIECE_NOWHERE
    if (At(position, kTinyTurns) > 2) last.place = 99;
#else
    if (At(position, kTinyTurns) > 2) ++last.count;
#endif
    return count;
  };
}
#elif defined(CHEAT_COIN_LOST)
void Spoil() {
  table.counters = [](const void* position, astragal_counter* out, uint32_t capacity) {
    const uint32_t count = good.counters(position, out, capacity);
    for (uint32_t i = 0; i < std::min(count, capacity); ++i) {
      if (out[i].seat == -1 && out[i].value > 0) --out[i].value;
    }
    return count;
  };
}
#elif defined(CHEAT_PLACES_MOVE) || defined(CHEAT_PLACES_OVERLAP)
void Spoil() {
  table.places = [](const void* position, astragal_place* out, uint32_t capacity) {
    const uint32_t count = good.places(position, out, capacity);
    for (uint32_t i = 0; i < std::min(count, capacity); ++i) {
#ifdef CHEAT_PLACES_MOVE
      out[i].y += At(position, kTinyTurns);
#else
      out[i].x /= 10;
#endif
    }
    return count;
  };
}
#elif defined(CHEAT_TEXT_WITHOUT_END)
void Spoil() {
  table.text = [](const void*, char* out, uint32_t capacity) {
    return Put("board", out, capacity);
  };
}
#elif defined(CHEAT_TEXT_CRASHES)
void Spoil() {
  table.text = [](const void* position, char* out, uint32_t capacity) {
    if (At(position, kTinyTurns) == 6) __builtin_trap();
    return good.text(position, out, capacity);
  };
}
#elif defined(CHEAT_TEXT_HANGS)
void Spoil() {
  table.text = [](const void* position, char* out, uint32_t capacity) {
    while (At(position, kTinyTurns) == 6 && forever) {
    }
    return good.text(position, out, capacity);
  };
}
#elif defined(CHEAT_RESULT_EARLY)
void Spoil() {
  table.result = [](const void* position, astragal_seat_result* out) {
    good.result(position, out);
    if (At(position, kTinyTurns) > 3 && out[0].place == 0) out[0].place = out[1].place = 1;
  };
}
#elif defined(CHEAT_RESULT_FOR_LOSERS)
void Spoil() {
  table.result = [](const void* position, astragal_seat_result* out) {
    good.result(position, out);
    for (int seat = 0; seat < 2; ++seat) out[seat].points = out[seat].place == 2 ? 1 : 0;
  };
}
#elif defined(CHEAT_RESULT_NO_RANKS)
void Spoil() {
  table.result = [](const void* position, astragal_seat_result* out) {
    good.result(position, out);
    if (out[0].place != 0) out[0].place = out[1].place = 1;
  };
  about.flags = 0;
}
#elif defined(CHEAT_CONCEDES_AFTER_THE_END)
void Spoil() {
  table.concession = [](const void*, int32_t, astragal_concession* out) -> int32_t {
    *out = {sizeof(astragal_concession), 0, 1, 2};
    return ASTRAGAL_OK;
  };
}
#elif defined(CHEAT_LEAVES_UNDECLARED) || defined(CHEAT_LEAVES_AND_STAYS)
void Spoil() {
  table.leave = [](void*, int32_t, astragal_error*) -> int32_t { return ASTRAGAL_OK; };
#ifdef CHEAT_LEAVES_AND_STAYS
  about.flags |= ASTRAGAL_RULESET_HAS_LEAVE;
#endif
}
#elif defined(CHEAT_MIRROR_FORGETS) || defined(CHEAT_MIRROR_SEAT)
astragal_mirror mirror;
void Spoil() {
  mirror = *static_cast<const astragal_mirror*>(good.extension(ASTRAGAL_EXTENSION_MIRROR));
#ifdef CHEAT_MIRROR_FORGETS
  mirror.position = [](const void* position, void* mirrored) {
    std::memcpy(mirrored, position, kTinySize);
  };
#else
  mirror.seat = [](const void*, int32_t seat) { return seat; };
#endif
  table.extension = [](const char*) -> const void* { return &mirror; };
}
#elif defined(CHEAT_EVALUATES_BELOW)
void Spoil() {
  table.evaluate = [](const void*, int32_t) -> int32_t { return -1; };
}

// ---- The course of a game ----------------------------------------------------------------------

#elif defined(CHEAT_STUCK)
void Spoil() {
  table.actions = [](const void* position, int64_t* out, uint32_t capacity) -> uint32_t {
    return At(position, kTinyTurns) == 3 ? 0 : good.actions(position, out, capacity);
  };
}
#elif defined(CHEAT_ENDLESS)
void Spoil() { about.max_game_actions = 6; }
#elif defined(CHEAT_IGNORES_CAPACITY)
void Spoil() {
  table.actions = [](const void* position, int64_t* out, uint32_t) {
    return good.actions(position, out, 3);
  };
}
#elif defined(CHEAT_COUNTS_WHAT_FITS)
void Spoil() {
  table.actions = [](const void* position, int64_t* out, uint32_t capacity) {
    return std::min(good.actions(position, out, capacity), capacity);
  };
}
#elif defined(CHEAT_NO_STRUCT_SIZE)
void Spoil() {
  table.pieces = [](const void* position, astragal_piece* out, uint32_t capacity) {
    const uint32_t count = good.pieces(position, out, capacity);
    for (uint32_t i = 0; i < std::min(count, capacity); ++i) out[i].struct_size = 0;
    return count;
  };
}
#else
#error "which way to cheat?"
#endif

}  // namespace

extern "C" ASTRAGAL_EXPORT const astragal_ruleset* astragal_ruleset_v1() {
  table = good;
  about = *good.about;
  table.about = &about;
  Spoil();
  return &table;
}
