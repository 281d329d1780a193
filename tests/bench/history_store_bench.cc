// A store with a million games that have ended, packed as the service packs them: what a position
// at any sequence of any of them costs, and what a page of found games costs. ASTRAGAL_STORED=N
// makes it smaller: the figures of 1,000 and of 1,000,000 should be alike.
//
// The games are those of the recorded corpus under other ids and with other players, with hashes of
// their own. (Their dice do not follow from their secrets: nobody proves them here.)
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "plugins/host/library.h"
#include "services/core/packed_log.h"
#include "services/core/packed_store.h"
#include "services/core/record_log.h"
#include "services/core/replay.h"
#include "storage/history_store.h"
#include "storage/sql_text.h"
#include "tests/bench/server_time.h"
#include "tests/services/core/sim/node.h"
#include "tests/support/test_database.h"

namespace astragal::core {
namespace {

constexpr const char* kRulesets[] = {"long_narde", "patolli", "ashtapada"};
constexpr size_t kBatch = 500;
constexpr size_t kPage = 50;

size_t Stored() {
  const char* set = std::getenv("ASTRAGAL_STORED");
  return set == nullptr ? 1'000'000 : static_cast<size_t>(std::atoll(set));
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

// Rows of games that are like a stored one but for what is given.
constexpr storage::Statement kClone = {
    "clone_games",
    "WITH made AS MATERIALIZED (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], "
    "$4::uuid[],"
    " $5::bytea[], $6::bytea[]) AS m (id, model, white, black, chain_hash, log)),"
    " g AS (INSERT INTO games SELECT m.id, t.ruleset, t.rules_version, t.build, t.options, t.seats,"
    " m.white, NULL, t.created_at, t.restore_epoch, t.commitment, t.sealed_secret, 1, t.rated,"
    " t.clock_kind, t.reserve_ms, t.increment_ms, t.first_turn_ms, t.reserves_ms, NULL, 0"
    " FROM made m JOIN games t ON t.id = m.model RETURNING id),"
    " h AS (INSERT INTO heads SELECT m.id, t.ruleset, t.sequence, t.changed_sequence, t.status,"
    " t.ending, t.actor, t.throws_drawn, t.updated_at, m.chain_hash, t.position, t.build,"
    " t.proceedings, NULL, true, 1 FROM made m JOIN heads t ON t.game_id = m.model"
    " RETURNING game_id),"
    " s AS (INSERT INTO game_seats SELECT m.id, t.seat, CASE t.seat WHEN 0 THEN m.white"
    " WHEN 1 THEN m.black ELSE t.player END, t.place, t.points, false"
    " FROM made m JOIN game_seats t ON t.game_id = m.model RETURNING game_id)"
    " INSERT INTO packed_logs SELECT id, log, NULL FROM made"};

// A game of the corpus, stored as it was played.
struct Model {
  storage::GameFacts facts;
  std::vector<EventRecord> log;
  std::shared_ptr<const host::Ruleset> ruleset;
};

class Store {
 public:
  Store() : open_(database_.Open(Unlimited())), history_(open_->pool()), logs_(open_->pool()) {
    for (const char* id : kRulesets) TakeCorpus(id);
    for (size_t i = 0; i < std::max<size_t>(10, Stored() / 20); ++i) players_.push_back(NewId());
    std::fprintf(stderr, "storing %zu games...\n", Stored());
    while (games_.size() < Stored()) AddBatch(std::min(kBatch, Stored() - games_.size()));
    const auto connection = database_.Connect();
    Must(connection->Script("SET statement_timeout = 0"));
    for (const char* table : {"games", "heads", "game_seats", "packed_logs"}) {
      Must(connection->Script(std::string("VACUUM ANALYZE ") + table));
    }
    std::fprintf(stderr, "%.0f bytes a packed log, %.0f events\n",
                 static_cast<double>(bytes_) / static_cast<double>(Stored()),
                 static_cast<double>(events_) / static_cast<double>(Stored()));
  }

  const World& world() const { return node_.games.world(); }
  storage::HistoryStore& history() { return history_; }
  base::GameId SomeGame() { return games_[random_.Below(games_.size())]; }
  base::PlayerId SomePlayer() { return base::PlayerId(players_[random_.Below(players_.size())]); }
  tests::SeededRandom& random() { return random_; }

 private:
  base::IdBytes NewId() { return base::MakeIdBytes({(millis_ += 7) * 1'000}, random_); }

  void TakeCorpus(const std::string& id) {
    catalog_.Add(Must(
        host::OpenLibrary({std::string(64, 'd'), ASTRAGAL_BUILD_DIR "/plugins/lib" + id + ".so"})));
    std::ifstream file(ASTRAGAL_RECORDS "/" + id + ".rgl");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    for (const algorithms::RecordPart& part : algorithms::SplitRecords(text)) {
      algorithms::ReadRecord read = algorithms::ReadPart(part);
      algorithms::RecordFault fault = read.fault;
      const auto commit = CommitOf(world(), *read.record, fault);
      if (!commit) std::abort();
      Must(open_->games().Commit({*commit}));
      models_.push_back({*commit->create, commit->events, catalog_.Find(id)});
    }
  }

  // Games as if played after all others.
  void AddBatch(size_t count) {
    storage::ArrayText ids, models, whites, blacks, hashes, logs;
    for (size_t i = 0; i < count; ++i) {
      const Model& model = models_[random_.Below(models_.size())];
      const base::IdBytes white = players_[random_.Below(players_.size())];
      const base::IdBytes black = players_[random_.Below(players_.size())];
      storage::GameFacts facts = model.facts;
      facts.id = base::GameId(NewId());
      facts.created_by = base::PlayerId(white);
      std::vector<EventRecord> log = model.log;
      log[0].detail = EncodeCreated(facts);
      GameState state = Must(StartState(facts, model.ruleset));
      for (EventRecord& event : log) {
        if (event.kind == EventKind::kSeated && event.seat < 2) {
          event.detail = EncodePlayer(base::PlayerId(event.seat == 0 ? white : black));
        }
        if (!Append(state, event).ok()) std::abort();
      }
      const std::string packed = *PackLog(facts, log);
      ids.Uuid(facts.id.bytes());
      models.Uuid(model.facts.id.bytes());
      whites.Uuid(white);
      blacks.Uuid(black);
      hashes.Hash(state.chain_hash);
      logs.Bytea(packed);
      games_.push_back(facts.id);
      bytes_ += packed.size();
      events_ += log.size();
    }
    storage::Params params;
    for (storage::ArrayText* array : {&ids, &models, &whites, &blacks, &hashes, &logs}) {
      params.Text(std::move(*array).Take());
    }
    Must(open_->pool().Write(kClone, params));
  }

  tests::SeededRandom random_{1};
  tests::TestDatabase database_;
  const std::unique_ptr<storage::Database> open_;
  storage::HistoryStore history_;
  storage::PgPackedLogs logs_;
  host::Catalog catalog_{host::CatalogOptions{}};
  base::ManualClock clock_;
  const base::SecretBox box_{base::Sha256("bench")};
  PackedStore reading_{open_->games(), logs_, catalog_};
  tests::Node node_{clock_, reading_, catalog_, box_, 1};
  std::vector<Model> models_;
  std::vector<base::IdBytes> players_;
  std::vector<base::GameId> games_;
  int64_t millis_ = 1'800'000'000'000;
  size_t bytes_ = 0;
  size_t events_ = 0;
};

Store& TheStore() {
  static Store store;
  return store;
}

// Times each call, and the database.
template <typename Call>
void Each(benchmark::State& state, Call call) {
  using Clock = std::chrono::steady_clock;
  Store& store = TheStore();
  for (int warm = 0; warm < 20; ++warm) call(store);
  std::vector<double> ms;
  const double server = tests::ServerMicros();
  for (auto unused : state) {
    const auto began = Clock::now();
    call(store);
    ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - began).count());
  }
  state.counters["server_cpu_ms"] =
      (tests::ServerMicros() - server) / 1e3 / static_cast<double>(ms.size());
  std::ranges::sort(ms);
  state.counters["p50_ms"] = ms[ms.size() / 2];
  state.counters["p99_ms"] = ms[ms.size() * 99 / 100];
}

// What GetPosition does.
void PositionAnywhere(benchmark::State& state) {
  Each(state, [](Store& store) {
    Replay replay = Must(Replay::OpenFor({}, store.world(), store.SomeGame()));
    const auto to = 1 + static_cast<uint32_t>(store.random().Below(replay.end()));
    if (!replay.SkipTo(to).ok()) std::abort();
    benchmark::DoNotOptimize(replay.state().position);
  });
}
BENCHMARK(PositionAnywhere)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(3'000);

void Pages(benchmark::State& state, void (*fill)(Store&, storage::GameSearch&)) {
  Each(state, [fill](Store& store) {
    storage::GameSearch search;
    fill(store, search);
    Must(store.history().Find(search, store.SomeGame(), kPage));
  });
}
void FindAll(benchmark::State& state) {
  Pages(state, [](Store&, storage::GameSearch&) {});
}
void FindByRulesetAndEnding(benchmark::State& state) {
  Pages(state, [](Store&, storage::GameSearch& search) {
    search.ruleset = "long_narde";
    search.ending = storage::Ending::kResigned;
  });
}
void FindByPlayer(benchmark::State& state) {
  Pages(state,
        [](Store& store, storage::GameSearch& search) { search.player = store.SomePlayer(); });
}
// Nothing fits: the most that one call looks at.
void FindNothing(benchmark::State& state) {
  Pages(state, [](Store&, storage::GameSearch& search) { search.least_events = 1'000'000; });
}
BENCHMARK(FindAll)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(500);
BENCHMARK(FindByRulesetAndEnding)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(500);
BENCHMARK(FindByPlayer)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(500);
BENCHMARK(FindNothing)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(100);

}  // namespace
}  // namespace astragal::core
