// What pairing a round and making standings cost, on one core.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "services/algorithms/pairing/dutch.h"
#include "services/algorithms/pairing/fast.h"
#include "services/algorithms/pairing/round_robin.h"
#include "services/algorithms/pairing/tiebreaks.h"
#include "tests/services/algorithms/pairing/events.h"

namespace astragal::algorithms {
namespace {

// An event after this many rounds, paired by the engine for big fields; a share of all pairs, in
// thousandths, is forbidden.
Crosstable Played(int players, int rounds, int forbidden) {
  tests::Event event(1, players);
  std::mt19937_64 random(2);
  const int64_t pairs = int64_t{players} * (players - 1) / 2 * forbidden / 1000;
  for (int64_t i = 0; i < pairs; ++i) {
    const int a = static_cast<int>(random() % static_cast<uint64_t>(players));
    const int b = static_cast<int>(random() % static_cast<uint64_t>(players));
    if (a != b) event.table().forbidden.push_back({{a, b}, 1, 999});
  }
  for (int round = 0; round < rounds; ++round) {
    const SwissField field(event.table(), false);
    event.Play(BoardsOf(field, *PairFast(field)));
  }
  return event.table();
}

void DutchRound(benchmark::State& state) {
  const Crosstable table =
      Played(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), 0);
  for (auto _ : state) {
    const SwissField field(table, state.range(2) != 0);
    benchmark::DoNotOptimize(PairDutch(field));
  }
}
BENCHMARK(DutchRound)
    ->ArgNames({"players", "rounds", "sides"})
    ->ArgsProduct({{200}, {0, 1, 3, 5, 8}, {0, 1}})
    ->Args({600, 5, 0})
    ->Unit(benchmark::kMillisecond);

void FastRound(benchmark::State& state) {
  const Crosstable table = Played(static_cast<int>(state.range(0)), 8, 20);
  for (auto _ : state) {
    const SwissField field(table, false);
    benchmark::DoNotOptimize(PairFast(field));
  }
}
BENCHMARK(FastRound)->ArgName("players")->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

void Standings(benchmark::State& state) {
  const Crosstable table = Played(static_cast<int>(state.range(0)), 11, 0);
  for (auto _ : state) benchmark::DoNotOptimize(ComputeStandings(table, DefaultTieBreaks(false)));
}
BENCHMARK(Standings)->ArgName("players")->Arg(10000)->Unit(benchmark::kMillisecond);

void RoundRobinOf200(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(RoundRobin(200));
}
BENCHMARK(RoundRobinOf200)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace astragal::algorithms
