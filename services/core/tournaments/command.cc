#include "services/core/tournaments/command.h"

#include <algorithm>
#include <array>
#include <utility>

#include "services/core/tournaments/formats.h"
#include "services/core/tournaments/judging.h"
#include "services/core/tournaments/next_stage.h"
#include "services/core/tournaments/rounds.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;
using Kind = TournamentEntryKind;
using Status = TournamentStatus;

constexpr size_t kMaxReason = 500;
// How often matches are looked at while a round is played.
constexpr int64_t kResultsEveryUs = 500'000;
// How often it is looked whether a match is rated whose rating is to follow an override.
constexpr int64_t kRatingsEveryUs = 10'000'000;

// Who may.
enum class Who : uint8_t {
  kAnybody,   // the command says more
  kHimself,   // a player for himself, and directors
  kDeputy,    // those who enter results, and directors
  kDirector,  // and the owner, and the server
  kOwner,
  kServer,
};

constexpr unsigned In(Status status) { return 1u << static_cast<unsigned>(status); }
constexpr unsigned kBefore = In(Status::kDraft) | In(Status::kRegistration) | In(Status::kCheckIn);
constexpr unsigned kOpen = In(Status::kRegistration) | In(Status::kCheckIn);
constexpr unsigned kPlayed = In(Status::kRunning) | In(Status::kPaused);
constexpr unsigned kAlive = kBefore | kPlayed;

struct Rule {
  Kind kind;
  Who who;
  unsigned states;
  Judge judge;
  bool needs_reason = false;
  int level = 0;  // of the warning that always comes with it; 0: none
  const char* code = "";
  const char* warning = "";
};

constexpr std::array kRules = {
    Rule{Kind::kRegistrationOpened, Who::kDirector, In(Status::kDraft), JudgeWhole},
    Rule{Kind::kRegistered, Who::kHimself, kOpen | In(Status::kRunning), JudgeRegistered},
    Rule{Kind::kCheckInOpened, Who::kDirector, In(Status::kRegistration), JudgeWhole},
    Rule{Kind::kCheckedIn, Who::kHimself, In(Status::kCheckIn), JudgePlayer},
    Rule{Kind::kStarted, Who::kDirector, kOpen, JudgeStarted},
    Rule{Kind::kRoundDrafted, Who::kDirector, kPlayed, JudgeDrafted},
    Rule{Kind::kRoundPublished, Who::kDirector, In(Status::kRunning), JudgePublished},
    Rule{Kind::kRoundUnpublished, Who::kDirector, kPlayed, JudgeUnpublished, true, 4,
         "MATCHES_VOID", "the matches of the round that have begun count for nothing"},
    Rule{Kind::kResults, Who::kServer, kPlayed | In(Status::kFinished), JudgeResults},
    Rule{Kind::kResultOverridden, Who::kDeputy, kPlayed | In(Status::kFinished), JudgeOverridden,
         true},
    Rule{Kind::kRatingCorrected, Who::kServer,
         kPlayed | In(Status::kFinished) | In(Status::kCancelled), JudgeRatingCorrected},
    Rule{Kind::kReplayed, Who::kDirector, kPlayed, JudgeReplayed, true},
    Rule{Kind::kRoundClosed, Who::kDirector, kPlayed, JudgeClosed},
    Rule{Kind::kFinished, Who::kDirector, kPlayed, JudgeFinished},
    Rule{Kind::kReopened, Who::kOwner, In(Status::kFinished), JudgeWhole, true, 4,
         "STANDINGS_OPEN_AGAIN", "the final standings are not final any more"},
    Rule{Kind::kCancelled, Who::kDirector, kAlive, JudgeWhole, true, 4, "ENDS_WITHOUT_STANDINGS",
         "the tournament ends without final standings, for good"},
    Rule{Kind::kPaused, Who::kDirector, In(Status::kRunning), JudgeWhole},
    Rule{Kind::kResumed, Who::kDirector, In(Status::kPaused), JudgeWhole},
    Rule{Kind::kWithdrawn, Who::kHimself, kAlive, JudgeWithdrawn},
    Rule{Kind::kPlayerPaused, Who::kHimself, kPlayed, JudgePlayer},
    Rule{Kind::kPlayerReturned, Who::kHimself, kPlayed, JudgePlayer},
    Rule{Kind::kExpelled, Who::kDirector, kAlive, JudgePlayer, true, 4, "OUT_OF_STANDINGS",
         "the player leaves the standings; the opponents keep their points"},
    Rule{Kind::kByeRequested, Who::kHimself, kAlive, JudgeBye},
    Rule{Kind::kRoundsChanged, Who::kDirector, kPlayed, JudgeRoundsChanged, true, 4,
         "ROUNDS_CHANGED", "the players came for another number of rounds"},
    Rule{Kind::kTieBreaksChanged, Who::kDirector, kAlive, JudgeTieBreaksChanged, true},
    Rule{Kind::kPairForbidden, Who::kDirector, kAlive, JudgePairForbidden, true},
    Rule{Kind::kAdjusted, Who::kDirector, kPlayed | In(Status::kFinished), JudgeAdjusted, true},
    Rule{Kind::kChallenged, Who::kAnybody, In(Status::kRunning), JudgeChallenged},
    Rule{Kind::kRoleGiven, Who::kOwner, kAlive, JudgeRole},
    Rule{Kind::kNextStageCreated, Who::kServer, kPlayed | In(Status::kFinished), JudgeNextStage},
};

bool May(const TournamentState& state, const TournamentCommand& command, Who who) {
  if (command.by.is_nil()) return true;
  const TournamentRole role = state.RoleOf(command.by);
  if (role == TournamentRole::kOwner) return who != Who::kServer;
  switch (who) {
    case Who::kAnybody:
      return true;
    case Who::kHimself:
      return role == TournamentRole::kDirector || command.player.is_nil() ||
             command.player == command.by;
    case Who::kDeputy:
      return role == TournamentRole::kDirector || role == TournamentRole::kDeputy;
    case Who::kDirector:
      return role == TournamentRole::kDirector;
    case Who::kOwner:
    case Who::kServer:
      return false;
  }
  return false;
}

absl::Status CheckCommand(const TournamentState& state, const TournamentCommand& command,
                          const Rule& rule) {
  if (!May(state, command, rule.who)) {
    return Error(Reason::kScopeMissing, "your role in this tournament does not allow that");
  }
  if (const std::optional<uint32_t> seen = command.expected_version) {
    if (*seen < state.changed_version || *seen > state.version) {
      return Error(Reason::kStaleVersion, "the tournament has moved on")
          .With("current_version", static_cast<int64_t>(state.version));
    }
  }
  if ((rule.states & In(state.status)) == 0) {
    return WrongState("the tournament is not in a state for this")
        .With("status", static_cast<int64_t>(state.status));
  }
  if (command.reason.size() > kMaxReason) return WrongField("reason", "is too long");
  const bool by_staff = state.RoleOf(command.by) != TournamentRole::kPlayer;
  if (rule.needs_reason && by_staff && command.reason.empty()) {
    return WrongField("reason", "is required");
  }
  return absl::OkStatus();
}

absl::Status CheckWarnings(const TournamentPlan& plan, const TournamentCommand& command) {
  if (command.validate_only || command.by.is_nil()) return absl::OkStatus();
  std::string codes, texts;
  for (const TournamentWarning& warning : plan.warnings) {
    if (std::ranges::find(command.accepts, warning.code) != command.accepts.end()) continue;
    codes += (codes.empty() ? "" : ",") + warning.code;
    texts += (texts.empty() ? "" : "; ") + warning.text;
  }
  if (codes.empty()) return absl::OkStatus();
  return Error(base::kWarningsNotAccepted, texts).With("warnings", codes);
}

TournamentCommand Step(Kind kind) {
  TournamentCommand command;
  command.kind = kind;
  return command;
}

int64_t CountOpen(const TournamentState& state) {
  size_t open = 0;
  for (const TournamentRound& round : state.rounds) {
    if (round.stage != RoundStage::kDrafted) open += round.Open();
  }
  return static_cast<int64_t>(open);
}

// When registration ends.
base::Instant CheckInAt(const TournamentTerms& terms) {
  return {terms.starts_at->micros - terms.check_in_ms * 1'000};
}

base::Instant PublishAt(const TournamentState& state, const TournamentRound& draft) {
  return {draft.drafted_at.micros + state.terms.pause_ms * 1'000};
}

TournamentCommand StartOrCancel(const TournamentState& state) {
  return Step(SeedingOf(state).size() >= 2 ? Kind::kStarted : Kind::kCancelled);
}

// Boards that are open when the grace is over count for nothing.
TournamentCommand Void(const TournamentState& state, size_t round) {
  TournamentCommand command = Step(Kind::kResults);
  command.round = static_cast<int>(round) + 1;
  const std::vector<TournamentBoard>& boards = state.rounds[round].boards;
  for (size_t i = 0; i < boards.size(); ++i) {
    if (!boards[i].IsOpen()) continue;
    command.results.push_back({static_cast<uint32_t>(i) + 1,
                               algorithms::Outcome::kZeroBye,
                               algorithms::Outcome::kZeroBye,
                               {}});
  }
  return command;
}

bool IsOver(const TournamentState& state, base::Instant now) {
  return state.EndsAt() && now >= *state.EndsAt();
}

bool GraceIsOver(const TournamentState& state, base::Instant now) {
  return state.EndsAt() && now.micros >= state.EndsAt()->micros + GraceMs(state) * 1'000;
}

base::Instant NextWaveAt(const TournamentState& state) {
  if (state.rounds.empty()) return state.started_at;
  return {state.rounds.back().drafted_at.micros + kWaveMs * 1'000};
}

// Rounds overlap: waves of an arena begin while others are played.
std::optional<TournamentCommand> NextOfOpenEnded(const TournamentState& state, base::Instant now) {
  for (size_t round = 0; round < state.rounds.size(); ++round) {
    if (state.rounds[round].stage != RoundStage::kPlaying) continue;
    if (state.rounds[round].Open() > 0 && GraceIsOver(state, now)) return Void(state, round);
    if (state.rounds[round].Open() > 0) continue;
    TournamentCommand close = Step(Kind::kRoundClosed);
    close.round = static_cast<int>(round) + 1;
    return close;
  }
  if (IsOver(state, now)) {
    if (CountOpen(state) > 0) return std::nullopt;
    return Step(Kind::kFinished);
  }
  if (state.terms.format != TournamentFormat::kArena || !state.terms.automatic) return std::nullopt;
  const TournamentRound* const current = state.Current();
  if (current != nullptr && current->stage == RoundStage::kDrafted) {
    return Step(Kind::kRoundPublished);
  }
  if (now < NextWaveAt(state)) return std::nullopt;
  const absl::StatusOr<TournamentRound> wave = DraftRound(state);
  if (!wave.ok() || wave->boards.empty()) return std::nullopt;
  return Step(Kind::kRoundDrafted);
}

std::optional<TournamentCommand> NextOfRunning(const TournamentState& state, base::Instant now) {
  if (IsOpenEnded(state.terms.format)) return NextOfOpenEnded(state, now);
  const TournamentRound* const current = state.Current();
  const bool automatic = state.terms.automatic;
  if (current != nullptr && current->stage == RoundStage::kPlaying) {
    if (current->Open() == 0) return Step(Kind::kRoundClosed);
    return std::nullopt;
  }
  if (!automatic) return std::nullopt;
  if (current != nullptr) {
    if (now < PublishAt(state, *current)) return std::nullopt;
    return Step(Kind::kRoundPublished);
  }
  if (HasNextRound(state)) return Step(Kind::kRoundDrafted);
  if (CountOpen(state) > 0) return std::nullopt;
  return Step(Kind::kFinished);
}

}  // namespace

base::Error WrongState(std::string_view why) { return Error(base::kTournamentState, why); }

base::Error WrongField(std::string_view field, std::string_view why) {
  return Error(Reason::kBadField, std::string(field) + " " + std::string(why)).With("field", field);
}

bool Judging::ByStaff() const {
  const TournamentRole role = state().RoleOf(command.by);
  return ByServer() || role == TournamentRole::kOwner || role == TournamentRole::kDirector;
}

absl::Status Judging::Write(TournamentEntry entry) {
  entry.version = plan.after.version + 1;
  entry.at = now;
  entry.by = command.by;
  if (plan.entries.empty()) {
    entry.reason = command.reason;
    entry.request = command.request;
    entry.body_hash = command.body_hash;
  }
  const absl::Status applied = Apply(entry, plan.after);
  plan.entries.push_back(std::move(entry));
  return applied;
}

absl::StatusOr<TournamentPlan> PlanCommand(const TournamentState& state,
                                           const TournamentCommand& command, base::Instant now) {
  const auto rule = std::ranges::find(kRules, command.kind, &Rule::kind);
  if (rule == kRules.end()) return Error(Reason::kInternal, "no such command of tournaments");
  if (absl::Status right = CheckCommand(state, command, *rule); !right.ok()) return right;
  TournamentPlan plan;
  plan.after = state;
  Judging judging{command, now, plan};
  if (rule->level > 0) judging.Warn(rule->level, rule->code, rule->warning);
  if (absl::Status judged = rule->judge(judging); !judged.ok()) return judged;
  if (absl::Status accepted = CheckWarnings(plan, command); !accepted.ok()) return accepted;
  return plan;
}

std::optional<TournamentCommand> NextStep(const TournamentState& state, base::Instant now) {
  const TournamentTerms& terms = state.terms;
  switch (state.status) {
    case Status::kRegistration:
      if (!terms.starts_at) {
        // The field is full: there is nothing to wait for.
        const bool full = terms.most_players > 0 && SeedingOf(state).size() >= terms.most_players;
        if (full && terms.automatic) return Step(Kind::kStarted);
        return std::nullopt;
      }
      if (now < CheckInAt(terms)) return std::nullopt;
      return terms.check_in_ms > 0 ? Step(Kind::kCheckInOpened) : StartOrCancel(state);
    case Status::kCheckIn:
      if (!terms.starts_at || now < *terms.starts_at) return std::nullopt;
      return StartOrCancel(state);
    case Status::kRunning:
      return NextOfRunning(state, now);
    default:
      return std::nullopt;
  }
}

namespace {

std::optional<base::Instant> NextLookAtRounds(const TournamentState& state, base::Instant now) {
  if (NextStep(state, now) || OwesNextStage(state)) return now;
  if (state.status == Status::kRegistration && state.terms.starts_at) return CheckInAt(state.terms);
  if (state.status == Status::kCheckIn) return state.terms.starts_at;
  if (!state.HasStarted() || state.status == Status::kCancelled) return std::nullopt;
  if (CountOpen(state) > 0) return base::Instant{now.micros + kResultsEveryUs};
  if (state.status == Status::kRunning && IsOpenEnded(state.terms.format)) {
    // Players come and go: it is looked whether two wait.
    const bool arena = state.terms.format == TournamentFormat::kArena;
    if (arena) return std::max(NextWaveAt(state), base::Instant{now.micros + kResultsEveryUs});
    return state.EndsAt();
  }
  const TournamentRound* const current = state.Current();
  const bool waits = state.status == Status::kRunning && state.terms.automatic &&
                     current != nullptr && current->stage == RoundStage::kDrafted;
  if (waits) return PublishAt(state, *current);
  return std::nullopt;
}

}  // namespace

std::optional<base::Instant> NextLook(const TournamentState& state, base::Instant now) {
  const std::optional<base::Instant> look = NextLookAtRounds(state, now);
  if (state.ratings_due.empty()) return look;
  // At once, when the override is new; then whenever the match may have been rated.
  const bool fresh = now.micros < state.ratings_due.back().at.micros + kRatingsEveryUs;
  const base::Instant again{now.micros + (fresh ? kResultsEveryUs : kRatingsEveryUs)};
  return look ? std::min(*look, again) : again;
}

}  // namespace astragal::core
