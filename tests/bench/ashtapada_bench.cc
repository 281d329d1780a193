// How fast Ashtapada is through the C table of the built library, and what the table costs against
// direct calls of the same code. The goal: at least 10,000 random complete games of two players a
// second.
#include "plugins/ashtapada/position.h"
#include "tests/bench/games.h"

namespace astragal::bench {
namespace {

using ashtapada::Position;

// Found before main: a guarded static would cost as much as the call.
const astragal_ruleset& kTable = Load("ashtapada");
const astragal_ruleset& Table() { return kTable; }

template <class Game>
void RandomGames(benchmark::State& state) {
  const auto preset = static_cast<uint32_t>(state.range(0));
  state.SetLabel(Table().about->presets[preset].name);
  PlayGames<Game>(state, *Table().about, PresetValues(*Table().about, preset, state.range(1)));
}
BENCHMARK(RandomGames<ThroughTable<Table, Position>>)
    ->Name("random_games/through_the_table")
    ->ArgNames({"preset", "players"})
    ->ArgsProduct({{0, 1}, {2, 3, 4}});
BENCHMARK(RandomGames<Directly<Table, Position>>)
    ->Name("random_games/direct_calls")
    ->ArgNames({"preset", "players"})
    ->ArgsProduct({{0, 1}, {2}});

void Cost(benchmark::State& state) {
  CostOfTable<Table, Position>(
      state, PresetValues(*Table().about, static_cast<uint32_t>(state.range(0)), 2));
}
BENCHMARK(Cost)->Name("cost_of_the_table")->ArgName("preset")->Arg(0)->Arg(1)->Iterations(41);

// Two players; the preset is the benchmark's argument.
std::vector<Position> SamplesOf(const benchmark::State& state) {
  const auto preset = static_cast<uint32_t>(state.range(0));
  return Samples<ThroughTable<Table, Position>>(*Table().about,
                                                PresetValues(*Table().about, preset, 2), 4096);
}

void Actions(benchmark::State& state) { OneActions(state, Table(), SamplesOf(state)); }
BENCHMARK(Actions)->Name("one_actions")->ArgName("preset")->Arg(0)->Arg(1);

void Apply(benchmark::State& state) { OneApply(state, Table(), SamplesOf(state)); }
BENCHMARK(Apply)->Name("one_apply")->ArgName("preset")->Arg(0)->Arg(1);

void Copy(benchmark::State& state) { OneCopy(state, SamplesOf(state)); }
BENCHMARK(Copy)->Name("one_copy")->ArgName("preset")->Arg(0);

void Evaluate(benchmark::State& state) { OneEvaluate(state, Table(), SamplesOf(state)); }
BENCHMARK(Evaluate)->Name("one_evaluate")->ArgName("preset")->Arg(0);

}  // namespace
}  // namespace astragal::bench
