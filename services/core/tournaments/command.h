// What can be asked of a tournament, by players, by directors and by the server itself, and the
// judging of it: a command and a state give a reason why not, or entries for the log.
//
// Everybody asks in the same way: the server's own steps (NextStep) are commands, too, so that what
// happens by schedule can be done by hand and is judged by the same rules. Pure; only drafting a
// round may take seconds. Any thread may call these.
#ifndef ASTRAGAL_SERVICES_CORE_TOURNAMENTS_COMMAND_H_
#define ASTRAGAL_SERVICES_CORE_TOURNAMENTS_COMMAND_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/algorithms/pairing/dutch.h"
#include "services/core/tournaments/state.h"

namespace astragal::core {

// What is known of somebody who registers.
struct EntrantFacts {
  int rating = 0;  // in the pool of the matches; 0: none
  bool provisional = true;
  int matches = 0;         // rated ones in it
  int64_t age_ms = 0;      // of the account
  int completion = 100;    // of his last games, in hundredths; looked up if asked for
  base::Bytes32 invite{};  // SHA-256 of the code that was given; zeros: none
};

struct TournamentCommand {
  TournamentEntryKind kind = TournamentEntryKind::kRegistered;
  base::PlayerId by;  // nil: the server
  base::RequestId request;
  base::Bytes32 body_hash{};
  // The version that the caller has seen; refused with STALE_VERSION if more than results came
  // since. Unset: whatever there is.
  std::optional<uint32_t> expected_version;
  std::string reason;
  bool validate_only = false;
  std::vector<std::string> accepts;  // codes of warnings

  base::PlayerId player;  // whom it concerns; nil: `by`
  base::PlayerId other;   // kPairForbidden
  int round = 0;          // 0: the current one
  uint32_t board = 0;
  int64_t number = 0;  // as in the entry
  // kRoundDrafted: the boards that a director pairs by hand; the rest is paired around them.
  // Without them the engine pairs around what is locked.
  std::vector<TournamentBoard> boards;
  // kResults; of a table also kResultOverridden.
  std::vector<BoardResult> results;
  // kTieBreaksChanged; empty: those of the format.
  std::vector<algorithms::TieBreak> tie_breaks;
  // kRegistered: where he chooses, the other one begins.
  bool begins_second = false;
  TournamentId next_stage;  // kNextStageCreated
  // kRegistered; unset: nothing is known, and conditions are not asked for.
  std::optional<EntrantFacts> facts;
  // kStarted: the list that seeds the players, "latest", "official" or a day; empty: the ratings
  // that they registered with do. `seeds` is that list, once it has been looked up.
  std::string seed_snapshot;
  std::optional<SeedList> seeds;
  // Asked now and then while a round is paired; see algorithms::GoOn. May be empty.
  algorithms::GoOn go_on;
};

// Levels as in FIDE's checklist of 2026: 2 is to be acknowledged, 3 to be confirmed, 4 to be
// confirmed with its consequences in sight.
struct TournamentWarning {
  int level = 2;
  std::string code;
  std::string text;
};

struct TournamentPlan {
  std::vector<TournamentEntry> entries;
  TournamentState after;
  std::vector<TournamentWarning> warnings;
  // kResultOverridden: how the round behind it would be paired now, if it is published and would be
  // paired otherwise. It stays as it is.
  std::vector<TournamentBoard> would_have_paired;
};

// BAD_FIELD, NOT_FOUND, SCOPE_MISSING, ALREADY_EXISTS, STALE_VERSION, TOURNAMENT_STATE, NO_PAIRING,
// what go_on says; WARNINGS_NOT_ACCEPTED unless it is only to be validated.
absl::StatusOr<TournamentPlan> PlanCommand(const TournamentState& state,
                                           const TournamentCommand& command, base::Instant now);

// What the server does now by itself; nullopt: nothing. (Results aside: they come from matches.)
std::optional<TournamentCommand> NextStep(const TournamentState& state, base::Instant now);
// When it should look again; nullopt: only when somebody asks for something.
std::optional<base::Instant> NextLook(const TournamentState& state, base::Instant now);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_COMMAND_H_
