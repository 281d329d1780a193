// Patolli through the C ABI of the built plugin, on one core. The goal: at least 20,000 random
// complete games a second.
#include <astragal/ruleset.h>
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

const astragal_ruleset& Patolli() {
  static const astragal_ruleset* const table = [] {
    void* const library = dlopen(ASTRAGAL_BUILD_DIR "/plugins/libpatolli.so", RTLD_NOW);
    void* const entry = library == nullptr ? nullptr : dlsym(library, ASTRAGAL_ENTRY_NAME);
    if (entry == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      std::exit(1);
    }
    return reinterpret_cast<astragal_entry>(entry)();
  }();
  return *table;
}

struct Bytes {
  alignas(8) std::array<unsigned char, 128> data{};
};

class Random {  // xorshift64*: its cost must not be what is measured
 public:
  explicit Random(uint64_t seed) : state_(seed * 2 + 1) {}
  uint32_t Below(uint32_t limit) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<uint32_t>(((state_ * 2685821657736338717u) >> 32) * limit >> 32);
  }

 private:
  uint64_t state_;
};

int64_t Draw(const astragal_throw_kind& kind, int32_t index, Random& random) {
  uint32_t ticket = random.Below(32);
  uint32_t outcome = 0;
  while (ticket >= kind.weights[outcome]) ticket -= kind.weights[outcome++];
  return ASTRAGAL_CHANCE_ACTION(index, outcome);
}

Bytes Started(uint32_t preset) {
  const astragal_about& about = *Patolli().about;
  std::vector<int64_t> values;
  for (uint32_t i = 0; i < about.option_count; ++i) {
    values.push_back(about.options[i].default_value);
  }
  for (uint32_t i = 0; i < about.presets[preset].setting_count; ++i) {
    values[about.presets[preset].settings[i].option] = about.presets[preset].settings[i].value;
  }
  Bytes position;
  astragal_error error{};
  error.struct_size = sizeof(error);
  Patolli().start(values.data(), position.data.data(), &error);
  return position;
}

// One throw or random action; false at the end of the game.
bool Step(void* position, Random& random, astragal_error& error) {
  const astragal_ruleset& rules = Patolli();
  const int32_t actor = rules.actor(position);
  if (actor == ASTRAGAL_OVER) return false;
  if (actor == ASTRAGAL_CHANCE) {
    const int32_t kind = rules.chances(position);
    rules.apply(position, actor, Draw(rules.about->throw_kinds[kind], kind, random), &error);
    return true;
  }
  int64_t actions[8];
  const uint32_t count = rules.actions(position, actions, 8);
  rules.apply(position, actor, actions[random.Below(count)], &error);
  return true;
}

void RandomGames(benchmark::State& state) {
  const Bytes start = Started(static_cast<uint32_t>(state.range(0)));
  Random random(1);
  astragal_error error{};
  error.struct_size = sizeof(error);
  int64_t steps = 0;
  for (auto _ : state) {
    Bytes position = start;
    while (Step(position.data.data(), random, error)) ++steps;
  }
  state.SetLabel(Patolli().about->presets[state.range(0)].name);
  state.counters["games/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["steps/s"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}
BENCHMARK(RandomGames)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

// Positions in which a seat is to act, from random games.
std::vector<Bytes> Samples() {
  std::vector<Bytes> samples;
  Random random(2);
  astragal_error error{};
  error.struct_size = sizeof(error);
  while (samples.size() < 4096) {
    Bytes position = Started(0);
    do {
      if (Patolli().actor(position.data.data()) >= 0) samples.push_back(position);
    } while (Step(position.data.data(), random, error));
  }
  return samples;
}

void Actions(benchmark::State& state) {
  const std::vector<Bytes> samples = Samples();
  size_t at = 0;
  int64_t actions[8];
  for (auto _ : state) {
    benchmark::DoNotOptimize(Patolli().actions(samples[at].data.data(), actions, 8));
    at = (at + 1) % samples.size();
  }
}
BENCHMARK(Actions);

void Apply(benchmark::State& state) {
  const std::vector<Bytes> samples = Samples();
  std::vector<int64_t> first(samples.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    Patolli().actions(samples[i].data.data(), &first[i], 1);
  }
  size_t at = 0;
  astragal_error error{};
  error.struct_size = sizeof(error);
  for (auto _ : state) {
    Bytes position = samples[at];
    const int32_t seat = Patolli().actor(position.data.data());
    benchmark::DoNotOptimize(Patolli().apply(position.data.data(), seat, first[at], &error));
    at = (at + 1) % samples.size();
  }
}
BENCHMARK(Apply);

void Evaluate(benchmark::State& state) {
  const std::vector<Bytes> samples = Samples();
  size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Patolli().evaluate(samples[at].data.data(), 0));
    at = (at + 1) % samples.size();
  }
}
BENCHMARK(Evaluate);

}  // namespace
