#include <string>

#include "services/base/status.h"
#include "services/core/judges.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;
using storage::OfferKind;

absl::Status NotAllowed(const std::string& why) { return Error(Reason::kOfferNotAllowed, why); }

// Seats that take part still: neither gone nor, by the rules, out.
bool TakesPart(const GameState& state, int seat) {
  return state.IsIn(seat) && state.ruleset->Concession(state.position, seat).ok();
}

absl::Status CheckPoints(const GameState& state, int seat, int64_t points) {
  if (state.seats.size() != 2) {
    return NotAllowed("points are offered in games of two: at a table, resign");
  }
  const absl::StatusOr<host::ConcessionRange> range =
      state.ruleset->Concession(state.position, seat);
  if (!range.ok()) return range.status();
  if (points >= range->fewest && points <= range->most) return absl::OkStatus();
  return Error(Reason::kOfferNotAllowed, "these points cannot be what the game is worth")
      .With("fewest_points", range->fewest)
      .With("most_points", range->most);
}

absl::Status CheckOffer(const GameState& state, int seat, const MakeOffer& offer) {
  switch (offer.kind) {
    case OfferKind::kAbort:
      return absl::OkStatus();
    case OfferKind::kDraw:
      if (state.ruleset->about().has_draws) return absl::OkStatus();
      return NotAllowed("this ruleset knows no draw");
    case OfferKind::kResign:
      return CheckPoints(state, seat, offer.points);
  }
  return Error(Reason::kBadField, "no such offer").With("field", "kind");
}

bool AllAccepted(const GameState& state, const Offer& offer) {
  for (const SeatRecord& record : state.seats) {
    const bool accepted = (offer.accepted >> record.seat & 1) != 0;
    const bool concerned = record.seat != offer.seat && TakesPart(state, record.seat);
    if (concerned && !accepted) return false;
  }
  return true;
}

absl::Status FinishAsDraw(LogWriter& log) {
  std::vector<SeatRecord> seats = log.draft().seats;
  for (SeatRecord& record : seats) {
    record.place = log.draft().IsIn(record.seat) ? 1 : static_cast<int32_t>(seats.size());
    record.points = 0;
  }
  return log.Finish(Ending::kDrawAgreed, std::move(seats));
}

absl::Status CarryOut(LogWriter& log, const Offer& offer) {
  switch (offer.kind) {
    case OfferKind::kDraw:
      return FinishAsDraw(log);
    case OfferKind::kAbort:
      return log.FinishWithoutResult(Ending::kAbortAgreed);
    case OfferKind::kResign: {
      const absl::Status resigned = log.Write(EventKind::kResigned, offer.seat, offer.points);
      if (!resigned.ok()) return resigned;
      return FinishAgainst(log, offer.seat, Ending::kResigned, offer.points);
    }
  }
  return Error(Reason::kInternal, "no such offer");
}

}  // namespace

absl::Status JudgeOffer(LogWriter& log, int seat, const MakeOffer& offer) {
  const GameState& draft = log.draft();
  if (draft.proceedings.offer) {
    return Error(Reason::kOfferOpen, "an offer waits for its answer")
        .With("offering_seat", draft.proceedings.offer->seat);
  }
  if (draft.proceedings.offers >= kMaxOffersPerAction) {
    return NotAllowed("enough was offered: somebody has to act first");
  }
  if (absl::Status wrong = CheckOffer(draft, seat, offer); !wrong.ok()) return wrong;
  const int64_t points = offer.kind == OfferKind::kResign ? offer.points : 0;
  return log.Write(EventKind::kOffered, seat, OfferNumber(offer.kind, points));
}

absl::Status JudgeAnswer(LogWriter& log, int seat, const AnswerOffer& answer) {
  if (!log.draft().proceedings.offer) return Error(Reason::kNoOffer, "no offer is open");
  const Offer offer = *log.draft().proceedings.offer;
  if (answer.accept && offer.seat == seat) {
    return NotAllowed("your own offer is for the others to accept");
  }
  if (answer.accept && (offer.accepted >> seat & 1) != 0) {
    return NotAllowed("you have accepted it: the others are awaited");
  }
  const absl::Status answered = log.Write(EventKind::kAnswered, seat, answer.accept ? 1 : 0);
  if (!answered.ok() || !answer.accept) return answered;
  if (!AllAccepted(log.draft(), *log.draft().proceedings.offer)) return absl::OkStatus();
  // The offer was good in the position it was made in; since then its own seat may have acted.
  if (offer.kind == OfferKind::kResign) {
    if (absl::Status wrong = CheckPoints(log.draft(), offer.seat, offer.points); !wrong.ok()) {
      return wrong;
    }
  }
  return CarryOut(log, offer);
}

}  // namespace astragal::core
