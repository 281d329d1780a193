// How fast Patolli is through the C table of the built library, and what the table costs against
// direct calls of the same code. The goal: at least 20,000 random complete games a second.
#include "plugins/patolli/position.h"
#include "tests/bench/games.h"

namespace astragal::bench {
namespace {

using patolli::Position;

// Found before main: a guarded static would cost as much as the call.
const astragal_ruleset& kTable = Load("patolli");
const astragal_ruleset& Table() { return kTable; }

template <class Game>
void RandomGames(benchmark::State& state) {
  const auto preset = static_cast<uint32_t>(state.range(0));
  state.SetLabel(Table().about->presets[preset].name);
  PlayGames<Game>(state, *Table().about, PresetValues(*Table().about, preset, 0));
}
BENCHMARK(RandomGames<ThroughTable<Table, Position>>)
    ->Name("random_games/through_the_table")
    ->Arg(0)
    ->Arg(1);
BENCHMARK(RandomGames<Directly<Table, Position>>)
    ->Name("random_games/direct_calls")
    ->Arg(0)
    ->Arg(1);

void Cost(benchmark::State& state) {
  CostOfTable<Table, Position>(state, PresetValues(*Table().about, 0, 0));
}
BENCHMARK(Cost)->Name("cost_of_the_table")->Iterations(41);

const std::vector<Position>& PatolliSamples() {
  static const std::vector<Position> samples = Samples<ThroughTable<Table, Position>>(
      *Table().about, PresetValues(*Table().about, 0, 0), 4096);
  return samples;
}

void Actions(benchmark::State& state) { OneActions(state, Table(), PatolliSamples()); }
BENCHMARK(Actions)->Name("one_actions");

void Apply(benchmark::State& state) { OneApply(state, Table(), PatolliSamples()); }
BENCHMARK(Apply)->Name("one_apply");

void Copy(benchmark::State& state) { OneCopy(state, PatolliSamples()); }
BENCHMARK(Copy)->Name("one_copy");

void Evaluate(benchmark::State& state) { OneEvaluate(state, Table(), PatolliSamples()); }
BENCHMARK(Evaluate)->Name("one_evaluate");

}  // namespace
}  // namespace astragal::bench
