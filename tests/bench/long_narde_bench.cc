// How fast Long Narde is through the C table of the built library, and what the table costs against
// direct calls of the same code. The counter `games` is complete random games a second.
#include <astragal/ruleset.h>
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "plugins/long_narde/position.h"

namespace astragal {
namespace {

// Small, fast and good enough to pick moves: splitmix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint32_t Below(uint32_t limit) {
    state_ += 0x9E3779B97F4A7C15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return static_cast<uint32_t>(((z >> 32) * limit) >> 32);
  }

 private:
  uint64_t state_;
};

struct alignas(8) Bytes {
  unsigned char at[sizeof(long_narde::Position)];
  auto operator<=>(const Bytes&) const = default;
};

const astragal_ruleset& Table() {
  static const astragal_ruleset* const table = [] {
    void* library = dlopen(ASTRAGAL_BUILD_DIR "/plugins/liblong_narde.so", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) std::abort();
    return reinterpret_cast<astragal_entry>(dlsym(library, ASTRAGAL_ENTRY_NAME))();
  }();
  return *table;
}

// The C table, and the same calls without it.
struct ThroughTable {
  Bytes position;
  astragal_error error = {sizeof(astragal_error), {}, {}};

  ThroughTable() {
    const int64_t options[long_narde::kOptionCount] = {};
    Table().start(options, &position, &error);
  }
  int32_t Actor() const { return Table().actor(&position); }
  int32_t Chances() const { return Table().chances(&position); }
  uint32_t Actions(int64_t* out, uint32_t capacity) const {
    return Table().actions(&position, out, capacity);
  }
  bool Apply(int32_t actor, int64_t action) {
    return Table().apply(&position, actor, action, &error) == ASTRAGAL_OK;
  }
};

struct Directly {
  long_narde::Position position{};
  sdk::Error error{nullptr};

  Directly() {
    const int64_t options[long_narde::kOptionCount] = {};
    position.Start(options, error);
  }
  int32_t Actor() const { return position.Actor(); }
  int32_t Chances() const { return position.Chances(); }
  uint32_t Actions(int64_t* out, uint32_t capacity) const {
    sdk::Sink<int64_t> sink(out, capacity);
    position.Actions(sink);
    return sink.count();
  }
  bool Apply(int32_t actor, int64_t action) { return position.Apply(actor, action, error); }
};

template <class Game>
int64_t Throw(const Game& game, Random& random) {
  const int32_t kind = game.Chances();
  const astragal_throw_kind& throw_kind = Table().about->throw_kinds[kind];
  uint32_t draw = random.Below(36);
  uint32_t outcome = 0;
  while (draw >= throw_kind.weights[outcome]) draw -= throw_kind.weights[outcome++];
  return ASTRAGAL_CHANCE_ACTION(kind, outcome);
}

template <class Game, class Visit>
void PlayOne(Random& random, const Visit& visit) {
  Game game;
  int64_t actions[64];
  for (int32_t actor = game.Actor(); actor != ASTRAGAL_OVER; actor = game.Actor()) {
    int64_t action = 0;
    if (actor == ASTRAGAL_CHANCE) {
      action = Throw(game, random);
    } else {
      action = actions[random.Below(game.Actions(actions, 64))];
    }
    if (!game.Apply(actor, action)) std::abort();
    visit(game, actor);
  }
}

template <class Game>
void Playouts(benchmark::State& state) {
  Random random(1);
  int64_t throws = 0;
  int64_t steps = 0;
  for (auto _ : state) {
    PlayOne<Game>(random, [&](const Game&, int32_t actor) { ++(actor < 0 ? throws : steps); });
  }
  const auto games = static_cast<double>(state.iterations());
  state.counters["games"] = benchmark::Counter(games, benchmark::Counter::kIsRate);
  state.counters["turns"] =
      benchmark::Counter(static_cast<double>(throws), benchmark::Counter::kIsRate);
  state.counters["turns_a_game"] = static_cast<double>(throws) / games;
  state.counters["steps_a_game"] = static_cast<double>(steps) / games;
}
BENCHMARK(Playouts<ThroughTable>)->Name("random_games/through_the_table");
BENCHMARK(Playouts<Directly>)->Name("random_games/direct_calls");

Bytes Parse(const std::string& text) {
  Bytes position{};
  astragal_error error = {sizeof(error), {}, {}};
  if (Table().parse_position(text.data(), static_cast<uint32_t>(text.size()), &position, &error) !=
      ASTRAGAL_OK) {
    std::abort();
  }
  return position;
}

// Every distinct end of the turn that starts here.
size_t CountEnds(const Bytes& start) {
  astragal_error error = {sizeof(error), {}, {}};
  const int32_t seat = Table().actor(&start);
  std::set<Bytes> level = {start};
  std::set<Bytes> ends;
  int64_t actions[64];
  while (!level.empty()) {
    std::set<Bytes> next;
    for (const Bytes& position : level) {
      const uint32_t count = Table().actions(&position, actions, 64);
      for (uint32_t i = 0; i < count; ++i) {
        Bytes after = position;
        Table().apply(&after, seat, actions[i], &error);
        (Table().actor(&after) == seat ? next : ends).insert(after);
      }
    }
    level = std::move(next);
  }
  return ends.size();
}

// The double with the most ends: fifteen single checkers with nothing in their way.
constexpr const char* kWidest =
    "white 24:1 23:1 22:1 21:1 20:1 18:1 17:1 16:1 15:1 14:1 12:1 11:1 10:1 9:1 8:1 black 1:1 "
    "roll white";
// The same with an enemy that has not passed: every step may close a block and is searched.
constexpr const char* kSearched =
    "white 24:1 23:1 22:1 21:1 20:1 18:1 17:1 16:1 15:1 14:1 11:1 10:1 9:1 8:1 7:1 black 24:15 "
    "roll white";

void Double(benchmark::State& state, const char* text, int die, bool ends) {
  const Bytes before = Parse(text);
  // Doubles d-d come after 1 + 2 + ... + d outcomes.
  const int64_t roll = ASTRAGAL_CHANCE_ACTION(long_narde::kRollThrow, die * (die + 1) / 2 - 1);
  astragal_error error = {sizeof(error), {}, {}};
  size_t count = 0;
  for (auto _ : state) {
    Bytes position = before;
    Table().apply(&position, ASTRAGAL_CHANCE, roll, &error);
    if (ends) count = CountEnds(position);
    benchmark::DoNotOptimize(position);
  }
  if (ends) state.counters["ends"] = static_cast<double>(count);
}
BENCHMARK_CAPTURE(Double, plan_of_widest_1_1, kWidest, 1, false);
BENCHMARK_CAPTURE(Double, plan_of_searched_1_1, kSearched, 1, false);
BENCHMARK_CAPTURE(Double, ends_of_widest_1_1, kWidest, 1, true)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Double, ends_of_widest_2_2, kWidest, 2, true)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Double, ends_of_searched_1_1, kSearched, 1, true)->Unit(benchmark::kMicrosecond);

// Positions of random games in which a seat is to act.
const std::vector<Bytes>& Samples() {
  static const std::vector<Bytes> samples = [] {
    std::vector<Bytes> list;
    Random random(2);
    for (int game = 0; game < 40; ++game) {
      PlayOne<ThroughTable>(random, [&](const ThroughTable& now, int32_t) {
        if (now.Actor() >= 0) list.push_back(now.position);
      });
    }
    return list;
  }();
  return samples;
}

void OneActions(benchmark::State& state) {
  int64_t actions[64];
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Table().actions(&Samples()[i], actions, 64));
    i = i + 1 == Samples().size() ? 0 : i + 1;
  }
}
BENCHMARK(OneActions)->Name("one_actions");

void OneApply(benchmark::State& state) {
  std::vector<int64_t> first(Samples().size());
  for (size_t i = 0; i < first.size(); ++i) Table().actions(&Samples()[i], &first[i], 1);
  astragal_error error = {sizeof(error), {}, {}};
  size_t i = 0;
  for (auto _ : state) {
    Bytes position = Samples()[i];
    Table().apply(&position, Table().actor(&position), first[i], &error);
    benchmark::DoNotOptimize(position);
    i = i + 1 == first.size() ? 0 : i + 1;
  }
}
BENCHMARK(OneApply)->Name("one_apply");

void OneCopy(benchmark::State& state) {
  size_t i = 0;
  for (auto _ : state) {
    Bytes position = Samples()[i];
    benchmark::DoNotOptimize(position);
    i = i + 1 == Samples().size() ? 0 : i + 1;
  }
}
BENCHMARK(OneCopy)->Name("one_copy");

void OneEvaluate(benchmark::State& state) {
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Table().evaluate(&Samples()[i], 0));
    i = i + 1 == Samples().size() ? 0 : i + 1;
  }
}
BENCHMARK(OneEvaluate)->Name("one_evaluate");

}  // namespace
}  // namespace astragal
