// Everything that is needed to check the throws of a finished game, and the check. It needs no
// network, no database and no rules: what was thrown is told as number of an outcome, and the
// weights of the outcomes stand in the proof.
//
// The scheme and the file are described in FAIRNESS.md, so that others can write their own
// verifier; tests/clients/python/verify_dice.py is one. Pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_FAIRNESS_PROOF_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_FAIRNESS_PROOF_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/base/crypto.h"
#include "services/base/ids.h"

namespace astragal::algorithms {

struct FairnessProof {
  struct Seat {
    std::string player_id;     // empty: nobody sat there
    std::string pledge;        // SHA-256 of the contribution; empty: it pledged none
    std::string contribution;  // up to 32 bytes; empty: it gave none
  };
  struct Kind {
    std::string name;
    std::vector<uint32_t> weights;    // of the outcomes, each at least 1, at most 65,536 together
    std::vector<std::string> labels;  // of the outcomes, for people
  };
  struct Throw {
    uint32_t sequence = 0;  // of the event in the game's log
    uint32_t kind = 0;      // index into `kinds`
    uint32_t outcome = 0;   // index into the kind's weights
  };

  base::GameId game;
  std::string ruleset;
  uint32_t rules_version = 0;
  uint32_t restore_epoch = 0;
  base::Bytes32 commitment{};
  base::Bytes32 secret{};
  std::vector<Seat> seats;  // all of them, in order
  std::vector<Kind> kinds;
  std::vector<Throw> throws;  // all of the game, in order
};

struct FairnessReport {
  std::vector<std::string> faults;  // empty: every throw is the one that was fixed
  int contributing_seats = 0;
  int withheld = 0;  // seats that pledged a contribution and did not send it
};

// Finds every fault; says nothing about whether the proof is the game's (its commitment and pledges
// are what the players saw before the first throw, and its throws are in the log).
FairnessReport CheckProof(const FairnessProof& proof);

// One line of JSON, without the line's end.
std::string WriteProof(const FairnessProof& proof);
// INVALID_ARGUMENT says which field is wrong. Unknown keys are passed over.
absl::StatusOr<FairnessProof> ReadProof(std::string_view json);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_FAIRNESS_PROOF_H_
