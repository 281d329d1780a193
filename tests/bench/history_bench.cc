// How fast stored games are verified, written down and read back on one core, without a database:
// whole games of the recorded corpus over a store in memory. The goals: at least 500 games verified
// and 1,000 exported a second.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "plugins/host/library.h"
#include "services/core/record_log.h"
#include "services/core/verification.h"
#include "tests/services/core/sim/node.h"

namespace astragal::bench {
namespace {

using algorithms::GameRecord;

constexpr const char* kRulesets[] = {"long_narde", "patolli", "ashtapada"};

// A node over a store in memory that holds the whole games of a ruleset's corpus.
class Library {
 public:
  explicit Library(const std::string& id) {
    auto ruleset =
        host::OpenLibrary({std::string(64, 'd'), ASTRAGAL_BUILD_DIR "/plugins/lib" + id + ".so"});
    if (!ruleset.ok()) Stop(std::string(ruleset.status().message()));
    catalog_.Add(*ruleset);
    std::ifstream file(ASTRAGAL_RECORDS "/" + id + ".rgl");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    for (const algorithms::RecordPart& part : algorithms::SplitRecords(text)) Take(part);
    if (games_.empty()) Stop("no whole game of " + id);
  }

  const core::World& world() const { return node_.games.world(); }
  const std::vector<base::GameId>& games() const { return games_; }
  GameRecord Record(base::GameId id) { return *core::RecordOf(world(), *store_.Load(id)); }
  size_t events() const { return events_ / games_.size(); }

 private:
  [[noreturn]] static void Stop(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(1);
  }

  void Take(const algorithms::RecordPart& part) {
    algorithms::ReadRecord read = algorithms::ReadPart(part);
    algorithms::RecordFault fault = read.fault;
    if (!read.record) Stop(fault.reason);
    const auto commit = core::CommitOf(world(), *read.record, fault);
    if (!commit) Stop(fault.reason);
    if (commit->head.ending != storage::Ending::kPlayed) return;  // given up early, to be short
    if (!store_.Commit({*commit}).ok()) Stop("the store refuses a game");
    games_.push_back(commit->head.id);
    events_ += commit->events.size();
  }

  base::ManualClock clock_;
  tests::SimulatedStore store_{clock_};
  host::Catalog catalog_{host::CatalogOptions{}};
  const base::SecretBox box_{base::Sha256("bench")};
  tests::Node node_{clock_, store_, catalog_, box_, 1};
  std::vector<base::GameId> games_;
  size_t events_ = 0;
};

Library& Of(int64_t ruleset) {
  static Library libraries[] = {Library(kRulesets[0]), Library(kRulesets[1]),
                                Library(kRulesets[2])};
  return libraries[ruleset];
}

template <typename Do>
void EachGame(benchmark::State& state, Do work) {
  Library& library = Of(state.range(0));
  state.SetLabel(std::string(kRulesets[state.range(0)]) + ", " + std::to_string(library.events()) +
                 " events");
  size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(work(library, library.games()[at++ % library.games().size()]));
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
}

void Verify(benchmark::State& state) {
  EachGame(state, [](Library& library, base::GameId id) {
    return core::VerifyGame(library.world(), id)->verified();
  });
}
void ExportLines(benchmark::State& state) {
  EachGame(state, [](Library& library, base::GameId id) {
    return algorithms::WriteLines(library.Record(id)).size();
  });
}
void ExportText(benchmark::State& state) {
  EachGame(state, [](Library& library, base::GameId id) {
    return algorithms::WriteText(library.Record(id)).size();
  });
}
void ImportLines(benchmark::State& state) {
  EachGame(state, [](Library& library, base::GameId id) {
    static std::map<base::GameId, std::string> written;
    std::string& text = written[id];
    if (text.empty()) text = algorithms::WriteLines(library.Record(id));
    algorithms::ReadRecord read = algorithms::ReadLines(text);
    algorithms::RecordFault fault;
    return core::CommitOf(library.world(), *read.record, fault).has_value();
  });
}
BENCHMARK(Verify)->Name("verify")->ArgName("ruleset")->DenseRange(0, 2);
BENCHMARK(ExportLines)->Name("export/lines")->ArgName("ruleset")->DenseRange(0, 2);
BENCHMARK(ExportText)->Name("export/text")->ArgName("ruleset")->DenseRange(0, 2);
BENCHMARK(ImportLines)->Name("import/lines")->ArgName("ruleset")->DenseRange(0, 2);

}  // namespace
}  // namespace astragal::bench
