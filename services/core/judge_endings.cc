#include "services/base/status.h"
#include "services/core/judges.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;

// A seat stops playing and concedes the most that could be lost. The others go on where the
// ruleset can.
absl::Status Concede(LogWriter& log, int seat, EventKind kind, Ending ending) {
  const GameState& draft = log.draft();
  const absl::StatusOr<host::ConcessionRange> range =
      draft.ruleset->Concession(draft.position, seat);
  if (!range.ok()) return range.status();
  const absl::Status gone = log.Write(kind, seat, range->most);
  if (!gone.ok()) return gone;
  if (draft.ruleset->about().has_leave) return log.Continue(ending);
  return FinishAgainst(log, seat, ending, range->most);
}

// The time of the seat to act is up.
absl::Status TimeOut(LogWriter& log) {
  const GameState& draft = log.draft();
  if (InFirstTurn(draft.facts->terms.clock, draft.proceedings.clock)) {
    return log.FinishWithoutResult(Ending::kNotBegun);
  }
  return Concede(log, draft.proceedings.clock.running, EventKind::kTimedOut, Ending::kTimedOut);
}

}  // namespace

absl::Status FinishAgainst(LogWriter& log, int loser, Ending ending, int64_t points) {
  std::vector<SeatRecord> seats = log.draft().seats;
  for (SeatRecord& record : seats) {
    const bool lost = record.seat == loser;
    record.place = lost ? static_cast<int32_t>(seats.size()) : 1;
    record.points = lost ? 0 : points;
  }
  return log.Finish(ending, std::move(seats));
}

absl::Status JudgeResign(LogWriter& log, int seat) {
  return Concede(log, seat, EventKind::kResigned, Ending::kResigned);
}

absl::Status JudgeAbort(LogWriter& log, PlayerId player) {
  const GameState& draft = log.draft();
  if (player.is_nil()) {  // the server, for a moderator: at any time before the end
    const absl::Status wrong =
        draft.status == GameStatus::kOpen ? absl::OkStatus() : CheckRunning(draft);
    return wrong.ok() ? log.FinishWithoutResult(Ending::kAborted) : wrong;
  }
  const bool creates = draft.facts->created_by == player;
  if (!draft.SeatOf(player) && !creates) {
    return Error(Reason::kNotSeated, "you neither created this game nor hold a seat in it");
  }
  if (draft.status == GameStatus::kOpen) {
    if (creates) return log.FinishWithoutResult(Ending::kAborted);
    return Error(Reason::kGameNotRunning, "the game waits for players: leave it instead");
  }
  if (draft.status == GameStatus::kContributing) {
    return log.FinishWithoutResult(Ending::kAborted);
  }
  if (absl::Status wrong = CheckRunning(draft); !wrong.ok()) return wrong;
  if (!draft.SeatOf(player)) return Error(Reason::kNotSeated, "you hold no seat in this game");
  // Whoever does not like the first throw could try another one.
  if (!draft.facts->terms.match.is_nil()) {
    return Error(Reason::kGameBegun, "a game of a match is called off by agreement: offer it");
  }
  if (draft.proceedings.acted) {
    return Error(Reason::kGameBegun, "an action was taken: offer to abort, or resign");
  }
  return log.FinishWithoutResult(Ending::kAborted);
}

absl::Status JudgeClaim(LogWriter& log) {
  const GameState& draft = log.draft();
  const std::optional<Instant> deadline = DeadlineOf(draft);
  if (log.IsPastDeadline()) return TimeOut(log);
  const Instant claimable{draft.updated_at.micros + kClaimAfterMs * 1'000};
  if (!deadline && claimable <= log.at()) {
    return Concede(log, draft.Actor(), EventKind::kTimedOut, Ending::kAbandoned);
  }
  const Instant when = deadline.value_or(claimable);
  return Error(Reason::kNothingToClaim, "the seat to act has time left")
      .With("claim_time_ms", when.micros / 1'000);
}

absl::Status JudgeExpire(LogWriter& log) {
  const GameState& draft = log.draft();
  if (!log.IsPastDeadline()) {
    return Error(Reason::kNothingToClaim, "nobody's time is up");
  }
  if (draft.status == GameStatus::kContributing) return StopWaitingForContributions(log);
  const bool waits = draft.status == GameStatus::kOpen;
  return waits ? log.FinishWithoutResult(Ending::kNotFilled) : TimeOut(log);
}

}  // namespace astragal::core
