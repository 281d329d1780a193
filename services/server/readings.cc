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

// What is counted of every build, summed up by ruleset: one that was replaced has had its games
// and faults all the same.
struct OfRulesets {
  const char* name;
  const char* help;
  double (*read)(const host::Ruleset& build);
};
constexpr OfRulesets kOfRulesets[] = {
    {"games_started_total", "Games that began, stored by this service, by ruleset.",
     [](const host::Ruleset& build) { return static_cast<double>(build.usage().games_started); }},
    {"games_ended_total", "Games that were played to an end or called off, by ruleset.",
     [](const host::Ruleset& build) { return static_cast<double>(build.usage().games_ended); }},
    {"actions_total", "Actions of seats that were stored, by ruleset.",
     [](const host::Ruleset& build) { return static_cast<double>(build.usage().actions); }},
    {"ruleset_calls_total",
     "Calls of plugins to list or carry out actions, by ruleset: estimated from one in 61.",
     [](const host::Ruleset& build) { return static_cast<double>(build.usage().calls); }},
    {"ruleset_seconds_total", "Time in these calls, estimated likewise.",
     [](const host::Ruleset& build) { return static_cast<double>(build.usage().nanos) / 1e9; }},
    {"ruleset_faults_total", "Times that a plugin broke its contract, by ruleset.",
     [](const host::Ruleset& build) { return static_cast<double>(build.faults()); }},
};

std::vector<std::pair<std::string, double>> ByRuleset(const host::Catalog& catalog,
                                                      double (*read)(const host::Ruleset&)) {
  std::map<std::string, double> sums;
  for (const auto& build : catalog.List()) sums["ruleset=" + build->about().id] += read(*build);
  return {sums.begin(), sums.end()};
}

}  // namespace

std::vector<Reading> ReadingsOf(const Wellbeing& wellbeing, rpc::Calls& calls,
                                const CountingScheduler& scheduler, const core::Games& games,
                                storage::Database& database, const host::Catalog& catalog) {
  using enum Reading::Kind;
  std::vector<Reading> readings = {
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
      {"commit_seconds_total", "Time in these transactions.", kCounter,
       [&] { return static_cast<double>(games.commit_totals().micros) / 1e6; }, ""},
      {"commits_waiting", "Commits that wait for their transaction.", kGauge,
       [&] { return static_cast<double>(games.commit_totals().waiting); }, ""},
      {"watcher_events_buffered", "Events in the buffers of watchers of games.", kGauge,
       [&] { return static_cast<double>(*wellbeing.watch_buffered); }, ""},
      {"pool_connections", "Connections to the database.", kGauge,
       [&] { return static_cast<double>(database.pool().counts().open); }, "state=open"},
      {"pool_connections", "", kGauge,
       [&] { return static_cast<double>(database.pool().counts().idle); }, "state=idle"},
      {"ruleset_builds", "Builds of rulesets.", kGauge,
       [&] { return static_cast<double>(catalog.List().size()); }, "state=loaded"},
      {"ruleset_builds", "", kGauge, [&] { return Retired(catalog); }, "state=retired"},
  };
  for (const OfRulesets& one : kOfRulesets) {
    readings.push_back({one.name, one.help, kCounter, {}, "", [&catalog, read = one.read] {
                          return ByRuleset(catalog, read);
                        }});
  }
  return readings;
}

std::string DegradedBy(const rpc::Calls& calls, const CountingScheduler& scheduler,
                       storage::Database& database, const host::Catalog& catalog) {
  const auto builds = static_cast<double>(catalog.List().size());
  if (Retired(catalog) == builds) return "no ruleset takes new games";
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
