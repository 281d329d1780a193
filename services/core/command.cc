#include "services/core/command.h"

#include <algorithm>
#include <utility>

#include "services/base/status.h"
#include "services/core/judges.h"
#include "services/core/log_writer.h"

namespace astragal::core {
namespace {

using algorithms::DiceSource;
using base::Error;
using base::Reason;

absl::Status CheckStale(const GameState& state, const Command& command) {
  if (!command.expected_sequence) return absl::OkStatus();
  if (*command.expected_sequence > state.sequence) {
    return Error(Reason::kSequenceUnknown, "the log does not reach the expected sequence")
        .With("current_sequence", state.sequence)
        .With("restore_epoch", state.facts->restore_epoch);
  }
  if (*command.expected_sequence < state.changed_sequence) {
    return Error(Reason::kStaleSequence, "the game has moved on since the expected sequence")
        .With("current_sequence", state.sequence);
  }
  return absl::OkStatus();
}

absl::StatusOr<int> CheckPlaying(const GameState& state, PlayerId player) {
  const std::optional<int> seat = state.SeatOf(player);
  if (!seat) return Error(Reason::kNotSeated, "you hold no seat in this game");
  if (absl::Status over = CheckRunning(state); !over.ok()) return over;
  if (!state.IsIn(*seat)) return Error(Reason::kNotSeated, "your seat has left this game");
  return *seat;
}

// Whose time is up may do nothing more, nor may anybody else until the game has said so.
absl::Status CheckTime(const LogWriter& log) {
  if (!log.IsPastDeadline()) return absl::OkStatus();
  return Error(Reason::kTimeExpired, "the time of the seat to act is up")
      .With("seat", log.draft().proceedings.clock.running)
      .With("server_time_ms", log.at().micros / 1'000)
      .With("deadline_ms", DeadlineOf(log.draft())->micros / 1'000);
}

// Of a seat of a running game, that is up to date and in time.
absl::Status Act(LogWriter& log, int seat, const Play& play) { return JudgePlay(log, seat, play); }
absl::Status Act(LogWriter& log, int seat, const Undo& undo) { return JudgeUndo(log, seat, undo); }
absl::Status Act(LogWriter& log, int seat, const EndTurn&) { return JudgeEndTurn(log, seat); }
absl::Status Act(LogWriter& log, int seat, const MakeOffer& offer) {
  return JudgeOffer(log, seat, offer);
}
absl::Status Act(LogWriter& log, int seat, const AnswerOffer& answer) {
  return JudgeAnswer(log, seat, answer);
}
absl::Status Act(LogWriter& log, int seat, const Resign&) { return JudgeResign(log, seat); }

// Which guards a command has, and who judges it. A new command without either does not compile.
struct Judges {
  LogWriter& log;
  const Command& command;

  absl::Status operator()(const Join& join) const { return JudgeJoin(log, command.player, join); }
  absl::Status operator()(const Leave&) const { return JudgeLeave(log, command.player); }
  absl::Status operator()(const Abort&) const { return JudgeAbort(log, command.player); }
  absl::Status operator()(const Expire&) const { return JudgeExpire(log); }
  absl::Status operator()(const Pledge& pledge) const {
    return JudgePledge(log, command.player, pledge);
  }
  absl::Status operator()(const Contribute& contribute) const {
    return JudgeContribute(log, command.player, contribute);
  }
  absl::Status operator()(const Claim&) const {
    const absl::StatusOr<int> seat = CheckPlaying(log.draft(), command.player);
    return seat.ok() ? JudgeClaim(log) : seat.status();
  }
  template <typename OfSeat>
  absl::Status operator()(const OfSeat& what) const {
    const absl::StatusOr<int> seat = CheckPlaying(log.draft(), command.player);
    if (!seat.ok()) return seat.status();
    absl::Status status = CheckStale(log.draft(), command);
    if (status.ok()) status = CheckTime(log);
    return status.ok() ? Act(log, *seat, what) : status;
  }
};

absl::Status Judge(LogWriter& log, const Command& command) {
  const GameState& draft = log.draft();
  const bool annuls = std::holds_alternative<Abort>(command.what) && command.player.is_nil();
  const bool by_server = annuls || std::holds_alternative<Expire>(command.what);
  if (!by_server && !MaySee(*draft.facts, draft.seats, command.player)) return NoSuchGame();
  return std::visit(Judges{log, command}, command.what);
}

// Records that another build of the same rules version goes on with the game.
absl::Status NoteBuild(LogWriter& log) {
  const std::string& build = log.draft().ruleset->build().sha256;
  if (build == log.draft().build) return absl::OkStatus();
  return log.Write(EventKind::kBuild, -1, 0, EncodeBuild(build));
}

absl::Status NoteCredit(LogWriter& log, int64_t credit_us) {
  const int seat = log.draft().proceedings.clock.running;
  if (credit_us <= 0 || seat < 0) return absl::OkStatus();
  return log.Write(EventKind::kCredited, seat, credit_us);
}

// A look at a deadline that was moved by a credit has done its work with that.
bool IsNothingButCredit(const Command& command, const absl::Status& status, int64_t credit_us) {
  return credit_us > 0 && std::holds_alternative<Expire>(command.what) &&
         base::ReasonOf(status) == Reason::kNothingToClaim;
}

}  // namespace

absl::Status CheckRunning(const GameState& state) {
  if (state.status == GameStatus::kRunning) return absl::OkStatus();
  if (state.status == GameStatus::kOpen) {
    return Error(Reason::kGameNotRunning, "the game waits for players");
  }
  if (state.status == GameStatus::kContributing) {
    return Error(Reason::kGameNotRunning, "the game waits for contributions to its dice");
  }
  return Error(Reason::kGameOver, "the game is over")
      .With("ending", static_cast<int64_t>(state.ending));
}

void CountPlay(const Plan& plan) {
  if (plan.after.ruleset == nullptr) return;
  uint64_t actions = 0;
  host::Usage& usage = plan.after.ruleset->usage();
  for (const EventView& event : plan.events) {
    switch (event.record.kind) {
      case EventKind::kAction:
        ++actions;
        break;
      case EventKind::kStarted:
        usage.games_started.fetch_add(1, std::memory_order_relaxed);
        break;
      case EventKind::kFinished:
        usage.games_ended.fetch_add(1, std::memory_order_relaxed);
        break;
      default:
        break;
    }
  }
  if (actions > 0) usage.actions.fetch_add(actions, std::memory_order_relaxed);
}

absl::StatusOr<Plan> PlanCreation(const NewGame& game, std::shared_ptr<const host::Ruleset> ruleset,
                                  const DiceSource& dice) {
  absl::StatusOr<GameState> start = StartState(game.facts, std::move(ruleset));
  if (!start.ok()) return start.status();
  LogWriter log(*std::move(start), game.facts.created_at, dice);
  absl::Status status =
      log.Write(EventKind::kCreated, -1, game.facts.seats, EncodeCreated(game.facts));
  if (status.ok() && game.invite_contributions) status = log.Write(EventKind::kInvited, -1, 0);
  if (status.ok()) status = SeatPlayers(log, game.players);
  if (!status.ok()) return status;
  return log.Take(game.facts.created_by, game.request, game.body_hash);
}

absl::StatusOr<Plan> PlanCommand(const GameState& state, const Command& command,
                                 const DiceSource& dice, Instant now, int64_t credit_us,
                                 int64_t measured_lag_us) {
  // The log's clock does not go back, whatever the nodes' clocks do.
  LogWriter log(state, std::max(now, state.updated_at), dice, command.validate_only,
                measured_lag_us);
  absl::Status status = NoteBuild(log);
  if (status.ok()) status = NoteCredit(log, credit_us);
  if (!status.ok()) return status;
  status = Judge(log, command);
  if (!status.ok() && !IsNothingButCredit(command, status, credit_us)) return status;
  return log.Take(command.player, command.request, command.body_hash);
}

}  // namespace astragal::core
