// A round of 10,000 players from the command that publishes it until each of its 5,000 matches has
// begun and is stored, by one node over a real PostgreSQL. The goal: 5 seconds.
// ASTRAGAL_ENTRANTS=N makes it smaller.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "plugins/host/library.h"
#include "services/core/tournaments/import.h"
#include "services/core/tournaments/tournaments.h"
#include "storage/pg_tournament_store.h"
#include "tests/storage/games_for_tests.h"
#include "tests/support/test_database.h"

namespace astragal::core {
namespace {

using algorithms::Outcome;
using Kind = TournamentEntryKind;

constexpr int kThreads = 4;
const storage::Statement kCountMatches = {"bench_count_matches", "SELECT count(*) FROM matches"};

template <typename T>
T Must(absl::StatusOr<T> value) {
  if (value.ok()) return *std::move(value);
  std::fprintf(stderr, "%s\n", value.status().ToString().c_str());
  std::abort();
}

int Entrants() {
  const char* set = std::getenv("ASTRAGAL_ENTRANTS");
  return set == nullptr ? 10'000 : std::atoi(set);
}

storage::Database::Options Wanted() {
  storage::Database::Options options;
  options.node = "bench";
  options.pool_size = kThreads + 2;
  return options;
}

// A node with a tournament that has begun and whose director does everything by hand.
class Node {
 public:
  Node() {
    catalog_.Add(Must(
        host::OpenLibrary({std::string(64, 'd'), ASTRAGAL_BUILD_DIR "/plugins/liblong_narde.so"})));
    NewTournament made;
    made.by = owner_;
    made.request = make_.NewRequest();
    made.terms.name = "Bench";
    made.terms.automatic = false;
    made.terms.rounds = 9;
    made.terms.play.ruleset = "long_narde";
    algorithms::Crosstable table;
    table.rounds_planned = made.terms.rounds;
    std::vector<base::PlayerId> players;
    for (int i = 0; i < Entrants(); ++i) {
      algorithms::Entrant& entrant = table.players.emplace_back();
      entrant.number = i + 1;
      entrant.rating = 2'500 - i / 10;
      players.push_back(make_.NewId<base::PlayerId>());
    }
    made.imported = Must(ImportedEntries(table, players, owner_, clock_.Now()));
    id_ = Must(tournaments_.Create(made))->id;
    tournaments_.PollForEver();
  }

  // Work in the queue uses what is destroyed first.
  ~Node() { scheduler_.Stop(); }

  TournamentPtr Do(Kind kind) { return Do(Step(kind, owner_)); }
  int64_t Matches() { return Must(open_->pool().Read(kCountMatches, storage::Params())).Int(0, 0); }
  // The first of each board wins.
  void Decide(const TournamentState& state) {
    TournamentCommand results = Step(Kind::kResults, {});
    results.round = static_cast<int>(state.rounds.size());
    for (size_t i = 0; i < state.rounds.back().boards.size(); ++i) {
      if (!state.rounds.back().boards[i].IsOpen()) continue;
      results.results.push_back({static_cast<uint32_t>(i) + 1, Outcome::kWin, Outcome::kLoss, {}});
    }
    Do(results);
  }

 private:
  TournamentCommand Step(Kind kind, base::PlayerId by) {
    TournamentCommand command;
    command.kind = kind;
    command.by = by;
    if (!by.is_nil()) command.request = make_.NewRequest();
    return command;
  }
  TournamentPtr Do(const TournamentCommand& command) {
    return Must(tournaments_.Do(id_, command)).tournament;
  }

  tests::GameMaker make_;
  const base::PlayerId owner_ = make_.NewId<base::PlayerId>();
  tests::TestDatabase database_;
  std::unique_ptr<storage::Database> open_ = database_.Open(Wanted());
  base::DatabaseClock clock_;
  base::SystemRandom random_;
  host::Catalog catalog_{host::CatalogOptions{}};
  const base::SecretBox box_{base::Sha256("bench")};
  Outages outages_;
  storage::PgTournamentStore store_{open_->pool()};
  base::ThreadScheduler scheduler_{kThreads};
  Games games_{World{clock_, random_, scheduler_, open_->games(), catalog_, box_, outages_}};
  core::Matches matches_{games_, open_->matches()};
  Tournaments tournaments_{games_, matches_, open_->matches(), store_, nullptr};
  TournamentId id_;
};

void PublishRound(benchmark::State& state) {
  Node node;
  for (auto _ : state) {
    state.PauseTiming();
    const TournamentPtr drafted = node.Do(Kind::kRoundDrafted);
    const int64_t wanted = node.Matches() + static_cast<int64_t>(drafted->rounds.back().Open());
    state.ResumeTiming();
    const TournamentPtr published = node.Do(Kind::kRoundPublished);
    while (node.Matches() < wanted) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    state.PauseTiming();
    node.Decide(*published);
    node.Do(Kind::kRoundClosed);
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * Entrants() / 2);
}
BENCHMARK(PublishRound)->Iterations(3)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace astragal::core
