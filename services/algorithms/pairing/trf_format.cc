#include <string>

#include "absl/strings/str_cat.h"
#include "services/algorithms/pairing/trf.h"
#include "services/algorithms/pairing/trf_text.h"
#include "services/base/status.h"

namespace astragal::algorithms {
namespace {

constexpr int kLargest = 9999;  // what four columns hold

// How many columns a text takes; a text that is not UTF-8 takes its bytes.
int WidthOf(std::string_view text) {
  const std::optional<trf::Columns> columns = trf::Columns::Of(text);
  return columns.has_value() ? columns->width() : static_cast<int>(text.size());
}

std::string Left(std::string_view text, int width) {
  const std::optional<trf::Columns> columns = trf::Columns::Of(text);
  std::string out(columns.has_value() ? columns->At(0, width) : text.substr(0, width));
  out.append(static_cast<size_t>(width - WidthOf(out)), ' ');
  return out;
}

std::string Right(std::string_view text, int width) {
  const int missing = std::max(width - WidthOf(text), 0);
  return std::string(static_cast<size_t>(missing), ' ') + std::string(text);
}

std::string Right(int number, int width) { return Right(absl::StrCat(number), width); }

char LetterOf(Outcome outcome) {
  for (const trf::ResultLetter& known : trf::kResultLetters) {
    if (known.outcome == outcome) return known.letter;
  }
  return ' ';
}

std::string RoundText(const Crosstable& table, const RoundEntry& entry) {
  if (entry == RoundEntry()) return "          ";
  const std::string opponent =
      entry.opponent == kNobody ? "0000" : Right(table.players[entry.opponent].number, 4);
  const char side = entry.side == Side::kFirst ? 'w' : entry.side == Side::kSecond ? 'b' : '-';
  return absl::StrCat("  ", opponent, " ", std::string(1, side), " ",
                      std::string(1, LetterOf(entry.outcome)));
}

std::string PlayerText(const TrfFile& file, int index) {
  const Crosstable& table = file.table;
  const Entrant& player = table.players[index];
  const TrfDetails details = file.details.empty() ? TrfDetails() : file.details[index];
  std::string line = absl::StrCat(
      "001 ", Right(player.number, 4), " ", Left(details.sex, 1), Right(details.title, 3), " ",
      Left(player.name, 33), " ", player.rating > 0 ? Right(player.rating, 4) : "    ", " ",
      Left(details.federation, 3), " ", Right(details.fide_number, 11), " ",
      Left(details.birth, 10), " ",
      Right(trf::FormatPoints(ScoreBefore(table, index, table.rounds_played)), 4), " ", "    ");
  for (const RoundEntry& entry : player.rounds) line += RoundText(table, entry);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string PointsText(const PointSystem& points) {
  const PointSystem usual;
  struct Row {
    char letter;
    Tenths value;
    bool needed;
  };
  const Row rows[] = {
      {'W', points.win, points.win != usual.win},
      {'D', points.draw, points.draw != usual.draw},
      {'L', points.loss, points.loss != usual.loss},
      {'A', points.zero_bye, points.zero_bye != usual.zero_bye},
      {'P', points.pairing_bye, points.pairing_bye != points.win},
  };
  std::string line;
  for (const Row& row : rows) {
    if (!row.needed) continue;
    line += line.empty() ? "162  " : "    ";
    line += row.letter + Right(trf::FormatPoints(row.value), 4);
  }
  if (!line.empty()) line += "\n";
  if (points.forfeit_loss != points.zero_bye) {
    line += absl::StrCat("BBF ", Right(trf::FormatPoints(points.forfeit_loss), 4), "\n");
  }
  return line;
}

// One line for each run of rounds with the same lent points.
std::string LentText(const Entrant& player) {
  std::string lines;
  const std::vector<Tenths>& lent = player.lent;
  for (size_t from = 0, to = 0; from < lent.size(); from = to) {
    while (to < lent.size() && lent[to] == lent[from]) ++to;
    if (lent[from] == 0) continue;
    lines += absl::StrCat("250      ", Right(trf::FormatPoints(lent[from]), 4), " ",
                          Right(static_cast<int>(from) + 1, 3), " ", Right(static_cast<int>(to), 3),
                          " ", Right(player.number, 4), " ", Right(player.number, 4), "\n");
  }
  return lines;
}

std::string ForbiddenText(const Crosstable& table, const ForbiddenGroup& group) {
  std::string line =
      absl::StrCat("260 ", Right(group.first_round, 3), " ", Right(group.last_round, 3));
  for (const int player : group.players) line += " " + Right(table.players[player].number, 4);
  return line + "\n";
}

bool IsByNumber(const Crosstable& table) {
  for (size_t i = 1; i < table.players.size(); ++i) {
    if (table.players[i].number < table.players[i - 1].number) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<std::string> FormatTrf(const TrfFile& file) {
  const Crosstable& table = file.table;
  std::string text;
  for (const std::string& line : file.before) text += line + "\n";
  bool lent = false;
  for (int i = 0; i < static_cast<int>(table.players.size()); ++i) {
    const Entrant& player = table.players[i];
    if (player.number > kLargest || player.rating > kLargest) {
      return base::Error(base::Reason::kBadField,
                         absl::StrCat("Player ", player.number,
                                      ": numbers and ratings end at 9999 in this format."));
    }
    lent = lent || !player.lent.empty();
    text += PlayerText(file, i);
  }
  if (!IsByNumber(table)) text += "XXC rank\n";
  if (table.rounds_planned > 0) {
    absl::StrAppend(&text, "142 ", Right(table.rounds_planned, 3), "\n");
  }
  if (table.first_side != Side::kNone) {
    text += table.first_side == Side::kFirst ? "152 W\n" : "152 B\n";
  }
  text += PointsText(table.points);
  if (!file.system.empty()) absl::StrAppend(&text, "192 ", file.system, "\n");
  if (lent) {
    for (const Entrant& player : table.players) text += LentText(player);
  }
  for (const ForbiddenGroup& group : table.forbidden) text += ForbiddenText(table, group);
  for (const std::string& line : file.after) text += line + "\n";
  return text;
}

}  // namespace astragal::algorithms
