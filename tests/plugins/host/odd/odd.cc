// Plugins that are wrong in one way each: the tiny ruleset's table, spoiled by the one macro that
// this file is compiled with (ODD_GOOD spoils nothing). What the host makes of each stands in
// plugins/README.md and is tested by odd_load_test.cc and odd_call_test.cc.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "tests/plugins/host/odd/tiny.h"

namespace {

astragal_ruleset table;
astragal_about about;
[[maybe_unused]] const astragal_ruleset& good = *TinyTable();

[[maybe_unused]] void Crash() { raise(SIGSEGV); }
[[maybe_unused]] volatile bool forever = true;
[[maybe_unused]] void Hang() {
  while (forever) {
  }
}
[[maybe_unused]] uint8_t* Bytes(void* position) { return static_cast<uint8_t*>(position); }
[[maybe_unused]] uint32_t Put(const char* text, size_t length, char* out, uint32_t capacity) {
  std::memcpy(out, text, length < capacity ? length : capacity);
  return static_cast<uint32_t>(length);
}

// ---- Wrong at load
// ---------------------------------------------------------------------------------

#if defined(ODD_GOOD)
void Spoil() {}
#elif defined(ODD_NO_ENTRY) || defined(ODD_OTHER_MAJOR_ENTRY) || defined(ODD_NULL_TABLE) || \
    defined(ODD_ENTRY_THROWS) || defined(ODD_ENTRY_CRASHES)
void Spoil() {}
#elif defined(ODD_WRONG_MAJOR)
void Spoil() { table.abi_major = 2; }
#elif defined(ODD_SHORT_TABLE)
void Spoil() { table.struct_size -= 8; }
#elif defined(ODD_NULL_ABOUT)
void Spoil() { table.about = nullptr; }
#elif defined(ODD_NULL_FUNCTION)
void Spoil() { table.effects = nullptr; }
#elif defined(ODD_SHORT_ABOUT)
void Spoil() { about.struct_size = 40; }
#elif defined(ODD_SHORT_OPTION)
astragal_option options[3];
void Spoil() {
  std::memcpy(options, about.options, sizeof options);
  options[0].struct_size = 16;
  about.options = options;
}
#elif defined(ODD_NULL_NAME)
void Spoil() { about.name = nullptr; }
#elif defined(ODD_BAD_ID)
void Spoil() { about.id = "../tiny"; }
#elif defined(ODD_NAME_NOT_UTF8)
void Spoil() { about.name = "Tiny \xC3\x28"; }
#elif defined(ODD_LONG_NAME)
void Spoil() {
  about.name = "A name that goes on and on until it has far more bytes than the sixty-four allowed";
}
#elif defined(ODD_NO_VERSION)
void Spoil() { about.rules_version = 0; }
#elif defined(ODD_HUGE_POSITION)
void Spoil() { about.position_size = 1u << 20; }
#elif defined(ODD_HUGE_LIMIT)
void Spoil() { about.max_actions = 1u << 30; }
#elif defined(ODD_FIVE_SEATS)
void Spoil() { about.max_seats = 5; }
#elif defined(ODD_NULL_OPTIONS)
void Spoil() { about.options = nullptr; }
#elif defined(ODD_MANY_OPTIONS)
void Spoil() { about.option_count = 1u << 31; }
#elif defined(ODD_BAD_DEFAULT)
astragal_option options[3];
void Spoil() {
  std::memcpy(options, about.options, sizeof options);
  options[0].default_value = 99;
  about.options = options;
}
#elif defined(ODD_SAME_OPTION_TWICE)
astragal_option options[3];
void Spoil() {
  std::memcpy(options, about.options, sizeof options);
  options[1].name = options[0].name;
  about.options = options;
}
#elif defined(ODD_NO_STANDARD)
void Spoil() {
  ++about.presets;
  --about.preset_count;
}
#elif defined(ODD_BAD_PRESET)
const astragal_setting setting = {7, 0, 1};
astragal_preset presets[2];
void Spoil() {
  std::memcpy(presets, about.presets, sizeof presets);
  presets[1].settings = &setting;
  presets[1].setting_count = 1;
  about.presets = presets;
}
#elif defined(ODD_ZERO_WEIGHT) || defined(ODD_HEAVY_WEIGHTS)
#ifdef ODD_ZERO_WEIGHT
const uint32_t weights[] = {1, 0, 1};
#else
const uint32_t weights[] = {65536, 1, 1};
#endif
astragal_throw_kind kind;
void Spoil() {
  kind = about.throw_kinds[0];
  kind.weights = weights;
  about.throw_kinds = &kind;
}
#elif defined(ODD_SHORT_MIRROR) || defined(ODD_NULL_MIRROR)
astragal_mirror mirror;
void Spoil() {
  mirror = *static_cast<const astragal_mirror*>(good.extension(ASTRAGAL_EXTENSION_MIRROR));
#ifdef ODD_SHORT_MIRROR
  mirror.struct_size = 8;
#else
  mirror.action = nullptr;
#endif
  table.extension = [](const char*) -> const void* { return &mirror; };
}
#elif defined(ODD_CRASHES_AT_LOAD)
__attribute__((constructor)) void AtLoad() { Crash(); }
void Spoil() {}
#elif defined(ODD_HANGS_AT_LOAD)
__attribute__((constructor)) void AtLoad() { Hang(); }
void Spoil() {}
#elif defined(ODD_SLEEPS_AT_LOAD)
__attribute__((constructor)) void AtLoad() { pause(); }
void Spoil() {}
#elif defined(ODD_EXITS_AT_LOAD)
__attribute__((constructor)) void AtLoad() { _exit(0); }
void Spoil() {}
#elif defined(ODD_THROWS_AT_LOAD)
__attribute__((constructor)) void AtLoad() { throw 1; }
void Spoil() {}
#elif defined(ODD_WRITES_AT_LOAD)
__attribute__((constructor)) void AtLoad() {
  if (write(1, "hello\n", 6) < 0) _exit(1);
}
void Spoil() {}
#elif defined(ODD_FORKS_AT_LOAD)
__attribute__((constructor)) void AtLoad() {
  if (fork() == 0) {
    pause();
    _exit(0);
  }
}
void Spoil() {}
#elif defined(ODD_STARTS_A_THREAD)
void* Wait(void*) {
  pause();
  return nullptr;
}
void Spoil() {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, Wait, nullptr) != 0) std::abort();
}
#elif defined(ODD_EATS_MEMORY_AT_LOAD)
__attribute__((constructor)) void AtLoad() {
  for (;;) {
    void* block = std::malloc(64u << 20);
    if (block == nullptr) std::abort();
    std::memset(block, 1, 4096);
  }
}
void Spoil() {}
#elif defined(ODD_UNDEFINED_SYMBOL)
}  // namespace
extern "C" int a_function_that_nobody_wrote();
namespace {
void Spoil() { about.flags = static_cast<uint32_t>(a_function_that_nobody_wrote()); }
#elif defined(ODD_MISSING_DEPENDENCY)
}  // namespace
extern "C" int gone();
namespace {
void Spoil() { about.flags = static_cast<uint32_t>(gone()); }

// ---- Wrong when it is called -------------------------------------------------------------------

#elif defined(ODD_CRASHES_IN_START)
void Spoil() {
  table.start = [](const int64_t*, void*, astragal_error*) -> int32_t { return Crash(), 0; };
}
#elif defined(ODD_HANGS_IN_ACTIONS)
void Spoil() {
  table.actions = [](const void*, int64_t*, uint32_t) -> uint32_t { return Hang(), 0; };
}
#elif defined(ODD_WRITES_IN_APPLY)
void Spoil() {
  table.apply = [](void* position, int32_t actor, int64_t action, astragal_error* error) {
    std::puts("moving");
    std::fflush(stdout);
    return good.apply(position, actor, action, error);
  };
}
#elif defined(ODD_START_THROWS)
void Spoil() {
  table.start = [](const int64_t*, void*, astragal_error*) -> int32_t { throw std::bad_alloc(); };
}
#elif defined(ODD_START_FORGETS_OPTIONS)
void Spoil() {
  table.start = [](const int64_t*, void* position, astragal_error* error) {
    const int64_t others[] = {9, 0, 0};
    return good.start(others, position, error);
  };
}
#elif defined(ODD_CHECK_THROWS)
void Spoil() {
  table.check = [](const void*, astragal_error*) -> int32_t { throw 1; };
}
#elif defined(ODD_ACTOR_THROWS)
void Spoil() {
  table.actor = [](const void*) -> int32_t { throw 1; };
}
#elif defined(ODD_SEATS_SEVEN)
void Spoil() {
  table.seats = [](const void*) -> uint32_t { return 7; };
}
#elif defined(ODD_ACTIONS_THROW)
void Spoil() {
  table.actions = [](const void*, int64_t*, uint32_t) -> uint32_t { throw 1; };
}
#elif defined(ODD_ACTIONS_TOO_MANY)
void Spoil() {
  table.actions = [](const void*, int64_t*, uint32_t) -> uint32_t { return 4; };
}
#elif defined(ODD_ACTIONS_ENDLESS)
void Spoil() {
  table.actions = [](const void*, int64_t* out, uint32_t capacity) -> uint32_t {
    for (uint32_t i = 0; i < capacity; ++i) out[i] = i;
    return UINT32_MAX;
  };
}
#elif defined(ODD_ACTIONS_NONE)
void Spoil() {
  table.actions = [](const void*, int64_t*, uint32_t) -> uint32_t { return 0; };
}
#elif defined(ODD_ACTIONS_FOR_CHANCE)
void Spoil() {
  table.actions = [](const void*, int64_t* out, uint32_t capacity) -> uint32_t {
    if (capacity > 0) out[0] = 0;
    return 1;
  };
}
#elif defined(ODD_ACTIONS_UNSORTED) || defined(ODD_ACTIONS_REPEATED) || \
    defined(ODD_ACTIONS_NEGATIVE)
void Spoil() {
  table.actions = [](const void* position, int64_t* out, uint32_t capacity) -> uint32_t {
    if (good.actor(position) < 0) return 0;
#if defined(ODD_ACTIONS_UNSORTED)
    const int64_t list[] = {3, 1};
#elif defined(ODD_ACTIONS_REPEATED)
    const int64_t list[] = {1, 1};
#else
    const int64_t list[] = {-5, 1};
#endif
    for (uint32_t i = 0; i < 2 && i < capacity; ++i) out[i] = list[i];
    return 2;
  };
}
#elif defined(ODD_CHANCES_SEVEN)
void Spoil() {
  table.chances = [](const void* position) { return good.chances(position) < 0 ? -1 : 7; };
}
#elif defined(ODD_APPLY_THROWS) || defined(ODD_APPLY_FAULTS) ||       \
    defined(ODD_APPLY_REFUSES_DIRTY) || defined(ODD_APPLY_CODE_77) || \
    defined(ODD_APPLY_BREAKS_ACTOR) || defined(ODD_ERROR_NOT_UTF8) || \
    defined(ODD_ERROR_UNTERMINATED)
void Spoil() {
  table.apply = [](void* position, int32_t, int64_t,
                   [[maybe_unused]] astragal_error* error) -> int32_t {
    std::memset(position, 1, kTinySize);  // every one of these leaves a mess
#if defined(ODD_APPLY_THROWS)
    throw 1;
#elif defined(ODD_APPLY_FAULTS)
    std::strcpy(error->message, "an invariant broke");
    return ASTRAGAL_FAULT;
#elif defined(ODD_APPLY_REFUSES_DIRTY)
    std::strcpy(error->message, "Not like this.");
    return ASTRAGAL_REFUSED;
#elif defined(ODD_APPLY_CODE_77)
    return 77;
#elif defined(ODD_APPLY_BREAKS_ACTOR)
    Bytes(position)[kTinyActor] = 9;
    return ASTRAGAL_OK;
#elif defined(ODD_ERROR_NOT_UTF8)
    std::strcpy(error->message, "\xFF\xFE");
    return ASTRAGAL_REFUSED;
#else
    std::memset(error->message, 'a', sizeof error->message);
    std::memset(error->field, 'b', sizeof error->field);
    return ASTRAGAL_REFUSED;
#endif
  };
}
#elif defined(ODD_RESULT_NO_WINNER) || defined(ODD_RESULT_PLACE_NINE)
void Spoil() {
  table.result = [](const void*, astragal_seat_result* out) {
#ifdef ODD_RESULT_NO_WINNER
    out[0].place = out[1].place = 2;
#else
    out[0].place = 9;
#endif
  };
}
#elif defined(ODD_FORMAT_CONTROL) || defined(ODD_FORMAT_LONG)
void Spoil() {
  table.format = [](const void*, int32_t, int64_t, char* out, uint32_t capacity) -> uint32_t {
#ifdef ODD_FORMAT_CONTROL
    return Put("\x1B[2J", 4, out, capacity);
#else
    std::memset(out, 'x', capacity);
    return 1000;
#endif
  };
}
#elif defined(ODD_PARSE_NEGATIVE)
void Spoil() {
  table.parse = [](const void*, int32_t, const char*, uint32_t, int64_t* action,
                   astragal_error*) -> int32_t {
    *action = -7;
    return ASTRAGAL_OK;
  };
}
#elif defined(ODD_TEXT_NOT_UTF8)
void Spoil() {
  table.text = [](const void*, char* out, uint32_t capacity) {
    return Put("\xE2\x82", 2, out, capacity);
  };
}
#elif defined(ODD_TEXT_ENDLESS)
void Spoil() {
  table.text = [](const void*, char*, uint32_t) -> uint32_t { return UINT32_MAX; };
}
#elif defined(ODD_POSITION_TEXT_EMPTY)
void Spoil() {
  table.format_position = [](const void*, char*, uint32_t) -> uint32_t { return 0; };
}
#elif defined(ODD_PARSE_POSITION_UNCHECKED)
void Spoil() {
  table.parse_position = [](const char*, uint32_t, void* position, astragal_error*) -> int32_t {
    std::memset(position, 0xEE, kTinySize);
    return ASTRAGAL_OK;
  };
}
#elif defined(ODD_EFFECT_UNKNOWN) || defined(ODD_EFFECT_SEAT_NINE)
void Spoil() {
  table.effects = [](const void*, int32_t, int64_t, astragal_effect* out, uint32_t) -> uint32_t {
    out[0] = {sizeof(astragal_effect), ASTRAGAL_EFFECT_TURN, 0, -1, -1, -1, 0};
#ifdef ODD_EFFECT_UNKNOWN
    out[0].kind = 99;
#else
    out[0].seat = 9;
#endif
    return 1;
  };
}
#elif defined(ODD_EFFECTS_ENDLESS)
void Spoil() {
  table.effects = [](const void*, int32_t, int64_t, astragal_effect*, uint32_t) -> uint32_t {
    return UINT32_MAX;
  };
}
#elif defined(ODD_CONCESSION_BACKWARDS)
void Spoil() {
  table.concession = [](const void*, int32_t, astragal_concession* out) -> int32_t {
    out->fewest = 3;
    out->most = 1;
    return ASTRAGAL_OK;
  };
}
#elif defined(ODD_PLACES_REPEATED) || defined(ODD_PLACE_LABEL_UNTERMINATED)
void Spoil() {
  table.places = [](const void* position, astragal_place* out, uint32_t capacity) -> uint32_t {
    const uint32_t count = good.places(position, out, capacity);
#ifdef ODD_PLACES_REPEATED
    out[1].id = out[0].id;
#else
    std::memset(out[1].label, 'a', sizeof out[1].label);
#endif
    return count;
  };
}
#elif defined(ODD_PIECES_UNSORTED) || defined(ODD_PIECES_NONE_HERE)
void Spoil() {
  table.pieces = [](const void* position, astragal_piece* out, uint32_t capacity) -> uint32_t {
    const uint32_t count = good.pieces(position, out, capacity);
#ifdef ODD_PIECES_UNSORTED
    const astragal_piece first = out[0];
    out[0] = out[1];
    out[1] = first;
#else
    out[0].count = 0;
#endif
    return count;
  };
}
#elif defined(ODD_COUNTER_NAME)
void Spoil() {
  table.counters = [](const void*, astragal_counter* out, uint32_t) -> uint32_t {
    out[0] = {sizeof(astragal_counter), -1, 1, "Not A Name"};
    return 1;
  };
}
#elif defined(ODD_THROW_SEAT)
void Spoil() {
  table.throws = [](const void*, astragal_throw* out, uint32_t) -> uint32_t {
    out[0] = {sizeof(astragal_throw), -1, 3, 0, 0};
    return 1;
  };
}
#elif defined(ODD_EVALUATE_HUGE)
void Spoil() {
  table.evaluate = [](const void*, int32_t) -> int32_t { return 5000; };
}
#else
#error "which way to be odd?"
#endif

}  // namespace

#if defined(ODD_OTHER_MAJOR_ENTRY)
#define ENTRY astragal_ruleset_v2
#elif defined(ODD_NO_ENTRY)
#define ENTRY something_else
#else
#define ENTRY astragal_ruleset_v1
#endif

extern "C" ASTRAGAL_EXPORT const astragal_ruleset* ENTRY() {
#if defined(ODD_ENTRY_THROWS)
  throw 1;
#elif defined(ODD_ENTRY_CRASHES)
  Crash();
#endif
  table = good;
  about = *good.about;
  table.about = &about;
  Spoil();
#if defined(ODD_NULL_TABLE)
  return nullptr;
#else
  return &table;
#endif
}
