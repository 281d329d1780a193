// Commands over tournament report files, which need no server.
#include "services/cli/trf_commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "services/algorithms/pairing/dutch.h"
#include "services/algorithms/pairing/explain.h"
#include "services/algorithms/pairing/fast.h"
#include "services/algorithms/pairing/tiebreaks.h"
#include "services/algorithms/pairing/trf.h"
#include "services/base/status.h"
#include "services/cli/context.h"
#include "services/cli/errors.h"

namespace astragal::cli {
namespace {

using algorithms::Crosstable;
using algorithms::Pairing;
using algorithms::RoundCheck;
using algorithms::StandingsRow;
using algorithms::SwissField;
using algorithms::TieBreak;
using algorithms::TrfFile;

absl::StatusOr<TrfFile> ReadTrf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return base::Error(base::Reason::kNotFound, "There is no file " + path + ".");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return algorithms::ParseTrf(text);
}

struct PairOptions {
  std::string file;
  std::string engine = "dutch";
  std::string sides = "on";
};

void PrintPairs(Context& context, const Crosstable& table, const std::vector<Pairing>& boards,
                bool sides) {
  for (const Pairing& board : boards) {
    int first = table.players[board.first].number;
    int second = board.second == algorithms::kNobody ? 0 : table.players[board.second].number;
    if (!sides && second != 0 && second < first) std::swap(first, second);
    context.out() << first << " " << second << "\n";
  }
}

absl::Status RunPairTrf(Context& context, const PairOptions& options) {
  const absl::StatusOr<TrfFile> file = ReadTrf(options.file);
  if (!file.ok()) return file.status();
  const SwissField field(file->table, options.sides == "on");
  const absl::StatusOr<std::vector<Pairing>> pairs =
      options.engine == "dutch" ? algorithms::PairDutch(field) : algorithms::PairFast(field);
  if (!pairs.ok()) return pairs.status();
  PrintPairs(context, file->table, algorithms::BoardsOf(field, *pairs), field.sides());
  return absl::OkStatus();
}

// ---- Standings.

struct StandingsOptions {
  std::string file;
  std::string rules = "auto";
  std::vector<std::string> order;
  bool json = false;
};

// What the reference tables have.
constexpr const char* kSwissOrder[] = {"PTS",   "DE",  "BH/C1", "BH",  "BH/C2", "BH/M1", "SB", "PS",
                                       "PS/C1", "WIN", "WON",   "BPG", "FB",    "AOB",   "ARO"};
constexpr const char* kRoundRobinOrder[] = {"PTS", "DE", "WIN", "WON", "SB", "KS", "PS"};

absl::StatusOr<std::vector<TieBreak>> OrderOf(const StandingsOptions& options, bool round_robin) {
  std::vector<std::string> words = options.order;
  if (words.empty() && round_robin)
    words.assign(std::begin(kRoundRobinOrder), std::end(kRoundRobinOrder));
  if (words.empty()) words.assign(std::begin(kSwissOrder), std::end(kSwissOrder));
  std::vector<TieBreak> order;
  for (const std::string& word : words) {
    const std::optional<TieBreak> tie_break = algorithms::ParseTieBreak(word);
    if (!tie_break.has_value()) return UsageError("There is no tie-break " + word + ".");
    order.push_back(*tie_break);
  }
  return order;
}

nlohmann::json StandingsJson(const Crosstable& table, const std::vector<TieBreak>& order,
                             const std::vector<StandingsRow>& rows) {
  nlohmann::json list = nlohmann::json::array();
  for (const StandingsRow& row : rows) {
    nlohmann::json values = nlohmann::json::object();
    for (size_t i = 0; i < order.size(); ++i) {
      values[algorithms::FormatTieBreak(order[i])] =
          algorithms::FormatTieBreakValue(order[i].kind, row.values[i]);
    }
    list.push_back({{"rank", row.rank},
                    {"number", table.players[row.player].number},
                    {"name", table.players[row.player].name},
                    {"tie_breaks", values}});
  }
  return list;
}

absl::Status RunStandings(Context& context, const StandingsOptions& options) {
  const absl::StatusOr<TrfFile> file = ReadTrf(options.file);
  if (!file.ok()) return file.status();
  const Crosstable& table = file->table;
  const bool round_robin =
      options.rules == "auto" ? algorithms::IsRoundRobin(*file) : options.rules == "round_robin";
  const absl::StatusOr<std::vector<TieBreak>> order = OrderOf(options, round_robin);
  if (!order.ok()) return order.status();
  const std::vector<StandingsRow> rows =
      algorithms::ComputeStandings(table, *order, {round_robin, {}});
  if (options.json) {
    context.out() << StandingsJson(table, *order, rows).dump(2) << "\n";
    return absl::OkStatus();
  }
  context.out() << "Rank\tStartNo";
  for (const TieBreak& tie_break : *order) {
    context.out() << "\t" << algorithms::FormatTieBreak(tie_break);
  }
  context.out() << "\n";
  for (const StandingsRow& row : rows) {
    context.out() << row.rank << "\t" << table.players[row.player].number;
    for (size_t i = 0; i < order->size(); ++i) {
      context.out() << "\t" << algorithms::FormatTieBreakValue((*order)[i].kind, row.values[i]);
    }
    context.out() << "\n";
  }
  return absl::OkStatus();
}

// ---- Checking.

struct CheckOptions {
  std::string file;
  int round = 0;
  std::string sides = "on";
  bool json = false;
};

std::string BoardText(const Crosstable& table, const Pairing& board) {
  const int second = board.second == algorithms::kNobody ? 0 : table.players[board.second].number;
  return std::to_string(table.players[board.first].number) + "-" + std::to_string(second);
}

// Boards of `some` that are not among `others`.
std::string Missing(const Crosstable& table, const std::vector<Pairing>& some,
                    const std::vector<Pairing>& others) {
  std::string text;
  for (const Pairing& board : some) {
    if (std::find(others.begin(), others.end(), board) != others.end()) continue;
    text += " " + BoardText(table, board);
  }
  return text.empty() ? " nothing" : text;
}

void PrintCheck(Context& context, const Crosstable& table, const RoundCheck& check) {
  context.out() << "round " << check.round << ": ";
  if (check.Same()) {
    context.out() << "as the rules pair it\n";
  } else if (check.expected.empty()) {
    context.out() << "no valid pairing exists\n";
  } else {
    context.out() << "played" << Missing(table, check.played, check.expected) << "; the rules pair"
                  << Missing(table, check.expected, check.played) << "\n";
  }
  for (const std::string& fault : check.faults) context.out() << "  " << fault << "\n";
}

nlohmann::json CheckJson(const Crosstable& table, const RoundCheck& check) {
  const auto boards = [&table](const std::vector<Pairing>& list) {
    nlohmann::json texts = nlohmann::json::array();
    for (const Pairing& board : list) texts.push_back(BoardText(table, board));
    return texts;
  };
  return {{"round", check.round},
          {"same", check.Same()},
          {"played", boards(check.played)},
          {"expected", boards(check.expected)},
          {"faults", check.faults}};
}

absl::Status RunCheckTrf(Context& context, const CheckOptions& options) {
  const absl::StatusOr<TrfFile> file = ReadTrf(options.file);
  if (!file.ok()) return file.status();
  const Crosstable& table = file->table;
  if (options.round > table.rounds_played) return UsageError("That round was not played.");
  const int first = options.round == 0 ? 1 : options.round;
  const int last = options.round == 0 ? table.rounds_played : options.round;
  int others = 0;
  nlohmann::json list = nlohmann::json::array();
  for (int round = first; round <= last; ++round) {
    const RoundCheck check = algorithms::CheckRound(table, round, options.sides == "on");
    others += !check.Same();
    if (options.json) {
      list.push_back(CheckJson(table, check));
    } else {
      PrintCheck(context, table, check);
    }
  }
  if (options.json) context.out() << list.dump(2) << "\n";
  if (others == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(std::to_string(others) +
                                       " rounds are not as the rules pair them.");
}

}  // namespace

Action DefineTournamentCheckTrf(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  app.add_option("FILE", options->file, "A tournament report file (TRF)")->required();
  app.add_option("--round", options->round, "Only this one (default: all that were played)")
      ->check(CLI::Range(1, 999));
  app.add_option("--sides", options->sides, "off where dice decide who begins")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  app.add_flag("--json", options->json, "As JSON");
  return [options](Context& context) { return RunCheckTrf(context, *options); };
}

Action DefineTournamentTieBreaks(CLI::App& app) {
  auto options = std::make_shared<StandingsOptions>();
  app.add_option("FILE", options->file, "A tournament report file (TRF)")->required();
  app.add_option("--rules", options->rules,
                 "How unplayed rounds count: swiss, round_robin, or auto, as the file says")
      ->check(CLI::IsMember({"auto", "swiss", "round_robin"}))
      ->capture_default_str();
  app.add_option("--order", options->order,
                 "Tie-breaks by importance, with commas, for example PTS,DE,BH/C1,BH,SB")
      ->delimiter(',');
  app.add_flag("--json", options->json, "As JSON");
  return [options](Context& context) { return RunStandings(context, *options); };
}

Action DefineTournamentPairTrf(CLI::App& app) {
  auto options = std::make_shared<PairOptions>();
  app.add_option("FILE", options->file, "A tournament report file (TRF)")->required();
  app.add_option("--engine", options->engine, "dutch: FIDE's rules exactly; fast: for thousands")
      ->check(CLI::IsMember({"dutch", "fast"}))
      ->capture_default_str();
  app.add_option("--sides", options->sides, "off where dice decide who begins")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  return [options](Context& context) { return RunPairTrf(context, *options); };
}

}  // namespace astragal::cli
