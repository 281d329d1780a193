#include "services/cli/bench_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "services/algorithms/svg.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

using algorithms::Anchor;
using algorithms::Paint;
using algorithms::Svg;
using nlohmann::ordered_json;

std::string Fixed(double number, int digits) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, number);
  return text.data();
}

// 12345.6 as "12,346".
std::string Thousands(double number) {
  std::string digits = std::to_string(std::llround(number));
  for (auto i = static_cast<int64_t>(digits.size()) - 3; i > (number < 0 ? 1 : 0); i -= 3) {
    digits.insert(static_cast<size_t>(i), ",");
  }
  return digits;
}

std::string Millis(int64_t micros) {
  if (micros == 0) return "";
  return Fixed(static_cast<double>(micros) / 1000, micros < 10'000 ? 2 : 1);
}

std::string Megabytes(int64_t bytes) {
  return Fixed(static_cast<double>(bytes) / (1024.0 * 1024.0), 1) + " MiB";
}

double Per(double number, double of) { return of > 0 ? number / of : 0; }

struct Row {
  std::string what;
  const BenchRate* rate;
};

std::vector<Row> RowsOf(const BenchReport& report) {
  const int calls = report.options.outstanding;
  std::vector<Row> rows = {{"actions accepted", &report.actions}};
  if (report.options.watchers > 0) rows.push_back({"events to watchers", &report.watched});
  if (report.empty)
    rows.push_back({absl::StrCat("empty calls, ", calls, " at once"), &*report.empty});
  if (report.database) {
    const BenchDatabase& database = *report.database;
    rows.push_back({absl::StrCat("database: commits of one row, ", database.clients, " clients"),
                    &database.single});
    rows.push_back({"database: commits of one row, one client", &database.lone});
    rows.push_back({absl::StrCat("database: rows, ", database.rows, " a commit, one client"),
                    &database.batched});
  }
  return rows;
}

// What an action takes at most when nobody else plays, by the goal that is set for it.
double LoneRatio(const BenchReport& report) {
  if (!report.empty || !report.database || report.options.outstanding != 1) return 0;
  return Per(static_cast<double>(report.actions.p50_us),
             static_cast<double>(report.empty->p50_us + report.database->lone.p50_us));
}

struct Ratio {
  std::string what;
  std::string key;
  double value;
};

std::vector<Ratio> RatiosOf(const BenchReport& report) {
  std::vector<Ratio> ratios;
  const double actions = report.actions.per_second;
  if (report.empty) {
    ratios.push_back({"actions to empty calls", "actions_to_empty_calls",
                      Per(actions, report.empty->per_second)});
  }
  if (report.database) {
    ratios.push_back({"actions to the database's commits of one row", "actions_to_single_commits",
                      Per(actions, report.database->single.per_second)});
    ratios.push_back({"actions to the database's rows in batches", "actions_to_batched_rows",
                      Per(actions, report.database->batched.per_second)});
  }
  if (const double lone = LoneRatio(report); lone > 0) {
    ratios.push_back({"p50 of an action to p50 of a lone commit and an empty call",
                      "p50_to_commit_and_empty_call", lone});
  }
  return ratios;
}

int64_t BytesEach(int64_t before, int64_t after, int count) {
  return count == 0 ? 0 : std::max<int64_t>(0, after - before) / count;
}

std::string UseText(const BenchReport& report) {
  if (report.server_pid == 0) {
    return "The server is not a process of this machine that can be looked at: no CPU, no "
           "memory.\n";
  }
  std::string out = absl::StrCat(
      "service: ", Fixed(Per(report.server_cpu_s, report.seconds), 2), " processors, ",
      Fixed(Per(report.server_cpu_s * 1e6, static_cast<double>(report.action_count)), 0),
      " us an action; database: ", Fixed(Per(report.database_cpu_s, report.seconds), 2),
      " processors; this program: ", Fixed(Per(report.own_cpu_s, report.seconds), 2), "\n");
  absl::StrAppend(&out, "memory of the service: ", Megabytes(report.memory_before), " before, ",
                  Megabytes(report.memory_with_games), " with ", report.options.games, " games (",
                  BytesEach(report.memory_before, report.memory_with_games, report.options.games),
                  " bytes each)");
  if (report.options.watchers > 0) {
    absl::StrAppend(
        &out, ", ", Megabytes(report.memory_with_watchers), " with ", report.options.watchers,
        " watchers (",
        BytesEach(report.memory_with_games, report.memory_with_watchers, report.options.watchers),
        " bytes each)");
  }
  absl::StrAppend(&out, ", ", Megabytes(report.memory_after), " after, ",
                  Megabytes(report.memory_peak), " at most\n");
  return out;
}

ordered_json ToJson(const BenchRate& rate) {
  ordered_json out = {{"per_second", rate.per_second}, {"p50_us", rate.p50_us}};
  if (rate.p90_us > 0) out["p90_us"] = rate.p90_us;
  out["p99_us"] = rate.p99_us;
  if (rate.p999_us > 0) out["p999_us"] = rate.p999_us;
  if (rate.max_us > 0) out["max_us"] = rate.max_us;
  return out;
}

std::string LoopText(const BenchOptions& options) {
  if (options.open_rate > 0)
    return absl::StrCat("open loop, ", Thousands(options.open_rate), " a second");
  if (options.think_ms > 0) return absl::StrCat("closed loop, thinking ", options.think_ms, " ms");
  return "closed loop";
}

std::string Headline(const BenchReport& report) {
  const BenchOptions& options = report.options;
  return absl::StrCat(options.ruleset, ", ", options.games, " games, ", options.watchers,
                      " watchers, at most ", options.outstanding, " calls at once, ",
                      LoopText(options), ", ", Fixed(report.seconds, 1), " s");
}

}  // namespace

BenchRate RateOf(const base::Histogram& micros, double per_second) {
  return {per_second,
          micros.Percentile(50),
          micros.Percentile(90),
          micros.Percentile(99),
          micros.Percentile(99.9),
          micros.max()};
}

absl::StatusOr<BenchDatabase> ReadBenchDatabase(const std::string& json) {
  const ordered_json in = ordered_json::parse(json, nullptr, false);
  const auto rate = [&in](const char* name) {
    BenchRate out;
    out.per_second = in.at(name).at("per_second");
    out.p50_us = in.at(name).at("p50_us");
    out.p99_us = in.at(name).at("p99_us");
    return out;
  };
  try {
    BenchDatabase out;
    out.clients = in.at("clients");
    out.server_pid = in.at("server_pid");
    out.lone = rate("lone");
    out.single = rate("single");
    out.batched = rate("batched");
    out.rows = in.at("batched").at("rows");
    return out;
  } catch (const ordered_json::exception& error) {
    return absl::InternalError(absl::StrCat("astragald --measure-database: ", error.what()));
  }
}

std::string BenchText(const BenchReport& report) {
  std::string out = absl::StrCat(
      Headline(report), "\nserver ", report.server, ", ",
      report.legal_here ? "legal actions computed here" : "legal actions asked of the server",
      "; this machine: ", report.processors, " processors, load ", Fixed(report.load_before, 1),
      " before\n\n");
  std::vector<std::vector<std::string>> table = {
      {"", "A SECOND", "P50 MS", "P90", "P99", "P99.9", "MOST"}};
  for (const Row& row : RowsOf(report)) {
    const BenchRate& rate = *row.rate;
    table.push_back({row.what, Thousands(rate.per_second), Millis(rate.p50_us), Millis(rate.p90_us),
                     Millis(rate.p99_us), Millis(rate.p999_us), Millis(rate.max_us)});
  }
  absl::StrAppend(&out, TableText(table), "\n");
  if (!report.no_database.empty()) {
    absl::StrAppend(&out, "The database was not measured alone: ", report.no_database, "\n");
  }
  for (const Ratio& ratio : RatiosOf(report)) {
    absl::StrAppend(&out, ratio.what, ": ", Fixed(ratio.value, 2), "\n");
  }
  absl::StrAppend(&out, UseText(report), Thousands(static_cast<double>(report.action_count)),
                  " actions, ", report.games_finished, " games came to their end");
  if (report.never_begun > 0) {
    absl::StrAppend(&out, ", ", report.never_begun, " actions were due and never begun");
  }
  out += "\n";
  for (const auto& [reason, count] : report.failures) {
    absl::StrAppend(&out, "failed: ", count, " with ", reason, "\n");
  }
  return out;
}

std::string BenchJson(const BenchReport& report) {
  const BenchOptions& options = report.options;
  ordered_json out;
  out["version"] = report.version;
  out["server"] = report.server;
  out["options"] = {{"ruleset", options.ruleset},         {"games", options.games},
                    {"watchers", options.watchers},       {"outstanding", options.outstanding},
                    {"connections", options.connections}, {"think_ms", options.think_ms},
                    {"open_rate", options.open_rate}};
  out["legal_actions"] = report.legal_here ? "computed by the client" : "asked of the server";
  out["machine"] = {{"processors", report.processors}, {"load_before", report.load_before}};
  out["seconds"] = report.seconds;
  out["actions"] = ToJson(report.actions);
  out["actions"]["count"] = report.action_count;
  out["games_finished"] = report.games_finished;
  if (options.watchers > 0) out["watched"] = ToJson(report.watched);
  if (report.empty) out["empty_calls"] = ToJson(*report.empty);
  if (report.database) {
    out["database"] = {{"clients", report.database->clients},
                       {"single", ToJson(report.database->single)},
                       {"lone", ToJson(report.database->lone)},
                       {"batched", ToJson(report.database->batched)}};
    out["database"]["batched"]["rows"] = report.database->rows;
  }
  for (const Ratio& ratio : RatiosOf(report)) out["ratios"][ratio.key] = ratio.value;
  if (report.server_pid != 0) {
    out["service"] = {{"cpu_s", report.server_cpu_s},
                      {"memory_before", report.memory_before},
                      {"memory_with_games", report.memory_with_games},
                      {"memory_with_watchers", report.memory_with_watchers},
                      {"memory_after", report.memory_after},
                      {"memory_peak", report.memory_peak}};
    out["database_cpu_s"] = report.database_cpu_s;
  }
  out["client_cpu_s"] = report.own_cpu_s;
  out["actions_by_second"] = report.by_second;
  out["never_begun"] = report.never_begun;
  out["failures"] = report.failures;
  return out.dump(2) + "\n";
}

// Bars for the rates, then the actions of every second.
std::string BenchSvg(const BenchReport& report) {
  constexpr double kWidth = 760, kLeft = 300, kBar = 22, kGap = 10, kTop = 64, kCurve = 160;
  constexpr std::string_view kInk = "#222222", kOurs = "#2b6cb0", kOthers = "#a0aec0";
  const std::vector<Row> rows = RowsOf(report);
  const double curve_top = kTop + static_cast<double>(rows.size()) * (kBar + kGap) + 50;
  Svg svg(kWidth, curve_top + kCurve + 40);
  svg.Rect({0, 0}, kWidth, curve_top + kCurve + 40, 0, {"#ffffff"});
  svg.Text({20, 22}, "astragal bench", {kInk, 16, Anchor::kStart, true});
  svg.Text({20, 44}, Headline(report), {kInk, 12, Anchor::kStart});
  double most = 1;
  for (const Row& row : rows) most = std::max(most, row.rate->per_second);
  double y = kTop;
  for (const Row& row : rows) {
    const bool ours = row.rate == &report.actions || row.rate == &report.watched;
    const double width = row.rate->per_second / most * (kWidth - kLeft - 190);
    svg.Text({kLeft - 8, y + kBar / 2}, row.what, {kInk, 12, Anchor::kEnd});
    svg.Rect({kLeft, y}, std::max(1.0, width), kBar, 2, {ours ? kOurs : kOthers});
    svg.Text({kLeft + width + 8, y + kBar / 2},
             absl::StrCat(Thousands(row.rate->per_second), " a second, p99 ",
                          Millis(row.rate->p99_us), " ms"),
             {kInk, 12, Anchor::kStart});
    y += kBar + kGap;
  }
  const std::vector<double>& seconds = report.by_second;
  const double top = seconds.empty() ? 1 : std::max(1.0, *std::ranges::max_element(seconds));
  svg.Text({20, curve_top - 16}, absl::StrCat("actions of every second, at most ", Thousands(top)),
           {kInk, 12, Anchor::kStart});
  const Paint line = {"", kOurs, 2};
  const double step = (kWidth - 40) / std::max<double>(1, static_cast<double>(seconds.size()) - 1);
  const auto at = [&](size_t i) {
    return algorithms::Point{20 + step * static_cast<double>(i),
                             curve_top + kCurve * (1 - seconds[i] / top)};
  };
  for (size_t i = 0; i + 1 < seconds.size(); ++i) svg.Line(at(i), at(i + 1), line);
  svg.Line({20, curve_top + kCurve}, {kWidth - 20, curve_top + kCurve}, {"", kInk, 1});
  return svg.Finish();
}

}  // namespace astragal::cli
