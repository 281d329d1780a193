// Why a round is paired as it is, and whether it is what the engine pairs. Pure.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_EXPLAIN_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_EXPLAIN_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/algorithms/pairing/dutch.h"
#include "services/algorithms/pairing/swiss.h"

namespace astragal::algorithms {

// Why somebody did not get the opponent half a score group below.
enum class PairingReason : uint8_t {
  kNone,       // did
  kMet,        // they have met
  kForbidden,  // somebody said that they must not
  kSides,      // both need the same side
  kWishes,     // both would like the same side
  kFloats,     // somebody had to leave the score group, or had floated before
  kOthers,     // the opponent was needed by somebody else, or to let everybody have one
};
// "has met them", "must not meet them", ...
std::string_view TextOf(PairingReason reason);

struct PairingNote {
  Pairing pairing;         // field indices, the better player first
  Tenths upper_score = 0;  // with lent points
  Tenths lower_score = 0;  // the same within a score group
  int natural = kNobody;   // field index of the opponent half a group below; kNobody: none
  PairingReason reason = PairingReason::kNone;
};

// A note for each of the pairs, in their order.
std::vector<PairingNote> ExplainPairing(const SwissField& field, const std::vector<Pairing>& pairs);

// Field indices of players that stay without opponent (or bye) in any largest pairing: who is in
// the way when no complete pairing exists. Empty when one exists.
std::vector<int> LeftAlone(const SwissField& field);

// The crosstable as it was before this round (counted from 1) was paired: whoever was not paired in
// it is absent from it.
Crosstable BeforeRound(const Crosstable& table, int round);

struct RoundCheck {
  int round = 0;                    // from 1
  std::vector<Pairing> played;      // indices of the crosstable, boards as BoardsOf sorts them
  std::vector<Pairing> expected;    // what the engine pairs; empty when it finds nothing
  std::vector<std::string> faults;  // hard rules that the played round breaks, in words
  bool Same() const { return played == expected; }
};

// Checks one round that was played (FIDE C.04.2 asks for a free checker). Sides are compared when
// `sides` is true. `engine` says what should have been paired; empty: PairDutch.
using PairField = std::function<absl::StatusOr<std::vector<Pairing>>(const SwissField&)>;
RoundCheck CheckRound(const Crosstable& table, int round, bool sides,
                      const PairField& engine = nullptr);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_EXPLAIN_H_
