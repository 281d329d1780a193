// How many commits (an event and its head) a second the store makes durable: in batches of one
// statement, and one row at a time as the plain way would. Both on one connection, in 1,000 games
// taken in turn.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tests/bench/server_time.h"
#include "tests/storage/games_for_tests.h"
#include "tests/support/test_database.h"

namespace astragal::storage {
namespace {

constexpr size_t kGames = 1'000;

// Games that exist, and the commits that go on with them.
class Table {
 public:
  explicit Table(GameStore& store) {
    std::vector<GameCommit> batch;
    for (size_t i = 0; i < kGames; ++i) {
      batch.push_back(make_.Create());
      games_.push_back({batch.back().head.id, 2});
      if (batch.size() < GameStore::kMaxBatch && i + 1 < kGames) continue;
      if (!store.Commit(batch).ok()) std::abort();
      batch.clear();
    }
  }

  GameCommit Next() {
    HeadMark& game = games_[next_++ % kGames];
    return make_.Play(game.id, game.sequence++);
  }

 private:
  tests::GameMaker make_;
  std::vector<HeadMark> games_;
  size_t next_ = 0;
};

void CountServerTime(benchmark::State& state, double before, int64_t commits) {
  state.SetItemsProcessed(commits);
  state.counters["server_us_per_commit"] =
      (tests::ServerMicros() - before) / static_cast<double>(commits);
}

void Batches(benchmark::State& state) {
  tests::TestDatabase database;
  const auto open = database.OpenAs("bench");
  Table table(open->games());
  const double before = tests::ServerMicros();
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<GameCommit> batch;
    for (int64_t i = 0; i < state.range(0); ++i) batch.push_back(table.Next());
    state.ResumeTiming();
    const CommitReport report = open->games().Commit(batch).value();
    for (const CommitOutcome outcome : report.outcomes) {
      if (outcome != CommitOutcome::kCommitted) state.SkipWithError("not committed");
    }
  }
  CountServerTime(state, before, state.iterations() * state.range(0));
}
BENCHMARK(Batches)->Arg(1)->Arg(10)->Arg(100)->Arg(500)->UseRealTime()->MinTime(2);

const Statement kInsert = {
    "plain_insert",
    "INSERT INTO events (game_id, sequence, kind, seat, number, detail, at, position_hash,"
    " chain_hash, player, request, body_hash, event_count) VALUES ($1::uuid, $2::int, $3::smallint,"
    " $4::smallint, $5::bigint, $6::bytea, $7::bigint, $8::bytea, $9::bytea, $10::uuid, $11::uuid,"
    " $12::bytea, $13::smallint)"};
const Statement kUpdate = {
    "plain_update",
    "UPDATE heads SET sequence = $2::int, chain_hash = $3::bytea, position = $4::bytea,"
    " throws_drawn = $5::int, updated_at = $6::bigint, changed_sequence = $2::int"
    " WHERE game_id = $1::uuid AND sequence = $2::int - 1"};

// BEGIN, guarded update, insert, COMMIT: four round trips for each commit.
void OneRowAtATime(benchmark::State& state) {
  tests::TestDatabase database;
  const auto open = database.OpenAs("bench");
  Table table(open->games());
  const auto connection = database.Connect();
  const double before = tests::ServerMicros();
  for (auto _ : state) {
    state.PauseTiming();
    const GameCommit commit = table.Next();
    const EventRecord& event = commit.events[0];
    state.ResumeTiming();
    Params head;
    head.Uuid(event.game.bytes()).Int(event.sequence).Hash(event.chain_hash);
    head.Bytea(commit.head.position).Int(commit.head.throws_drawn).Int(event.at.micros);
    Params row;
    row.Uuid(event.game.bytes()).Int(event.sequence).Int(static_cast<int>(event.kind));
    row.Int(event.seat).Int(event.number).Bytea(event.detail).Int(event.at.micros);
    row.Hash(event.position_hash).Hash(event.chain_hash);
    row.Uuid(event.request->player.bytes()).Uuid(event.request->request.bytes);
    row.Hash(event.request->body_hash).Int(event.request->event_count);
    if (!connection->Script("BEGIN").ok() || !connection->Run(kUpdate, head).ok() ||
        !connection->Run(kInsert, row).ok() || !connection->Script("COMMIT").ok()) {
      state.SkipWithError("not committed");
    }
  }
  CountServerTime(state, before, state.iterations());
}
BENCHMARK(OneRowAtATime)->UseRealTime()->MinTime(2);

}  // namespace
}  // namespace astragal::storage
