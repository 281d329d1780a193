// How fast Long Narde is through the C table of the built library, and what the table costs against
// direct calls of the same code. The counter `games` is complete random games a second.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "plugins/long_narde/position.h"
#include "tests/bench/games.h"

namespace astragal::bench {
namespace {

// Found before main: a guarded static would cost as much as the call.
const astragal_ruleset& kTable = Load("long_narde");
const astragal_ruleset& Table() { return kTable; }

// A position that a set can hold.
struct alignas(8) Bytes {
  unsigned char at[sizeof(long_narde::Position)];
  auto operator<=>(const Bytes&) const = default;
};

using Tabled = ThroughTable<Table, Bytes>;

template <class Game>
void RandomGames(benchmark::State& state) {
  PlayGames<Game>(state, *Table().about, PresetValues(*Table().about, 0, 0));
}
BENCHMARK(RandomGames<Tabled>)->Name("random_games/through_the_table");
BENCHMARK(RandomGames<Directly<Table, long_narde::Position>>)->Name("random_games/direct_calls");

void Cost(benchmark::State& state) {
  CostOfTable<Table, long_narde::Position>(state, PresetValues(*Table().about, 0, 0));
}
BENCHMARK(Cost)->Name("cost_of_the_table")->Iterations(41);

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

const std::vector<Bytes>& LongNardeSamples() {
  static const std::vector<Bytes> samples =
      Samples<Tabled>(*Table().about, PresetValues(*Table().about, 0, 0), 4096);
  return samples;
}

void Actions(benchmark::State& state) { OneActions(state, Table(), LongNardeSamples()); }
BENCHMARK(Actions)->Name("one_actions");

void Apply(benchmark::State& state) { OneApply(state, Table(), LongNardeSamples()); }
BENCHMARK(Apply)->Name("one_apply");

void Copy(benchmark::State& state) { OneCopy(state, LongNardeSamples()); }
BENCHMARK(Copy)->Name("one_copy");

void Evaluate(benchmark::State& state) { OneEvaluate(state, Table(), LongNardeSamples()); }
BENCHMARK(Evaluate)->Name("one_evaluate");

}  // namespace
}  // namespace astragal::bench
