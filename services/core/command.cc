#include "services/core/command.h"

#include <algorithm>
#include <utility>

#include "services/base/status.h"

namespace astragal::core {
namespace {

using algorithms::DiceSource;
using base::Error;
using base::Reason;

// The ruleset carried an action out and cannot say what it was: that is never the caller's mistake.
absl::Status Unexplained(const absl::Status& why) {
  if (base::ReasonOf(why) == Reason::kRulesetFault) return why;
  return Error(Reason::kRulesetFault, std::string(why.message()));
}

// Writes events one after another onto a draft and keeps what each of them meant.
class LogWriter {
 public:
  LogWriter(GameState draft, Instant at, bool validate_only = false)
      : draft_(std::move(draft)), at_(at), validate_only_(validate_only) {}

  const GameState& draft() const { return draft_; }
  bool validate_only() const { return validate_only_; }

  absl::Status Write(EventKind kind, int seat, int64_t number, std::string detail) {
    if (events_.size() >= kMaxEventsPerCommand) {
      return Error(Reason::kRulesetFault, "a command has no end");
    }
    EventRecord event;
    event.kind = kind;
    event.seat = static_cast<int8_t>(seat);
    event.number = number;
    event.detail = std::move(detail);
    event.at = at_;
    const host::Position before = draft_.position;
    if (const absl::Status appended = Append(draft_, event); !appended.ok()) return appended;
    absl::StatusOr<EventView> view = ViewOf(draft_.ruleset, before, event);
    if (!view.ok()) return Unexplained(view.status());
    events_.push_back(*std::move(view));
    return absl::OkStatus();
  }

  Plan Finish(PlayerId player, RequestId request, const Bytes32& body_hash) {
    if (!events_.empty()) {
      events_.front().record.request =
          storage::RequestStamp{player, request, body_hash, static_cast<uint16_t>(events_.size())};
    }
    return Plan{std::move(draft_), std::move(events_)};
  }

 private:
  GameState draft_;
  Instant at_;
  bool validate_only_;
  std::vector<EventView> events_;
};

absl::Status Finish(LogWriter& log, Ending ending, std::vector<SeatRecord> seats,
                    const DiceSource& dice) {
  return log.Write(EventKind::kFinished, -1, static_cast<int64_t>(ending),
                   EncodeFinish({std::move(seats), dice.secret}));
}

absl::Status FinishByResult(LogWriter& log, Ending ending, const DiceSource& dice) {
  absl::StatusOr<std::vector<host::SeatResult>> result =
      log.draft().ruleset->Result(log.draft().position);
  if (!result.ok()) return result.status();
  std::vector<SeatRecord> seats = log.draft().seats;
  for (size_t i = 0; i < seats.size() && i < result->size(); ++i) {
    seats[i].place = (*result)[i].place;
    seats[i].points = (*result)[i].points;
  }
  return Finish(log, ending, std::move(seats), dice);
}

// Draws while chance is to act, and ends the game when nobody is.
absl::Status Continue(LogWriter& log, Ending ending, const DiceSource& dice) {
  const host::Ruleset& ruleset = *log.draft().ruleset;
  while (log.draft().Actor() == host::kChance) {
    // Whoever only asks, by whatever command, must not see a throw that is not made yet.
    if (log.validate_only()) return absl::OkStatus();
    const std::optional<int> kind = ruleset.ThrowKind(log.draft().position);
    if (!kind) return Error(Reason::kRulesetFault, "chance is to act and nothing is thrown");
    const host::ThrowKind& thrown = ruleset.about().throw_kinds[static_cast<size_t>(*kind)];
    const int outcome = DrawOutcome(dice, log.draft().throws_drawn, thrown.weights);
    const absl::Status written =
        log.Write(EventKind::kThrow, -1, host::ChanceAction(*kind, outcome), {});
    if (!written.ok()) return written;
  }
  const int actor = log.draft().Actor();
  if (actor == host::kBroken) return Error(Reason::kRulesetFault, "nobody is to act");
  if (actor == host::kOver) return FinishByResult(log, ending, dice);
  return absl::OkStatus();
}

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

absl::Status CheckRunning(const GameState& state) {
  if (state.status == GameStatus::kRunning) return absl::OkStatus();
  if (state.status == GameStatus::kOpen) {
    return Error(Reason::kGameNotRunning, "the game waits for players");
  }
  return Error(Reason::kGameOver, "the game is over")
      .With("ending", static_cast<int64_t>(state.ending));
}

absl::StatusOr<int> CheckSeated(const GameState& state, PlayerId player) {
  const std::optional<int> seat = state.SeatOf(player);
  if (!seat) return Error(Reason::kNotSeated, "you hold no seat in this game");
  return *seat;
}

absl::StatusOr<int64_t> Number(const GameState& draft, int seat, const ActionChoice& choice) {
  if (const int64_t* number = std::get_if<int64_t>(&choice)) return *number;
  return draft.ruleset->Parse(draft.position, seat, std::get<std::string>(choice));
}

// Adds how many legal actions there are to what the ruleset says.
absl::Status Illegal(const GameState& draft, size_t index, const absl::Status& why) {
  if (base::ReasonOf(why) == Reason::kRulesetFault) return why;
  const absl::StatusOr<std::vector<int64_t>> legal = draft.ruleset->Actions(draft.position);
  return Error(Reason::kIllegalAction, std::string(why.message()))
      .With("field", "actions[" + std::to_string(index) + "]")
      .With("legal_actions", legal.ok() ? static_cast<int64_t>(legal->size()) : 0);
}

absl::Status BadNotation(size_t index, const absl::Status& why) {
  if (base::ReasonOf(why) != Reason::kBadNotation) return why;
  return Error(Reason::kBadNotation, std::string(why.message()))
      .With("field", "actions[" + std::to_string(index) + "]");
}

absl::Status NotYourTurn(const GameState& state) {
  return Error(Reason::kNotYourTurn, "another seat is to act").With("seats_to_act", state.Actor());
}

absl::Status PlayOne(LogWriter& log, int seat, size_t index, const ActionChoice& choice) {
  const GameState& draft = log.draft();
  if (draft.Actor() != seat) {
    if (index == 0) return NotYourTurn(draft);
    return Illegal(draft, index, absl::FailedPreconditionError("the turn was over before it"));
  }
  const absl::StatusOr<int64_t> number = Number(draft, seat, choice);
  if (!number.ok()) return BadNotation(index, number.status());
  // A refused action leaves the draft's position as it was.
  const absl::Status played = log.Write(EventKind::kAction, seat, *number, {});
  return played.ok() ? played : Illegal(draft, index, played);
}

absl::Status CheckCount(size_t actions) {
  if (actions >= 1 && actions <= kMaxActionsPerCall) return absl::OkStatus();
  return Error(Reason::kBadField,
               "a call plays 1 to " + std::to_string(kMaxActionsPerCall) + " actions")
      .With("field", "actions");
}

absl::Status PlayAll(LogWriter& log, const Play& play, int seat, const DiceSource& dice) {
  if (absl::Status wrong = CheckCount(play.actions.size()); !wrong.ok()) return wrong;
  for (size_t i = 0; i < play.actions.size(); ++i) {
    const absl::Status played = PlayOne(log, seat, i, play.actions[i]);
    if (!played.ok()) return played;
  }
  return Continue(log, Ending::kPlayed, dice);
}

absl::Status GiveUp(LogWriter& log, int seat, const DiceSource& dice) {
  const GameState& draft = log.draft();
  const absl::StatusOr<host::ConcessionRange> range =
      draft.ruleset->Concession(draft.position, seat);
  if (!range.ok()) return range.status();
  const absl::Status resigned = log.Write(EventKind::kResigned, seat, range->most, {});
  if (!resigned.ok()) return resigned;
  if (draft.ruleset->about().has_leave) return Continue(log, Ending::kResigned, dice);

  std::vector<SeatRecord> seats = draft.seats;
  for (SeatRecord& record : seats) {
    const bool lost = record.seat == seat;
    record.place = lost ? static_cast<int32_t>(seats.size()) : 1;
    record.points = lost ? 0 : range->most;
  }
  return Finish(log, Ending::kResigned, std::move(seats), dice);
}

absl::StatusOr<int> FreeSeat(const GameState& state, std::optional<int> wanted) {
  if (wanted && (*wanted < 0 || static_cast<size_t>(*wanted) >= state.seats.size())) {
    return Error(Reason::kBadField, "the game has no such seat").With("field", "seat");
  }
  for (const SeatRecord& seat : state.seats) {
    if (seat.player.is_nil() && (!wanted || *wanted == seat.seat)) return seat.seat;
  }
  return Error(Reason::kGameFull, wanted ? "that seat is taken" : "every seat is taken");
}

absl::Status TakeSeat(LogWriter& log, PlayerId player, std::optional<int> wanted,
                      const DiceSource& dice) {
  const GameState& draft = log.draft();
  if (draft.status == GameStatus::kFinished || draft.status == GameStatus::kAborted) {
    return CheckRunning(draft);
  }
  if (draft.SeatOf(player)) return Error(Reason::kAlreadySeated, "you hold a seat in this game");
  const absl::StatusOr<int> seat = FreeSeat(draft, wanted);
  if (!seat.ok()) return seat.status();
  const absl::Status seated = log.Write(EventKind::kSeated, *seat, 0, EncodePlayer(player));
  if (!seated.ok() || !draft.IsFull()) return seated;
  if (const absl::Status started = log.Write(EventKind::kStarted, -1, 0, {}); !started.ok()) {
    return started;
  }
  return Continue(log, Ending::kPlayed, dice);
}

// Records that another build of the same rules version goes on with the game.
absl::Status NoteBuild(LogWriter& log) {
  const std::string& build = log.draft().ruleset->build().sha256;
  if (build == log.draft().build) return absl::OkStatus();
  return log.Write(EventKind::kBuild, -1, 0, EncodeBuild(build));
}

}  // namespace

absl::StatusOr<Plan> PlanCreation(const NewGame& game,
                                  std::shared_ptr<const host::Ruleset> ruleset) {
  absl::StatusOr<GameState> start = StartState(game.facts, std::move(ruleset));
  if (!start.ok()) return start.status();
  LogWriter log(*std::move(start), game.facts.created_at);
  absl::Status status =
      log.Write(EventKind::kCreated, -1, game.facts.seats, EncodeCreated(game.facts));
  if (status.ok() && game.creator_seat) {
    // A game has at least two seats, so that the first one never starts it and no dice are needed.
    status = TakeSeat(log, game.facts.created_by, game.creator_seat, {});
  }
  if (!status.ok()) return status;
  return log.Finish(game.facts.created_by, game.request, game.body_hash);
}

absl::StatusOr<Plan> PlanCommand(const GameState& state, const Command& command,
                                 const DiceSource& dice, Instant now) {
  // The log's clock does not go back, whatever the nodes' clocks do.
  LogWriter log(state, std::max(now, state.updated_at), command.validate_only);
  absl::Status status = NoteBuild(log);
  if (!status.ok()) return status;
  if (const Join* join = std::get_if<Join>(&command.what)) {
    status = TakeSeat(log, command.player, join->seat, dice);
  } else {
    const absl::StatusOr<int> seat = CheckSeated(state, command.player);
    if (!seat.ok()) return seat.status();
    status = CheckRunning(state);
    if (status.ok()) status = CheckStale(state, command);
    if (!status.ok()) return status;
    if (const Play* play = std::get_if<Play>(&command.what)) {
      status = PlayAll(log, *play, *seat, dice);
    } else {
      status = GiveUp(log, *seat, dice);
    }
  }
  if (!status.ok()) return status;
  return log.Finish(command.player, command.request, command.body_hash);
}

}  // namespace astragal::core
