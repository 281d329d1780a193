// Who played whom in which round of a tournament, and what came of it: what every engine pairs from
// and every tie-break counts. A value without behaviour of its own; whoever fills it checks it with
// CheckCrosstable first. Thread-compatible.
//
// Units: points are tenths (10 is a point, 5 half a point), so that nothing is ever rounded.
// Players are indices into `players`, from 0; rounds are counted from 1 where they are named and
// from 0 where they are indices.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_CROSSTABLE_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_CROSSTABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace astragal::algorithms {

using Tenths = int;

inline constexpr int kNobody = -1;

// The side that begins is the first one. Where dice decide who begins nobody has a side.
enum class Side : int8_t { kNone, kFirst, kSecond };

constexpr Side OtherSide(Side side) {
  return side == Side::kFirst ? Side::kSecond : side == Side::kSecond ? Side::kFirst : Side::kNone;
}

enum class Outcome : uint8_t {
  kNothing,      // not there, and nobody said why: counts as kZeroBye
  kWin,          // played
  kDraw,         // played
  kLoss,         // played
  kForfeitWin,   // the opponent did not come
  kForfeitLoss,  // did not come
  kHalfBye,      // asked for
  kFullBye,      // given by the director
  kZeroBye,      // asked for, or absent
  kPairingBye,   // left over by the pairing
};

// What one player did in one round.
struct RoundEntry {
  int opponent = kNobody;
  Side side = Side::kNone;
  Outcome outcome = Outcome::kNothing;

  bool Played() const {
    return outcome == Outcome::kWin || outcome == Outcome::kDraw || outcome == Outcome::kLoss;
  }
  // Whether the pairing of the round knew this player.
  bool Paired() const { return opponent != kNobody || outcome == Outcome::kPairingBye; }
  bool operator==(const RoundEntry&) const = default;
};

struct PointSystem {
  Tenths win = 10;
  Tenths draw = 5;
  Tenths loss = 0;
  Tenths zero_bye = 0;
  Tenths forfeit_loss = 0;
  Tenths pairing_bye = 10;
  bool operator==(const PointSystem&) const = default;
};

// What the outcome is worth; a half-point bye is worth a draw, a full-point bye a win.
Tenths PointsOf(const PointSystem& points, Outcome outcome);

struct Entrant {
  int number = 0;  // what people see; unique, positive
  std::string name;
  int rating = 0;                  // 0: none
  std::vector<RoundEntry> rounds;  // by round; may be shorter than the table
  // Points lent for the pairing of each round (accelerated systems), by round; may be shorter.
  std::vector<Tenths> lent;
  bool operator==(const Entrant&) const = default;
};

// These must not meet each other in rounds first_round to last_round (counted from 1).
struct ForbiddenGroup {
  std::vector<int> players;
  int first_round = 1;
  int last_round = 0;
  bool operator==(const ForbiddenGroup&) const = default;
};

struct Crosstable {
  std::vector<Entrant> players;  // in the order of their pairing numbers, best first
  int rounds_played = 0;
  int rounds_planned = 0;  // 0: unknown; never fewer than rounds_played otherwise
  // The side of the best player in the first round; kNone: not drawn.
  Side first_side = Side::kNone;
  PointSystem points;
  std::vector<ForbiddenGroup> forbidden;
  bool operator==(const Crosstable&) const = default;
};

// Entry of a round by index; a default one where the player has none.
RoundEntry EntryOf(const Entrant& player, int round);
// Points before the round with this index, without lent ones.
Tenths ScoreBefore(const Crosstable& table, int player, int round);
Tenths LentIn(const Entrant& player, int round);
// Whether the player has an entry (a bye or an absence) in the round that comes next.
bool AbsentFromNext(const Crosstable& table, int player);

// A finding in words: opponents outside the table, entries that contradict the opponent's, numbers
// that are used twice. INVALID_ARGUMENT, naming player and round by their numbers.
absl::Status CheckCrosstable(const Crosstable& table);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_CROSSTABLE_H_
