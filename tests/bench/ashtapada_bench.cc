// Ashtapada through the C ABI of the built plugin, on one core. The goal: at least 10,000 random
// complete games of two players a second.
#include <astragal/ruleset.h>
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

const astragal_ruleset& Ashtapada() {
  static const astragal_ruleset* const table = [] {
    void* const library = dlopen(ASTRAGAL_BUILD_DIR "/plugins/libashtapada.so", RTLD_NOW);
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
  void* get() { return data.data(); }
  const void* get() const { return data.data(); }
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

astragal_error NoError() {
  astragal_error error{};
  error.struct_size = sizeof(error);
  return error;
}

int64_t Draw(const astragal_throw_kind& kind, int32_t index, Random& random) {
  uint32_t total = 0;
  for (uint32_t i = 0; i < kind.outcome_count; ++i) total += kind.weights[i];
  uint32_t ticket = random.Below(total);
  uint32_t outcome = 0;
  while (ticket >= kind.weights[outcome]) ticket -= kind.weights[outcome++];
  return ASTRAGAL_CHANCE_ACTION(index, outcome);
}

Bytes Started(uint32_t preset, int64_t players) {
  const astragal_about& about = *Ashtapada().about;
  std::vector<int64_t> values;
  for (uint32_t i = 0; i < about.option_count; ++i) {
    const bool is_seats = (about.options[i].flags & ASTRAGAL_OPTION_SEATS) != 0;
    values.push_back(is_seats ? players : about.options[i].default_value);
  }
  for (uint32_t i = 0; i < about.presets[preset].setting_count; ++i) {
    values[about.presets[preset].settings[i].option] = about.presets[preset].settings[i].value;
  }
  Bytes position;
  astragal_error error = NoError();
  Ashtapada().start(values.data(), position.get(), &error);
  return position;
}

// One throw or random action; false at the end of the game.
bool Step(Bytes& position, std::vector<int64_t>& actions, Random& random, astragal_error& error) {
  const astragal_ruleset& rules = Ashtapada();
  const int32_t actor = rules.actor(position.get());
  if (actor == ASTRAGAL_OVER) return false;
  if (actor == ASTRAGAL_CHANCE) {
    const int32_t kind = rules.chances(position.get());
    rules.apply(position.get(), actor, Draw(rules.about->throw_kinds[kind], kind, random), &error);
    return true;
  }
  const uint32_t count =
      rules.actions(position.get(), actions.data(), static_cast<uint32_t>(actions.size()));
  rules.apply(position.get(), actor, actions[random.Below(count)], &error);
  return true;
}

void RandomGames(benchmark::State& state) {
  const Bytes start = Started(static_cast<uint32_t>(state.range(0)), state.range(1));
  std::vector<int64_t> actions(Ashtapada().about->max_actions);
  Random random(1);
  astragal_error error = NoError();
  int64_t steps = 0;
  for (auto _ : state) {
    Bytes position = start;
    while (Step(position, actions, random, error)) ++steps;
  }
  state.SetLabel(Ashtapada().about->presets[state.range(0)].name);
  state.counters["games/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["steps/s"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}
BENCHMARK(RandomGames)
    ->ArgNames({"preset", "players"})
    ->ArgsProduct({{0, 1}, {2, 3, 4}})
    ->Unit(benchmark::kMicrosecond);

// Positions in which a seat is to act, from random games.
std::vector<Bytes> Samples(uint32_t preset) {
  std::vector<Bytes> samples;
  std::vector<int64_t> actions(Ashtapada().about->max_actions);
  Random random(2);
  astragal_error error = NoError();
  while (samples.size() < 4096) {
    Bytes position = Started(preset, 2);
    do {
      if (Ashtapada().actor(position.get()) >= 0) samples.push_back(position);
    } while (Step(position, actions, random, error));
  }
  return samples;
}

void Actions(benchmark::State& state) {
  const std::vector<Bytes> samples = Samples(static_cast<uint32_t>(state.range(0)));
  std::vector<int64_t> actions(Ashtapada().about->max_actions);
  size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Ashtapada().actions(samples[at].get(), actions.data(),
                                                 static_cast<uint32_t>(actions.size())));
    at = (at + 1) % samples.size();
  }
}
BENCHMARK(Actions)->ArgName("preset")->Arg(0)->Arg(1);

void Apply(benchmark::State& state) {
  const std::vector<Bytes> samples = Samples(static_cast<uint32_t>(state.range(0)));
  std::vector<int64_t> first(samples.size());
  for (size_t i = 0; i < samples.size(); ++i) Ashtapada().actions(samples[i].get(), &first[i], 1);
  size_t at = 0;
  astragal_error error = NoError();
  for (auto _ : state) {
    Bytes position = samples[at];
    const int32_t seat = Ashtapada().actor(position.get());
    benchmark::DoNotOptimize(Ashtapada().apply(position.get(), seat, first[at], &error));
    at = (at + 1) % samples.size();
  }
}
BENCHMARK(Apply)->ArgName("preset")->Arg(0)->Arg(1);

void Evaluate(benchmark::State& state) {
  const std::vector<Bytes> samples = Samples(0);
  size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Ashtapada().evaluate(samples[at].get(), 0));
    at = (at + 1) % samples.size();
  }
}
BENCHMARK(Evaluate);

}  // namespace
