// Tables of a tournament (standings, crosstables, brackets) as text, CSV, JSON and HTML. What a
// table holds is decided once, as a grid of words; how it is written is decided once for all of
// them. Pure.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_GRID_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_GRID_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/algorithms/pairing/elimination.h"
#include "services/algorithms/pairing/tiebreaks.h"

namespace astragal::algorithms {

struct Grid {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // each as long as the header
};

enum class GridFormat {
  kText,  // columns in line, two spaces between them
  kCsv,  // RFC 4180, lines end with CR LF; words that a spreadsheet would calculate are quoted with
         // '
  kJson,  // a list of objects by header, all values as text
  kHtml,  // one <table>
};
std::optional<GridFormat> ParseGridFormat(std::string_view text);  // "text", "csv", "json", "html"

std::string FormatGrid(const Grid& grid, GridFormat format);

// "Rank", "No", "Name", then the tie-breaks.
Grid StandingsGrid(const Crosstable& table, const std::vector<TieBreak>& tie_breaks,
                   const std::vector<StandingsRow>& rows);

// "Rank", "No", "Name", "Rating", a column for each round, "Pts". A round is the opponent's number,
// the side and the result as in report files: "12w1", "7b=", "3-" where nobody has sides; "+" "-"
// for forfeits, "bye", "H", "F", "Z" for rounds without opponent.
Grid CrosstableGrid(const Crosstable& table, const std::vector<StandingsRow>& rows);

// The name of an entrant, "seed 7" where `names` ends before, "" for nobody.
std::string NameInBracket(const std::vector<std::string>& names, int entrant);

// "Stage", "Round", "Board", "First", "Second", "Winner", "Status"; rounds and boards from 1.
Grid BracketGrid(const BracketPlan& plan, const BracketState& state,
                 const std::vector<std::string>& names);

// A bracket as SVG: a row of rounds for each stage, one stage below the other.
std::string DrawBracket(const BracketPlan& plan, const BracketState& state,
                        const std::vector<std::string>& names);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_GRID_H_
