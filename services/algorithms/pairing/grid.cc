#include "services/algorithms/pairing/grid.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/algorithms/pairing/trf_text.h"
#include "services/algorithms/svg.h"

namespace astragal::algorithms {
namespace {

constexpr std::pair<std::string_view, GridFormat> kFormats[] = {
    {"text", GridFormat::kText},
    {"csv", GridFormat::kCsv},
    {"json", GridFormat::kJson},
    {"html", GridFormat::kHtml},
};

// Columns on a screen: a character of UTF-8 each.
size_t WidthOf(std::string_view word) {
  return static_cast<size_t>(std::count_if(word.begin(), word.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string FormatText(const Grid& grid) {
  std::vector<size_t> widths;
  for (const std::string& word : grid.header) widths.push_back(WidthOf(word));
  for (const auto& row : grid.rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], WidthOf(row[i]));
  }
  std::string text;
  const auto add = [&](const std::vector<std::string>& row) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - WidthOf(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add(grid.header);
  for (const auto& row : grid.rows) add(row);
  return text;
}

// A name like =SUM(A1) must stay a name in a spreadsheet.
std::string CsvWord(const std::string& word) {
  const bool formula =
      !word.empty() && std::string_view("=+@\t\r").find(word[0]) != std::string_view::npos;
  const std::string safe = formula ? "'" + word : word;
  if (safe.find_first_of(",\"\r\n") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string FormatCsv(const Grid& grid) {
  std::string text;
  const auto add = [&text](const std::vector<std::string>& row) {
    for (size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + CsvWord(row[i]);
    text += "\r\n";
  };
  add(grid.header);
  for (const auto& row : grid.rows) add(row);
  return text;
}

std::string JsonWord(std::string_view word) {
  std::string out = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string FormatJson(const Grid& grid) {
  std::string text = "[";
  for (size_t row = 0; row < grid.rows.size(); ++row) {
    text += row > 0 ? ",\n {" : "\n {";
    for (size_t i = 0; i < grid.header.size(); ++i) {
      text += (i > 0 ? ", " : "") + JsonWord(grid.header[i]) + ": " + JsonWord(grid.rows[row][i]);
    }
    text += "}";
  }
  return text + "\n]\n";
}

std::string FormatHtml(const Grid& grid) {
  std::string text = "<table>\n<thead><tr>";
  for (const std::string& word : grid.header) text += "<th>" + EscapeXml(word) + "</th>";
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : grid.rows) {
    text += "<tr>";
    for (const std::string& word : row) text += "<td>" + EscapeXml(word) + "</td>";
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table>\n";
}

std::string RoundWord(const Crosstable& table, const RoundEntry& entry) {
  if (entry.outcome == Outcome::kPairingBye) return "bye";
  if (entry == RoundEntry()) return "";
  std::string word;
  if (entry.opponent != kNobody) word = absl::StrCat(table.players[entry.opponent].number);
  if (entry.side == Side::kFirst) word += "w";
  if (entry.side == Side::kSecond) word += "b";
  const auto* letter =
      std::find_if(std::begin(trf::kResultLetters), std::end(trf::kResultLetters),
                   [&](const trf::ResultLetter& known) { return known.outcome == entry.outcome; });
  // Without a side something else must part the number from the result.
  if (entry.opponent != kNobody && entry.side == Side::kNone) word += ":";
  return word + letter->letter;
}

constexpr std::string_view kStatusNames[] = {"waiting", "ready", "decided", "walk_over", "empty"};

}  // namespace

std::optional<GridFormat> ParseGridFormat(std::string_view text) {
  for (const auto& [name, format] : kFormats) {
    if (name == text) return format;
  }
  return std::nullopt;
}

std::string FormatGrid(const Grid& grid, GridFormat format) {
  switch (format) {
    case GridFormat::kText:
      return FormatText(grid);
    case GridFormat::kCsv:
      return FormatCsv(grid);
    case GridFormat::kJson:
      return FormatJson(grid);
    case GridFormat::kHtml:
      return FormatHtml(grid);
  }
  return "";
}

Grid StandingsGrid(const Crosstable& table, const std::vector<TieBreak>& tie_breaks,
                   const std::vector<StandingsRow>& rows) {
  Grid grid{{"Rank", "No", "Name"}, {}};
  for (const TieBreak& tie_break : tie_breaks) grid.header.push_back(FormatTieBreak(tie_break));
  for (const StandingsRow& row : rows) {
    const Entrant& player = table.players[row.player];
    std::vector<std::string> words = {absl::StrCat(row.rank), absl::StrCat(player.number),
                                      player.name};
    for (size_t i = 0; i < tie_breaks.size(); ++i) {
      words.push_back(FormatTieBreakValue(tie_breaks[i].kind, row.values[i]));
    }
    grid.rows.push_back(std::move(words));
  }
  return grid;
}

Grid CrosstableGrid(const Crosstable& table, const std::vector<StandingsRow>& rows) {
  Grid grid{{"Rank", "No", "Name", "Rating"}, {}};
  for (int round = 1; round <= table.rounds_played; ++round) {
    grid.header.push_back(absl::StrCat("R", round));
  }
  grid.header.push_back("Pts");
  for (const StandingsRow& row : rows) {
    const Entrant& player = table.players[row.player];
    std::vector<std::string> words = {
        absl::StrCat(row.rank), absl::StrCat(player.number), player.name,
        player.rating > 0 ? absl::StrCat(player.rating) : std::string()};
    for (int round = 0; round < table.rounds_played; ++round) {
      words.push_back(RoundWord(table, EntryOf(player, round)));
    }
    words.push_back(trf::FormatPoints(ScoreBefore(table, row.player, table.rounds_played)));
    grid.rows.push_back(std::move(words));
  }
  return grid;
}

std::string NameInBracket(const std::vector<std::string>& names, int entrant) {
  if (entrant == kNobody) return "";
  return static_cast<size_t>(entrant) < names.size() ? names[entrant]
                                                     : absl::StrCat("seed ", entrant + 1);
}

Grid BracketGrid(const BracketPlan& plan, const BracketState& state,
                 const std::vector<std::string>& names) {
  Grid grid{{"Stage", "Round", "Board", "First", "Second", "Winner", "Status"}, {}};
  for (size_t i = 0; i < plan.matches.size(); ++i) {
    const BracketMatch& match = plan.matches[i];
    const BracketMatchState& now = state.matches[i];
    grid.rows.push_back({std::string(NameOf(match.stage)), absl::StrCat(match.round + 1),
                         absl::StrCat(match.board + 1), NameInBracket(names, now.players[0]),
                         NameInBracket(names, now.players[1]), NameInBracket(names, now.winner),
                         std::string(kStatusNames[static_cast<size_t>(now.status)])});
  }
  return grid;
}

}  // namespace astragal::algorithms
