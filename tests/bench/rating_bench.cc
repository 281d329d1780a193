// Rating a million matches in memory, of two and of four seats.
#include <benchmark/benchmark.h>

#include <vector>

#include "services/algorithms/bots.h"
#include "services/algorithms/rating_pool.h"

namespace astragal::algorithms {
namespace {

constexpr size_t kMatches = 1'000'000;
constexpr uint32_t kPlayers = 50'000;

std::vector<RatedMatch> Matches(size_t seats) {
  PlayRandom random(1);
  std::vector<RatedMatch> matches(kMatches);
  for (size_t i = 0; i < kMatches; ++i) {
    RatedMatch& match = matches[i];
    match.finished_at = {static_cast<int64_t>(i) * 60'000'000};
    match.seats = static_cast<uint8_t>(seats);
    match.length = 5;
    const uint64_t first = random.Below(kPlayers);
    for (size_t seat = 0; seat < seats; ++seat) {
      // Different ones: each lies in a quarter of its own.
      const uint64_t step = seat * (kPlayers / 4) + random.Below(kPlayers / 4);
      match.players[seat] = static_cast<uint32_t>((first + step) % kPlayers);
      match.places[seat] = static_cast<uint8_t>(seat + 1);
    }
  }
  return matches;
}

void BM_ReplayAMillionMatches(benchmark::State& state) {
  const auto seats = static_cast<size_t>(state.range(0));
  const std::vector<RatedMatch> matches = Matches(seats);
  for (auto unused : state) {
    RatingPool pool({}, seats == 2 ? SeatClass::kTwo : SeatClass::kTable);
    pool.ApplyAll(matches,
                  [](size_t, const MatchOutcome& outcome) { benchmark::DoNotOptimize(outcome); });
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kMatches));
}
BENCHMARK(BM_ReplayAMillionMatches)->Arg(2)->Arg(4)->Unit(benchmark::kMillisecond)->Iterations(3);

}  // namespace
}  // namespace astragal::algorithms
