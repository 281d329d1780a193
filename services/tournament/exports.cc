#include "services/tournament/exports.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "services/algorithms/pairing/grid.h"
#include "services/algorithms/pairing/trf.h"
#include "services/core/tournaments/rounds.h"
#include "services/rpc/call.h"

namespace astragal::tournament {
namespace {

using algorithms::Grid;
using algorithms::GridFormat;

const char* TypeOf(GridFormat format) {
  switch (format) {
    case GridFormat::kText:
      return "text/plain";
    case GridFormat::kCsv:
      return "text/csv";
    case GridFormat::kJson:
      return "application/json";
    case GridFormat::kHtml:
      return "text/html";
  }
  return "text/plain";
}

std::vector<std::string> NamesOf(const core::TournamentState& state, const rpc::Names& names) {
  std::vector<std::string> list;
  for (const core::TournamentPlayer& player : state.players) {
    const auto found = names.find(player.id);
    list.push_back(found == names.end() ? player.id.ToText() : found->second);
  }
  return list;
}

algorithms::Crosstable TableOf(const core::TournamentState& state, const rpc::Names& names) {
  int rounds = 0;
  for (const core::TournamentRound& round : state.rounds) {
    rounds += round.stage != core::RoundStage::kDrafted;
  }
  algorithms::Crosstable table = core::CrosstableOf(state, rounds);
  const std::vector<std::string> list = NamesOf(state, names);
  for (size_t i = 0; i < list.size(); ++i) table.players[i].name = list[i];
  return table;
}

std::vector<algorithms::StandingsRow> RowsOf(const core::TournamentState& state) {
  std::vector<algorithms::StandingsRow> rows;
  for (const core::Standing& standing : core::StandingsOf(state)) {
    rows.push_back({standing.player, standing.rank, {}});
  }
  return rows;
}

Grid StandingsOf(const core::TournamentState& state, const rpc::Names& names) {
  const std::vector<std::string> list = NamesOf(state, names);
  Grid grid;
  grid.header = {"Rank", "No", "Name"};
  const std::vector<std::string> columns = core::ColumnsOf(state.terms);
  grid.header.insert(grid.header.end(), columns.begin(), columns.end());
  for (core::Standing& standing : core::StandingsOf(state)) {
    std::vector<std::string> row = {std::to_string(standing.rank),
                                    std::to_string(standing.player + 1),
                                    list[static_cast<size_t>(standing.player)]};
    std::ranges::move(standing.values, std::back_inserter(row));
    grid.rows.push_back(std::move(row));
  }
  return grid;
}

// Of formats in which two meet, once in a round.
bool HasCrosstable(const core::TournamentState& state) {
  return state.terms.format != core::TournamentFormat::kTables &&
         !core::IsOpenEnded(state.terms.format);
}

absl::StatusOr<ExportedFile> ReportFile(const core::TournamentState& state,
                                        const rpc::Names& names) {
  algorithms::TrfFile file;
  file.table = TableOf(state, names);
  file.before.push_back("012 " + state.terms.name);
  absl::StatusOr<std::string> text = algorithms::FormatTrf(file);
  if (!text.ok()) return rpc::BadField("content", "does not hold this tournament");
  return ExportedFile{*std::move(text), "text/plain"};
}

}  // namespace

absl::StatusOr<ExportedFile> Export(const core::TournamentState& state, const rpc::Names& names,
                                    v1::TournamentExport content, const std::string& format) {
  if (!state.HasStarted()) return rpc::BadField("tournament_id", "has not begun");
  const bool pairs =
      content == v1::TOURNAMENT_EXPORT_TRF || content == v1::TOURNAMENT_EXPORT_CROSSTABLE;
  if (pairs && !HasCrosstable(state)) return rpc::BadField("content", "is not of this format");
  if (content == v1::TOURNAMENT_EXPORT_TRF) return ReportFile(state, names);
  const bool bracket = content == v1::TOURNAMENT_EXPORT_BRACKET;
  if (bracket && !core::IsElimination(state.terms.format)) {
    return rpc::BadField("content", "is of eliminations");
  }
  if (bracket && format == "svg") {
    const core::Bracket found = core::BracketOf(state);
    return ExportedFile{algorithms::DrawBracket(found.plan, found.state, NamesOf(state, names)),
                        "image/svg+xml"};
  }
  const std::optional<GridFormat> written =
      algorithms::ParseGridFormat(format.empty() ? "text" : format);
  if (!written) return rpc::BadField("format", "is none that this can have");
  Grid grid;
  if (bracket) {
    const core::Bracket found = core::BracketOf(state);
    grid = algorithms::BracketGrid(found.plan, found.state, NamesOf(state, names));
  } else if (content == v1::TOURNAMENT_EXPORT_STANDINGS) {
    grid = StandingsOf(state, names);
  } else if (content == v1::TOURNAMENT_EXPORT_CROSSTABLE) {
    grid = algorithms::CrosstableGrid(TableOf(state, names), RowsOf(state));
  } else {
    return rpc::BadField("content", "is required");
  }
  return ExportedFile{algorithms::FormatGrid(grid, *written), TypeOf(*written)};
}

}  // namespace astragal::tournament
