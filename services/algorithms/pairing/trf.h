// Tournaments as text in FIDE's Tournament Report File: TRF-2026, the older TRF(x) lines that
// pairing programs added (XX.., BB..), read and written. Pure functions over text.
//
// Lines end with LF, CR or both; columns are counted in characters of UTF-8, in
// a player's line in bytes if its points stand there then. A line that is not UTF-8 is read as
// ISO 8859-1. What is read:
//   001 players and their rounds      142, XXR rounds planned     152, XXC side of the first player
//   162, BB. points                   192 system (.._BAKU: lent points)
//   240 byes of the next round        250, XXA lent points        260, XXP who must not meet
//   XXC rank: pairing numbers follow the order of the lines
// Other lines are kept as they are. 299 (points that no rule gives) is refused: results would be
// read wrongly.
//
// The rounds played are those in which anybody was paired. An entry behind them (0000 - H) is a bye
// or an absence in the round to pair, unless every player has one: then that round is over.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TRF_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TRF_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/algorithms/pairing/crosstable.h"

namespace astragal::algorithms {

// Columns of a player line that no pairing needs, as they stood there, without spaces around them.
struct TrfDetails {
  std::string sex;
  std::string title;
  std::string federation;
  std::string fide_number;
  std::string birth;
  bool operator==(const TrfDetails&) const = default;
};

struct TrfFile {
  Crosstable table;
  std::vector<TrfDetails> details;  // by player; may be empty
  std::string system;               // of line 192, for example FIDE_DUTCH_2025; "" when not there
  std::vector<std::string> before;  // lines kept, those above the first player
  std::vector<std::string> after;   // and those below
  bool operator==(const TrfFile&) const = default;
};

// INVALID_ARGUMENT that names the line (detail "line", from 1) and what is wrong with it; also when
// the points of a player are not what the results give.
absl::StatusOr<TrfFile> ParseTrf(std::string_view text);

// The same tournament as text that ParseTrf reads back to an equal value. Lines end with LF.
// Players who are to be numbered above 9999 or ratings above 9999 do not fit: INVALID_ARGUMENT.
absl::StatusOr<std::string> FormatTrf(const TrfFile& file);

// Whether it is a round robin: as line 192 or 092 says; where they say nothing, whether there are
// as many rounds as everybody against everybody needs, once or twice.
bool IsRoundRobin(const TrfFile& file);

// Lent points of the Baku acceleration (FIDE C.04.5.1) for every round played and the next one: the
// better half, rounded up to an even number of players, gets a win for the first half of the
// accelerated rounds, a draw for the rest of them; accelerated is the first half of all rounds.
void LendBaku(Crosstable& table);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TRF_H_
