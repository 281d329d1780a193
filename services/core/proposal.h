// What is proposed in the lobby, and its bytes in the store.
//
// Terms; integers are little-endian, a text is u8 length and bytes:
//   u8 layout | text ruleset | u32 rules version | text preset | u8 count and (text name, text
//   value) of the options | i8 seat of the proposer, -1: none | u8 Visibility | u8 rated | u8
//   ClockKind | i64 reserve, i64 increment, i64 first turn in ms | last opponent (16) | u8
//   MatchKind or 0, and then u16 length | u8 FirstMover or 0 | u8 match clock | u8 timeout loses
// Layout 1 ends here and is that of terms that invite no contributions; layout 2 is of those that
// do, and ends with u8 1. Where completion is asked for or was missed, layout 3 ends with u8 1 if
// they invite contributions | u8 least completion | u8 missed, both in percent.
// A layout never changes; a new one gets a new first byte. A proposal as it was answered (kept for
// a day) is
//   u8 1 | id (16) | u8 kind | u8 state | player (16) | opponent (16) | i32 rating | i64 created,
//   i64 expires in microseconds | game (16) | u16 length of the terms | terms
//
// Pure functions; any thread may call them.
#ifndef ASTRAGAL_SERVICES_CORE_PROPOSAL_H_
#define ASTRAGAL_SERVICES_CORE_PROPOSAL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/core/games.h"
#include "services/core/match_terms.h"
#include "storage/lobby_store.h"

namespace astragal::core {

using base::ProposalId;

inline constexpr size_t kMaxTermsBytes = 2'048;
inline constexpr size_t kMaxTermsOptions = 64;

struct ProposalTerms {
  std::string ruleset;
  uint32_t rules_version = 0;
  std::string preset;
  std::vector<std::pair<std::string, std::string>> options;
  std::optional<int> seat;  // of the proposer; unset: decided when it is accepted
  storage::Visibility visibility = storage::Visibility::kPublic;
  bool rated = false;
  storage::ClockPolicy clock;
  PlayerId last_opponent;  // of a ticket: who its player has just played; otherwise nil
  std::optional<MatchTerms> match;
  bool invite_contributions = false;  // to the dice of each game; see NewGame
  // Who accepts has completed at least so many percent of his last rated games (CompletionOf); 0:
  // whoever he is. Of two tickets each asks it of the other.
  int least_completion = 0;
  int missed = 0;  // of a ticket: the percent that its player has not completed

  friend bool operator==(const ProposalTerms&, const ProposalTerms&) = default;
};

struct Proposal {
  storage::ProposalRecord record;  // its `terms` are these
  ProposalTerms terms;
};

// BAD_FIELD: what has no room in the layout, a seat that is none, a match that makes no sense.
absl::Status CheckTerms(const ProposalTerms& terms);

std::string EncodeTerms(const ProposalTerms& terms);
// INTERNAL for bytes that no encoder wrote.
absl::StatusOr<ProposalTerms> DecodeTerms(std::string_view bytes);
absl::StatusOr<Proposal> ReadProposal(storage::ProposalRecord record);

std::string EncodeProposal(const storage::ProposalRecord& record);
absl::StatusOr<storage::ProposalRecord> DecodeProposal(std::string_view bytes);

// Whether a proposal exists for this player (nil: somebody unknown).
bool MaySee(const storage::ProposalRecord& record, PlayerId viewer);
// NOT_FOUND.
absl::Status NoSuchProposal();
// PROPOSAL_CLOSED with the state.
absl::Status ProposalClosed(storage::ProposalState state);

// A game on these terms that nobody asked for yet: rules, options and game terms.
CreateGame GameOn(const ProposalTerms& terms);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_PROPOSAL_H_
