// Random games of one ruleset in two ways: through the C table of its built library, and by direct
// calls of the same code. What the benchmarks of the rulesets share.
#ifndef ASTRAGAL_TESTS_BENCH_GAMES_H_
#define ASTRAGAL_TESTS_BENCH_GAMES_H_

#include <astragal/ruleset.h>
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <algorithm>
#include <astragal/ruleset.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace astragal::bench {

// Small, fast and good enough to pick moves: splitmix64. Its cost must not be what is measured.
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

// The table of build/plugins/libID.so; ends the program when there is none.
inline const astragal_ruleset& Load(const std::string& id) {
  const std::string path = ASTRAGAL_BUILD_DIR "/plugins/lib" + id + ".so";
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const entry = library == nullptr ? nullptr : dlsym(library, ASTRAGAL_ENTRY_NAME);
  if (entry == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  return *reinterpret_cast<astragal_entry>(entry)();
}

// Option values of a preset, in declared order; the option that says how many seats there are gets
// `seats` unless it is 0.
inline std::vector<int64_t> PresetValues(const astragal_about& about, uint32_t preset,
                                         int64_t seats) {
  std::vector<int64_t> values;
  for (uint32_t i = 0; i < about.option_count; ++i) {
    const bool is_seats = seats != 0 && (about.options[i].flags & ASTRAGAL_OPTION_SEATS) != 0;
    values.push_back(is_seats ? seats : about.options[i].default_value);
  }
  for (uint32_t i = 0; i < about.presets[preset].setting_count; ++i) {
    const astragal_setting& setting = about.presets[preset].settings[i];
    values[setting.option] = setting.value;
  }
  return values;
}

// Table() is where the ruleset is, P its position.
template <const astragal_ruleset& (*Table)(), class P>
struct ThroughTable {
  P position{};
  astragal_error error = {sizeof(astragal_error), {}, {}};

  void Start(const std::vector<int64_t>& options) {
    if (Table().start(options.data(), &position, &error) != ASTRAGAL_OK) std::abort();
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

// The same members called as functions of this program, the short ones that stand in a header too.
// Apply asks first what the table asks first: rules rely on it that nobody hands them a throw that
// cannot be.
template <const astragal_ruleset& (*Table)(), class P>
struct Directly {
  P position{};
  sdk::Error error{nullptr};

  void Start(const std::vector<int64_t>& options) {
    if (!position.Start(options, error)) std::abort();
  }
  int32_t Actor() const { return ActorOf(position); }
  int32_t Chances() const { return ChancesOf(position); }
  uint32_t Actions(int64_t* out, uint32_t capacity) const {
    sdk::Sink<int64_t> sink(out, capacity);
    position.Actions(sink);
    return sink.count();
  }
  bool Apply(int32_t actor, int64_t action) {
    return IsToAct(actor, action) && position.Apply(actor, action, error);
  }

 private:
  bool IsToAct(int32_t actor, int64_t action) const {
    if (position.Actor() != actor) return false;
    if (actor != ASTRAGAL_CHANCE) return true;
    const auto kind = static_cast<uint32_t>(position.Chances());
    return kind < Table().about->throw_kind_count &&
           static_cast<uint64_t>(action) - ASTRAGAL_CHANCE_ACTION(kind, 0) <
               Table().about->throw_kinds[kind].outcome_count;
  }
  [[gnu::noinline]] static int32_t ActorOf(const P& position) { return position.Actor(); }
  [[gnu::noinline]] static int32_t ChancesOf(const P& position) { return position.Chances(); }
};

// The same with what a compiler makes of it when no border is there at all: members that stand in a
// header become part of the loop.
template <const astragal_ruleset& (*Table)(), class P>
struct Inlined : Directly<Table, P> {
  int32_t Actor() const { return this->position.Actor(); }
  int32_t Chances() const { return this->position.Chances(); }
};

// Plays random games with buffers made before.
class Player {
 public:
  Player(const astragal_about& about, uint64_t seed)
      : about_(about), random_(seed), actions_(about.max_actions) {
    for (uint32_t kind = 0; kind < about.throw_kind_count; ++kind) {
      totals_.push_back(0);
      for (uint32_t i = 0; i < about.throw_kinds[kind].outcome_count; ++i) {
        totals_.back() += about.throw_kinds[kind].weights[i];
      }
    }
  }

  // Plays `game` to its end. Calls visit(game, actor) after each throw and action.
  template <class Game, class Visit>
  void Play(Game& game, const Visit& visit) {
    for (int32_t actor = game.Actor(); actor != ASTRAGAL_OVER; actor = game.Actor()) {
      const int64_t action = actor == ASTRAGAL_CHANCE ? Throw(game.Chances()) : Choose(game);
      if (!game.Apply(actor, action)) std::abort();
      visit(game, actor);
    }
  }

 private:
  int64_t Throw(int32_t kind) {
    const astragal_throw_kind& thrown = about_.throw_kinds[kind];
    uint32_t draw = random_.Below(totals_[static_cast<size_t>(kind)]);
    uint32_t outcome = 0;
    while (draw >= thrown.weights[outcome]) draw -= thrown.weights[outcome++];
    return ASTRAGAL_CHANCE_ACTION(kind, outcome);
  }
  template <class Game>
  int64_t Choose(const Game& game) {
    const uint32_t count = game.Actions(actions_.data(), static_cast<uint32_t>(actions_.size()));
    return actions_[random_.Below(count)];
  }

  const astragal_about& about_;
  Random random_;
  std::vector<int64_t> actions_;
  std::vector<uint32_t> totals_;
};

// Whole games: `games` a second, and `throws` and `steps` (actions of seats) of each.
template <class Game>
void PlayGames(benchmark::State& state, const astragal_about& about,
               const std::vector<int64_t>& options) {
  Game start;
  start.Start(options);
  Player player(about, 1);
  int64_t throws = 0;
  int64_t steps = 0;
  for (auto _ : state) {
    Game game = start;
    player.Play(game, [&](const Game&, int32_t actor) { ++(actor < 0 ? throws : steps); });
  }
  const auto games = static_cast<double>(state.iterations());
  state.counters["games"] = benchmark::Counter(games, benchmark::Counter::kIsRate);
  state.counters["throws_a_game"] = static_cast<double>(throws) / games;
  state.counters["steps_a_game"] = static_cast<double>(steps) / games;
}

// Seconds of the same `games` games, by seed.
template <class Game>
double SecondsOfGames(const astragal_about& about, const std::vector<int64_t>& options,
                      uint64_t games) {
  const auto started = std::chrono::steady_clock::now();
  for (uint64_t seed = 0; seed < games; ++seed) {
    Game game;
    game.Start(options);
    Player(about, seed).Play(game, [](const Game&, int32_t) {});
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

inline double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// What the table costs: the same games in each way, in blocks that are long enough for caches and
// branch predictors to settle and short enough that both ways meet the same busy machine; the order
// changes from round to round. Counters: microseconds of a game (the quickest block), and by how
// many percent the table is slower (the median of the rounds) than direct calls and than inlined
// ones.
template <const astragal_ruleset& (*Table)(), class P>
void CostOfTable(benchmark::State& state, const std::vector<int64_t>& options) {
  using Ways = double(const astragal_about&, const std::vector<int64_t>&, uint64_t);
  constexpr Ways* kWays[] = {SecondsOfGames<ThroughTable<Table, P>>,
                             SecondsOfGames<Directly<Table, P>>, SecondsOfGames<Inlined<Table, P>>};
  constexpr uint64_t kBlock = 200;
  constexpr uint64_t kToSettle = 30;
  std::vector<double> seconds[3];
  for (auto _ : state) {
    const bool backwards = seconds[0].size() % 2 != 0;
    for (const int i : {0, 1, 2}) {
      const int way = backwards ? 2 - i : i;
      kWays[way](*Table().about, options, kToSettle);
      seconds[way].push_back(kWays[way](*Table().about, options, kBlock));
    }
  }
  const auto quickest_us = [&](int way) {
    return *std::min_element(seconds[way].begin(), seconds[way].end()) / kBlock * 1e6;
  };
  const auto cost = [&](int way) {
    std::vector<double> percent;
    for (size_t i = 0; i < seconds[0].size(); ++i) {
      percent.push_back(100 * (seconds[0][i] / seconds[way][i] - 1));
    }
    return Median(percent);
  };
  state.counters["table_us"] = quickest_us(0);
  state.counters["direct_us"] = quickest_us(1);
  state.counters["inlined_us"] = quickest_us(2);
  state.counters["cost_percent"] = cost(1);
  state.counters["cost_to_inlined"] = cost(2);
}

// At least `count` positions of random games in which a seat is to act.
template <class Game>
auto Samples(const astragal_about& about, const std::vector<int64_t>& options, size_t count) {
  std::vector<decltype(Game::position)> samples;
  Game start;
  start.Start(options);
  Player player(about, 2);
  while (samples.size() < count) {
    Game game = start;
    player.Play(game, [&](const Game& now, int32_t) {
      if (now.Actor() >= 0) samples.push_back(now.position);
    });
  }
  return samples;
}

// One call for each turn of the loop, over the positions in turn; memory traffic included.
template <class P, class Call>
void OverSamples(benchmark::State& state, const std::vector<P>& samples, const Call& call) {
  size_t at = 0;
  for (auto _ : state) {
    call(samples[at], at);
    at = at + 1 == samples.size() ? 0 : at + 1;
  }
}

template <class P>
void OneActions(benchmark::State& state, const astragal_ruleset& table,
                const std::vector<P>& samples) {
  std::vector<int64_t> actions(table.about->max_actions);
  OverSamples(state, samples, [&](const P& position, size_t) {
    benchmark::DoNotOptimize(
        table.actions(&position, actions.data(), static_cast<uint32_t>(actions.size())));
  });
}

// With a copy of the position, which apply changes.
template <class P>
void OneApply(benchmark::State& state, const astragal_ruleset& table,
              const std::vector<P>& samples) {
  std::vector<int64_t> first(samples.size());
  for (size_t i = 0; i < first.size(); ++i) table.actions(&samples[i], &first[i], 1);
  astragal_error error = {sizeof(error), {}, {}};
  OverSamples(state, samples, [&](const P& position, size_t at) {
    P changed = position;
    table.apply(&changed, table.actor(&changed), first[at], &error);
    benchmark::DoNotOptimize(changed);
  });
}

template <class P>
void OneCopy(benchmark::State& state, const std::vector<P>& samples) {
  OverSamples(state, samples, [&](const P& position, size_t) {
    P copy = position;
    benchmark::DoNotOptimize(copy);
  });
}

template <class P>
void OneEvaluate(benchmark::State& state, const astragal_ruleset& table,
                 const std::vector<P>& samples) {
  OverSamples(state, samples, [&](const P& position, size_t) {
    benchmark::DoNotOptimize(table.evaluate(&position, 0));
  });
}

}  // namespace astragal::bench

#endif  // ASTRAGAL_TESTS_BENCH_GAMES_H_
