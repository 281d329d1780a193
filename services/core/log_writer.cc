#include "services/core/log_writer.h"

#include <utility>

#include "services/base/status.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;

// The ruleset carried an action out and cannot say what it was: that is never the caller's mistake.
absl::Status Unexplained(const absl::Status& why) {
  if (base::ReasonOf(why) == Reason::kRulesetFault) return why;
  return Error(Reason::kRulesetFault, std::string(why.message()));
}

}  // namespace

absl::Status LogWriter::Write(EventKind kind, int seat, int64_t number, std::string detail) {
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
  absl::StatusOr<EventView> view = ViewOf(before, draft_, event);
  if (!view.ok()) return Unexplained(view.status());
  events_.push_back(*std::move(view));
  return absl::OkStatus();
}

int64_t LogWriter::LagCreditNow() const {
  return LagCredit(draft_.facts->terms.clock, draft_.proceedings.clock, measured_lag_us_, at_);
}

bool LogWriter::IsPastDeadline() const {
  const std::optional<Instant> deadline = DeadlineOf(draft_);
  return deadline && deadline->micros + LagCreditNow() <= at_.micros;
}

absl::Status LogWriter::Continue(Ending ending) {
  const host::Ruleset& ruleset = *draft_.ruleset;
  const algorithms::DiceSource dice = DiceOf(draft_, dice_.secret);
  while (draft_.Actor() == host::kChance) {
    // Whoever only asks, by whatever command, must not see a throw that is not made yet.
    if (validate_only_) return absl::OkStatus();
    const std::optional<int> kind = ruleset.ThrowKind(draft_.position);
    if (!kind) return Error(Reason::kRulesetFault, "chance is to act and nothing is thrown");
    const host::ThrowKind& thrown = ruleset.about().throw_kinds[static_cast<size_t>(*kind)];
    const int outcome = DrawOutcome(dice, draft_.throws_drawn, thrown.weights);
    const absl::Status written = Write(EventKind::kThrow, -1, host::ChanceAction(*kind, outcome));
    if (!written.ok()) return written;
  }
  const int actor = draft_.Actor();
  if (actor == host::kBroken) return Error(Reason::kRulesetFault, "nobody is to act");
  if (actor == host::kOver) return FinishByRules(ending);
  return absl::OkStatus();
}

absl::Status LogWriter::FinishByRules(Ending ending) {
  absl::StatusOr<std::vector<host::SeatResult>> result = draft_.ruleset->Result(draft_.position);
  if (!result.ok()) return result.status();
  std::vector<SeatRecord> seats = draft_.seats;
  for (size_t i = 0; i < seats.size() && i < result->size(); ++i) {
    seats[i].place = (*result)[i].place;
    seats[i].points = (*result)[i].points;
  }
  return Finish(ending, std::move(seats));
}

absl::Status LogWriter::FinishWithoutResult(Ending ending) {
  std::vector<SeatRecord> seats = draft_.seats;
  for (SeatRecord& seat : seats) {
    seat.place = 0;
    seat.points = 0;
  }
  return Finish(ending, std::move(seats));
}

absl::Status LogWriter::Finish(Ending ending, std::vector<SeatRecord> seats) {
  return Write(EventKind::kFinished, -1, static_cast<int64_t>(ending),
               EncodeFinish({std::move(seats), dice_.secret}));
}

Plan LogWriter::Take(PlayerId player, RequestId request, const Bytes32& body_hash) {
  if (!events_.empty()) {
    events_.front().record.request =
        storage::RequestStamp{player, request, body_hash, static_cast<uint16_t>(events_.size())};
  }
  return Plan{std::move(draft_), std::move(events_)};
}

}  // namespace astragal::core
