// A store with a million rated matches and another pool of a million ranked players: what replaying
// the matches with the database costs, and what a page of the list. ASTRAGAL_RATED=N makes both
// smaller. Times of both programs are processor time, so that they mean something on a busy
// machine.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "services/algorithms/bots.h"
#include "services/core/ratings.h"
#include "storage/pg_rating_store.h"
#include "storage/rating_queries.h"
#include "tests/bench/server_time.h"
#include "tests/storage/games_for_tests.h"
#include "tests/support/test_database.h"

namespace astragal::core {
namespace {

using algorithms::SeatClass;
using base::PlayerId;
using storage::ListMark;
using storage::PoolRecord;

constexpr int64_t kPage = 50;

int64_t Rated() {
  const char* set = std::getenv("ASTRAGAL_RATED");
  return set == nullptr ? 1'000'000 : std::atoll(set);
}

template <typename T>
T Must(absl::StatusOr<T> value) {
  if (value.ok()) return *std::move(value);
  std::fprintf(stderr, "%s\n", value.status().ToString().c_str());
  std::abort();
}

// Without the service's limits: making the store takes longer than any call of it may.
storage::Database::Options Unlimited() {
  storage::Database::Options options;
  options.node = "bench";
  options.limits.statement_timeout_ms = 3'600'000;
  return options;
}

// Made once for all measurements.
class Store {
 public:
  Store()
      : open_(database_.Open(Unlimited())),
        ratings_(open_->pool()),
        catalog_(host::CatalogOptions{}) {
    std::fprintf(stderr, "rating %ld matches, listing as many players...\n",
                 static_cast<long>(Rated()));
    matches_ = Pool("long_narde/2/standard/human");
    list_ = Pool("long_narde/2/blitz/human");
    RateMatches();
    FillList();
    for (const char* table : {"ratings", "rating_ranks", "rating_steps", "rated_matches"}) {
      Must(Connect()->Script(std::string("VACUUM ANALYZE ") + table));
    }
  }

  storage::PgRatingStore& ratings() { return ratings_; }
  const host::Catalog& catalog() const { return catalog_; }
  const PoolRecord& list() const { return list_; }
  PoolRecord matches() { return Must(ratings().GetPool(matches_.name)); }
  std::unique_ptr<storage::Connection> Connect() const {
    auto connection = database_.Connect();
    Must(connection->Script("SET statement_timeout = 0"));
    return connection;
  }

 private:
  PoolRecord Pool(const std::string& name) {
    PoolRecord wanted;
    wanted.name = name;
    wanted.ruleset = "long_narde";
    wanted.profile = algorithms::FormatProfile(algorithms::DefaultProfile("long_narde"));
    return Must(ratings().EnsurePool(wanted));
  }

  // As live rating stores them, in its batches.
  void RateMatches() {
    constexpr int64_t kBatch = 2'000;
    algorithms::RatingPool pool(Must(ProfileOf(matches_)), SeatClass::kTwo);
    PlayerNumbers numbers;
    std::vector<PlayerId> players;
    for (int64_t i = 0; i < std::max<int64_t>(10, Rated() / 20); ++i) {
      players.push_back(make_.NewId<PlayerId>());
    }
    algorithms::PlayRandom random(1);
    for (int64_t order = 1; order <= Rated(); order += kBatch) {
      storage::RatingBatch batch;
      batch.pool = matches_.number;
      batch.expected_order = order;
      std::set<PlayerId> changed;
      std::set<storage::PlayerPair> pairs;
      for (int64_t i = order; i < std::min(order + kBatch, Rated() + 1); ++i) {
        storage::RatedMatchRecord match;
        match.rated_order = i;
        match.match = make_.NewId<base::MatchId>();
        match.finished_at = {1'600'000'000'000'000 + i * 60'000'000};
        const uint64_t one = random.Below(players.size());
        const uint64_t other = (one + 1 + random.Below(players.size() - 1)) % players.size();
        match.players = {players[one], players[other]};
        match.places = {1, 2};
        match.length = 5;
        const auto outcome = pool.Apply(MatchOf(match, numbers));
        for (auto& step : StepsOf(match, outcome, 1)) batch.steps.push_back(std::move(step));
        changed.insert(match.players.begin(), match.players.end());
        pairs.insert(PairKey(match.players[0], match.players[1]));
        batch.matches.push_back(std::move(match));
      }
      for (const PlayerId& player : changed) {
        const auto record = RecordOf(pool.Of(numbers.Of(player)), player, false);
        batch.standings.push_back(ListedAt(pool.profile(), pool.seats(), record, record.last_at));
      }
      for (const auto& key : pairs) batch.pairs.push_back(PairOf(pool, numbers, key));
      if (!Must(ratings().Rate(batch))) std::abort();
    }
  }

  void FillList() {
    Must(Connect()->Script(
        "INSERT INTO ratings SELECT " + std::to_string(list_.number) +
        ", gen_random_uuid(), false, 1500, 50, 0.04, 30, 10, 15, 0, 0, 0, 0, 1500, 0,"
        " 1450 + 100 * sqrt(-2 * ln(1 - random())) * cos(6.2831853 * random()), true"
        " FROM generate_series(1, " +
        std::to_string(Rated()) + ")"));
  }

  tests::GameMaker make_;
  tests::TestDatabase database_;
  const std::unique_ptr<storage::Database> open_;
  storage::PgRatingStore ratings_;
  host::Catalog catalog_;
  PoolRecord matches_;
  PoolRecord list_;
};

Store& TheStore() {
  static Store store;
  return store;
}

void ReplayWithTheDatabase(benchmark::State& state) {
  Store& store = TheStore();
  base::DatabaseClock clock;
  Ratings ratings(store.ratings(), store.catalog(), clock, {});
  const double server = tests::ServerMicros();
  for (auto unused : state) {
    const Recomputation done = Must(ratings.Recompute(store.matches(), {}, Ratings::Write::kNever));
    if (done.steps_changed + done.standings_changed > 0) state.SkipWithError("it differs");
    state.SetItemsProcessed(state.items_processed() + done.matches);
  }
  state.counters["server_cpu_s"] =
      (tests::ServerMicros() - server) / 1e6 / static_cast<double>(state.iterations());
}
BENCHMARK(ReplayWithTheDatabase)->Unit(benchmark::kSecond)->Iterations(1);

// A mark somewhere in the list, drawn by its lower bound.
ListMark SomeMark(algorithms::PlayRandom& random) {
  return {1'200 + static_cast<double>(random.Below(500)), PlayerId()};
}

template <typename Read>
void ReadPages(benchmark::State& state, Read read) {
  Store& store = TheStore();
  algorithms::PlayRandom random(7);
  read(store, SomeMark(random));  // the plan
  const double server = tests::ServerMicros();
  for (auto unused : state) read(store, SomeMark(random));
  state.counters["server_cpu_ms"] =
      (tests::ServerMicros() - server) / 1e3 / static_cast<double>(state.iterations());
}

void PageFromTheTop(benchmark::State& state) {
  ReadPages(state, [](Store& store, const ListMark&) {
    Must(store.ratings().ListAfter(store.list().number, std::nullopt, kPage));
  });
}
BENCHMARK(PageFromTheTop)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(500);

void PageAnywhere(benchmark::State& state) {
  ReadPages(state, [](Store& store, const ListMark& mark) {
    Must(store.ratings().ListAfter(store.list().number, mark, kPage));
  });
}
BENCHMARK(PageAnywhere)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(500);

// What the page around a player reads: those above, those below, and the rank.
void PageAroundAPlayer(benchmark::State& state) {
  ReadPages(state, [](Store& store, const ListMark& mark) {
    Must(store.ratings().CountBefore(store.list().number, mark));
    Must(store.ratings().ListBefore(store.list().number, mark, kPage / 2));
    Must(store.ratings().ListAfter(store.list().number, mark, kPage / 2));
  });
}
BENCHMARK(PageAroundAPlayer)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(500);

void PrintPlan(const storage::Statement& query, const std::string& arguments) {
  const auto connection = TheStore().Connect();
  Must(connection->Script("SET plan_cache_mode = force_generic_plan; PREPARE q AS " +
                          std::string(query.sql)));
  const auto plan = Must(connection->Script(
      "EXPLAIN (ANALYZE, BUFFERS) EXECUTE q (" + std::to_string(TheStore().list().number) +
      ", 1400, " + "'00000000-0000-4000-8000-000000000001'" + arguments + ")"));
  std::printf("\n%s\n", query.name);
  for (size_t row = 0; row < plan.size(); ++row) {
    std::printf("  %s\n", std::string(plan.Text(row, 0)).c_str());
  }
}

}  // namespace
}  // namespace astragal::core

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  astragal::core::PrintPlan(astragal::storage::kListAfter, ", 50");
  astragal::core::PrintPlan(astragal::storage::kCountBefore, "");
  return 0;
}
