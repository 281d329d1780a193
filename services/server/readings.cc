#include "services/server/readings.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace astragal::server {
namespace {

// So much of a limit in use is worth a word before it is reached.
constexpr double kNearlyFull = 0.8;

bool NearlyFull(size_t used, size_t most) {
  return static_cast<double>(used) >= kNearlyFull * static_cast<double>(most);
}

double Retired(const host::Catalog& catalog) {
  double retired = 0;
  for (const auto& build : catalog.List()) {
    retired += catalog.IsRetired(build->build().sha256) ? 1 : 0;
  }
  return retired;
}

// Of all its builds: one that was replaced has had its faults all the same.
std::vector<std::pair<std::string, double>> FaultsByRuleset(const host::Catalog& catalog) {
  std::map<std::string, double> faults;
  for (const auto& build : catalog.List()) {
    faults["ruleset=" + build->about().id] += static_cast<double>(build->faults());
  }
  return {faults.begin(), faults.end()};
}

}  // namespace

std::vector<Reading> ReadingsOf(const Wellbeing& wellbeing, rpc::Calls& calls,
                                const CountingScheduler& scheduler, const core::Games& games,
                                storage::Database& database, const host::Catalog& catalog) {
  using enum Reading::Kind;
  return {
      {"ready", "1: takes calls, and the database takes writes.", kGauge,
       [&] { return wellbeing.ready ? 1 : 0; }, ""},
      {"degraded", "1: serves, but something is near a limit or missing; the log says what.",
       kGauge, [&] { return wellbeing.degraded ? 1 : 0; }, ""},
      {"mode", "1 normal, 2 draining, 3 read only.", kGauge,
       [&] { return static_cast<double>(calls.gate().mode()); }, ""},
      {"capacity_per_second", "Calls a second that may change something; 0: any number.", kGauge,
       [&] { return calls.gate().limits().capacity(); }, ""},
      {"calls_running", "Calls being worked on.", kGauge,
       [&] { return static_cast<double>(calls.running()); }, ""},
      {"streams_open", "Open streams: watchers of games, matches, the lobby and affairs.", kGauge,
       [&] { return static_cast<double>(calls.streams()); }, ""},
      {"work_unfinished", "Work of the threads that block: waiting or being done.", kGauge,
       [&] { return static_cast<double>(scheduler.unfinished()); }, ""},
      {"commit_batches_total", "Transactions that stored events of games.", kCounter,
       [&] { return static_cast<double>(games.commit_totals().batches); }, ""},
      {"commits_total", "Commits of games in them.", kCounter,
       [&] { return static_cast<double>(games.commit_totals().commits); }, ""},
      {"pool_connections", "Connections to the database.", kGauge,
       [&] { return static_cast<double>(database.pool().counts().open); }, "state=open"},
      {"pool_connections", "", kGauge,
       [&] { return static_cast<double>(database.pool().counts().idle); }, "state=idle"},
      {"ruleset_builds", "Builds of rulesets.", kGauge,
       [&] { return static_cast<double>(catalog.List().size()); }, "state=loaded"},
      {"ruleset_builds", "", kGauge, [&] { return Retired(catalog); }, "state=retired"},
      {"ruleset_faults_total",
       "Times that a plugin broke its contract, by ruleset.",
       kCounter,
       {},
       "",
       [&] { return FaultsByRuleset(catalog); }},
  };
}

std::string DegradedBy(const rpc::Calls& calls, const CountingScheduler& scheduler,
                       storage::Database& database, const host::Catalog& catalog) {
  if (catalog.List().empty()) return "no ruleset is loaded";
  if (NearlyFull(static_cast<size_t>(scheduler.unfinished()), base::ThreadScheduler::kMaxQueued))
    return "much work waits";
  if (NearlyFull(static_cast<size_t>(calls.running()), rpc::Calls::kMaxRunning)) {
    return "many calls are under way";
  }
  if (NearlyFull(calls.streams(), rpc::Calls::kMaxStreams)) return "many streams are open";
  if (database.pool().counts().open == 0) return "there is no connection to the database";
  return "";
}

}  // namespace astragal::server
