#include <string>

#include "services/base/status.h"
#include "services/core/judges.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;

std::string FieldOf(size_t index) { return "actions[" + std::to_string(index) + "]"; }

absl::StatusOr<int64_t> Number(const GameState& draft, int seat, const ActionChoice& choice) {
  if (const int64_t* number = std::get_if<int64_t>(&choice)) return *number;
  return draft.ruleset->Parse(draft.position, seat, std::get<std::string>(choice));
}

// Adds how many legal actions there are to what the ruleset says.
absl::Status Illegal(const GameState& draft, size_t index, const absl::Status& why) {
  if (base::ReasonOf(why) == Reason::kRulesetFault) return why;
  const absl::StatusOr<std::vector<int64_t>> legal = draft.ruleset->Actions(draft.position);
  return Error(Reason::kIllegalAction, std::string(why.message()))
      .With("field", FieldOf(index))
      .With("legal_actions", legal.ok() ? static_cast<int64_t>(legal->size()) : 0);
}

absl::Status BadNotation(size_t index, const absl::Status& why) {
  if (base::ReasonOf(why) != Reason::kBadNotation) return why;
  return Error(Reason::kBadNotation, std::string(why.message())).With("field", FieldOf(index));
}

absl::Status CheckTurn(const GameState& state, int seat) {
  if (state.Actor() == seat) return absl::OkStatus();
  return Error(Reason::kNotYourTurn, "another seat is to act").With("seats_to_act", state.Actor());
}

// The seat's by the rules; a turn that is only kept open has no action left.
bool MayAct(const GameState& draft, int seat) {
  return draft.ruleset->Actor(draft.position) == seat;
}

absl::Status PlayOne(LogWriter& log, int seat, size_t index, const ActionChoice& choice,
                     bool keeps_turn) {
  const GameState& draft = log.draft();
  if (!MayAct(draft, seat)) {
    return Illegal(draft, index, absl::FailedPreconditionError("the turn was over before it"));
  }
  if (draft.proceedings.turn.actions.size() >= kMaxActionsPerCall) {
    return Error(Reason::kRulesetFault, "a turn has no end");
  }
  const absl::StatusOr<int64_t> number = Number(draft, seat, choice);
  if (!number.ok()) return BadNotation(index, number.status());
  // A refused action leaves the draft's position as it was.
  const absl::Status played =
      log.Write(EventKind::kAction, seat, *number, EncodeAction({keeps_turn, log.LagCreditNow()}));
  return played.ok() ? played : Illegal(draft, index, played);
}

absl::Status CheckCount(size_t actions) {
  if (actions >= 1 && actions <= kMaxActionsPerCall) return absl::OkStatus();
  return Error(Reason::kBadField,
               "a call plays 1 to " + std::to_string(kMaxActionsPerCall) + " actions")
      .With("field", "actions");
}

}  // namespace

absl::Status JudgePlay(LogWriter& log, int seat, const Play& play) {
  if (absl::Status wrong = CheckCount(play.actions.size()); !wrong.ok()) return wrong;
  if (absl::Status wrong = CheckTurn(log.draft(), seat); !wrong.ok()) return wrong;
  for (size_t i = 0; i < play.actions.size(); ++i) {
    const absl::Status played = PlayOne(log, seat, i, play.actions[i], !play.end_turn);
    if (!played.ok()) return played;
  }
  const bool goes_on = play.end_turn || log.draft().Actor() == host::kOver;
  return goes_on ? log.Continue(Ending::kPlayed) : absl::OkStatus();
}

absl::Status JudgeUndo(LogWriter& log, int seat, const Undo& undo) {
  if (absl::Status wrong = CheckTurn(log.draft(), seat); !wrong.ok()) return wrong;
  const size_t steps = log.draft().proceedings.turn.actions.size();
  if (undo.count < 1) {
    return Error(Reason::kBadField, "at least one action is taken back").With("field", "count");
  }
  if (static_cast<size_t>(undo.count) > steps) {
    return Error(Reason::kNothingToUndo, "the turn has fewer actions that can be taken back")
        .With("actions", static_cast<int64_t>(steps));
  }
  if (log.draft().proceedings.turn.undone >= kMaxUndosPerTurn) {
    return Error(Reason::kNothingToUndo, "this turn was taken back too often: its actions stand");
  }
  return log.Write(EventKind::kUndone, seat, undo.count);
}

absl::Status JudgeEndTurn(LogWriter& log, int seat) {
  const GameState& draft = log.draft();
  if (absl::Status wrong = CheckTurn(draft, seat); !wrong.ok()) return wrong;
  if (MayAct(draft, seat)) {
    const absl::StatusOr<std::vector<int64_t>> legal = draft.ruleset->Actions(draft.position);
    return Error(Reason::kTurnNotOver, "the rules ask for another action in this turn")
        .With("legal_actions", legal.ok() ? static_cast<int64_t>(legal->size()) : 0);
  }
  const absl::Status ended = log.Write(EventKind::kTurnEnded, seat, 0);
  return ended.ok() ? log.Continue(Ending::kPlayed) : ended;
}

}  // namespace astragal::core
