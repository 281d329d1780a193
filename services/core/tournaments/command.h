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
#include "services/core/tournaments/state.h"

namespace astragal::core {

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
  std::vector<BoardResult> results;  // kResults
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
};

// BAD_FIELD, NOT_FOUND, SCOPE_MISSING, ALREADY_EXISTS, STALE_VERSION, TOURNAMENT_STATE, NO_PAIRING;
// WARNINGS_NOT_ACCEPTED unless it is only to be validated.
absl::StatusOr<TournamentPlan> PlanCommand(const TournamentState& state,
                                           const TournamentCommand& command, base::Instant now);

// What the server does now by itself; nullopt: nothing. (Results aside: they come from matches.)
std::optional<TournamentCommand> NextStep(const TournamentState& state, base::Instant now);
// When it should look again; nullopt: only when somebody asks for something.
std::optional<base::Instant> NextLook(const TournamentState& state, base::Instant now);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_COMMAND_H_
