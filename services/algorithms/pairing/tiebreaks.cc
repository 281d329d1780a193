#include "services/algorithms/pairing/tiebreaks.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "services/algorithms/pairing/direct_encounter.h"
#include "services/algorithms/pairing/tiebreak_values.h"

namespace astragal::algorithms {
namespace {

struct Name {
  TieBreakKind kind;
  std::string_view word;
  int unit;
  bool cuts_low;   // takes /C
  bool cuts_high;  // takes /M
};
constexpr Name kNames[] = {
    {TieBreakKind::kPoints, "PTS", 10, false, false},
    {TieBreakKind::kDirectEncounter, "DE", 1, false, false},
    {TieBreakKind::kBuchholz, "BH", 10, true, true},
    {TieBreakKind::kForeBuchholz, "FB", 10, true, true},
    {TieBreakKind::kAverageBuchholz, "AOB", 100, false, false},
    {TieBreakKind::kSonnebornBerger, "SB", 100, true, false},
    {TieBreakKind::kProgressive, "PS", 10, true, false},
    {TieBreakKind::kWins, "WIN", 1, false, false},
    {TieBreakKind::kWinsOnBoard, "WON", 1, false, false},
    {TieBreakKind::kSecondSideGames, "BPG", 1, false, false},
    {TieBreakKind::kKoya, "KS", 10, false, false},
    {TieBreakKind::kAverageRating, "ARO", 1, false, false},
    {TieBreakKind::kLot, "LOT", 1, false, false},
};

const Name& NameOf(TieBreakKind kind) {
  return *std::find_if(std::begin(kNames), std::end(kNames),
                       [kind](const Name& name) { return name.kind == kind; });
}

// A column as a number to sort by, the best one smallest.
int64_t SortKey(TieBreakKind kind, std::optional<int64_t> value) {
  if (kind == TieBreakKind::kDirectEncounter) return value.value_or(0);
  return value.has_value() ? -*value : 1;
}

// Refines ranks by a column: equal ranks with different values come apart.
void Refine(TieBreakKind kind, const Column& column, std::vector<int>& order,
            std::vector<int>& ranks) {
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    if (ranks[a] != ranks[b]) return ranks[a] < ranks[b];
    const int64_t key_a = SortKey(kind, column[a]);
    const int64_t key_b = SortKey(kind, column[b]);
    return key_a != key_b ? key_a < key_b : a < b;
  });
  std::vector<int> refined(ranks.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const bool same =
        i > 0 && ranks[order[i]] == ranks[order[i - 1]] && column[order[i]] == column[order[i - 1]];
    refined[order[i]] = same ? refined[order[i - 1]] : static_cast<int>(i) + 1;
  }
  ranks = std::move(refined);
}

}  // namespace

std::optional<TieBreak> ParseTieBreak(std::string_view text) {
  const size_t slash = std::min(text.find('/'), text.size());
  for (const Name& name : kNames) {
    if (name.word != text.substr(0, slash)) continue;
    TieBreak tie_break{name.kind};
    if (slash == text.size()) return tie_break;
    const std::string_view cut = text.substr(slash + 1);
    if (cut.size() != 2 || cut[1] < '1' || cut[1] > '9') return std::nullopt;
    const bool median = cut[0] == 'M' && name.cuts_high;
    if (!median && !(cut[0] == 'C' && name.cuts_low)) return std::nullopt;
    tie_break.cut_low = cut[1] - '0';
    if (median) tie_break.cut_high = tie_break.cut_low;
    return tie_break;
  }
  return std::nullopt;
}

std::string FormatTieBreak(const TieBreak& tie_break) {
  std::string text(NameOf(tie_break.kind).word);
  if (tie_break.cut_low > 0) {
    absl::StrAppend(&text, tie_break.cut_high > 0 ? "/M" : "/C", tie_break.cut_low);
  }
  return text;
}

int UnitOf(TieBreakKind kind) { return NameOf(kind).unit; }

std::string FormatTieBreakValue(TieBreakKind kind, std::optional<int64_t> value) {
  if (!value.has_value()) return "-";
  const int unit = UnitOf(kind);
  if (unit == 1) return absl::StrCat(*value);
  const std::string rest = absl::StrCat(*value % unit);
  const size_t digits = unit == 10 ? 1 : 2;
  return absl::StrCat(*value / unit, ".", std::string(digits - rest.size(), '0'), rest);
}

std::vector<StandingsRow> ComputeStandings(const Crosstable& table,
                                           const std::vector<TieBreak>& tie_breaks,
                                           const TieBreakRules& rules) {
  const TieBreakValues values(table, rules);
  std::vector<int> order(table.players.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<int> ranks(table.players.size(), 1);
  std::vector<Column> columns;
  for (const TieBreak& tie_break : tie_breaks) {
    const bool direct = tie_break.kind == TieBreakKind::kDirectEncounter;
    columns.push_back(direct ? DirectEncounter(values, ranks, rules.round_robin, table.points.win)
                             : values.Of(tie_break));
    Refine(tie_break.kind, columns.back(), order, ranks);
  }
  std::vector<StandingsRow> rows;
  for (const int player : order) {
    StandingsRow row{player, ranks[player], {}};
    for (const Column& column : columns) row.values.push_back(column[player]);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<TieBreak> DefaultTieBreaks(bool round_robin) {
  using enum TieBreakKind;
  if (round_robin) {
    return {{kPoints}, {kDirectEncounter}, {kSonnebornBerger}, {kWinsOnBoard}, {kKoya}, {kLot}};
  }
  return {{kPoints},          {kDirectEncounter}, {kBuchholz, 1}, {kBuchholz},
          {kSonnebornBerger}, {kWinsOnBoard},     {kProgressive}, {kLot}};
}

}  // namespace astragal::algorithms
