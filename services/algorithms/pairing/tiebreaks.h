// Standings of a tournament of two-player matches: points and tie-breaks as FIDE C.07 defines them
// (2026 text), from a crosstable alone. Pure; whole numbers only, nothing is rounded but averages.
//
// Unplayed rounds (article 16). A round counts as voluntary when the player asked for it or did not
// come: half- and zero-point byes, absence, forfeit losses.
// - For others, a player's score is adjusted: voluntary rounds without an opponent after which the
//   player never came back count as draws.
// - For the player, an unplayed round is a game against a dummy with the player's own score, but no
//   more than the adjusted score of the opponent who did not come, or than a draw a round when
//   there was none.
// In round robins an unplayed game counts as a game, and a rest as nothing.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TIEBREAKS_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TIEBREAKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/algorithms/pairing/crosstable.h"

namespace astragal::algorithms {

enum class TieBreakKind : uint8_t {
  kPoints,           // PTS
  kDirectEncounter,  // DE: place among those still tied, 0 when it decides nothing
  kBuchholz,         // BH: adjusted scores of the opponents
  kForeBuchholz,     // FB: BH as if the last round's games were drawn
  kAverageBuchholz,  // AOB: of the opponents met on the board, hundredths, half up
  kSonnebornBerger,  // SB: adjusted score of each opponent times the result
  kProgressive,      // PS: the sum of the scores after each round
  kWins,             // WIN: rounds worth a win, also without play
  kWinsOnBoard,      // WON
  kSecondSideGames,  // BPG: games with the second side
  kKoya,             // KS: points against those with at least half of what could be scored
  kAverageRating,    // ARO: of the opponents met on the board, half up
  kLot,              // LOT: a drawn number, the smaller one first
};

// "BH/C1" leaves the least value out, "BH/M1" the least and the largest, "PS/C1" the first round.
struct TieBreak {
  TieBreakKind kind = TieBreakKind::kPoints;
  int cut_low = 0;
  int cut_high = 0;
  bool operator==(const TieBreak&) const = default;
};

std::optional<TieBreak> ParseTieBreak(std::string_view text);
std::string FormatTieBreak(const TieBreak& tie_break);

struct TieBreakRules {
  bool round_robin = false;
  // For LOT, by player; a larger number for whoever is not in it. Drawn by the caller.
  std::vector<uint64_t> lots;
};

struct StandingsRow {
  int player = kNobody;
  int rank = 0;  // from 1; shared when nothing tells players apart
  // By tie-break. Units: see UnitOf. nullopt: there is nothing to say (an average of nobody).
  std::vector<std::optional<int64_t>> values;
};

// How much one is in the values of a tie-break: 10 for points, 100 for SB and AOB, 1 for counts.
int UnitOf(TieBreakKind kind);
// "7.5", "23.25", "3"; "-" for no value.
std::string FormatTieBreakValue(TieBreakKind kind, std::optional<int64_t> value);

// After all rounds played; by rank, then by pairing number.
std::vector<StandingsRow> ComputeStandings(const Crosstable& table,
                                           const std::vector<TieBreak>& tie_breaks,
                                           const TieBreakRules& rules = {});

// What tournaments use unless they say otherwise.
std::vector<TieBreak> DefaultTieBreaks(bool round_robin);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TIEBREAKS_H_
