#include "services/cli/event_text.h"

#include <array>
#include <string_view>
#include <utility>

#include "services/cli/text.h"

namespace astragal::cli {
namespace {

using v1::Effect;
using v1::Event;
using Effects = google::protobuf::RepeatedPtrField<Effect>;

// What is worth a remark beside the notation. "%" stands for the effect's amount.
struct EffectWords {
  Effect::Kind kind;
  std::string_view words;
};
constexpr std::array kRemarks = {
    EffectWords{Effect::KIND_CAPTURE, "loses a piece"},
    EffectWords{Effect::KIND_DISCARD, "loses a throw of %"},
    EffectWords{Effect::KIND_PASS, "cannot move"},
    EffectWords{Effect::KIND_EXTRA_THROW, "throws again"},
    EffectWords{Effect::KIND_PAY, "pays %"},
    EffectWords{Effect::KIND_TAKE, "takes % from the pot"},
    EffectWords{Effect::KIND_FINISH, "finishes in place %"},
    EffectWords{Effect::KIND_STOP, "stops"},
};

std::string Filled(std::string_view words, int64_t amount) {
  std::string text(words);
  const size_t mark = text.find('%');
  if (mark != std::string::npos) text.replace(mark, 1, std::to_string(amount));
  return text;
}

// Remarks on the effects; those about `own` need no name.
std::vector<std::string> Remarks(const Effects& effects, std::optional<int> own,
                                 const Seats& seats) {
  std::vector<std::string> remarks;
  for (const Effect& effect : effects) {
    for (const EffectWords& words : kRemarks) {
      if (words.kind != effect.kind()) continue;
      std::string remark = Filled(words.words, effect.amount());
      if (effect.seat() >= 0 && effect.seat() != own) {
        remark = seats.Name(effect.seat()) + " " + remark;
      }
      remarks.push_back(std::move(remark));
    }
  }
  return remarks;
}

std::string WithRemarks(std::string text, const std::vector<std::string>& remarks) {
  for (const std::string& remark : remarks) text += ", " + remark;
  return text;
}

bool HasPass(const Effects& effects) {
  for (const Effect& effect : effects) {
    if (effect.kind() == Effect::KIND_PASS) return true;
  }
  return false;
}

std::string ThrowText(const v1::ThrowMade& made, const Seats& seats) {
  const std::optional<int> seat = SeatOfThrow(made);
  const std::string text =
      seat ? seats.Name(*seat) + " throws " + made.notation() : "thrown: " + made.notation();
  return WithRemarks(text, Remarks(made.effects(), seat, seats));
}

std::string ActionText(const v1::ActionTaken& taken, const Seats& seats) {
  return WithRemarks(seats.Name(taken.seat()) + " plays " + taken.action().notation(),
                     Remarks(taken.action().effects(), taken.seat(), seats));
}

std::string OfferText(const v1::Offer& offer, const Seats& seats) {
  const std::string name = seats.Name(offer.seat());
  switch (offer.kind()) {
    case v1::OFFER_KIND_DRAW:
      return name + " offers a draw";
    case v1::OFFER_KIND_ABORT:
      return name + " offers to call the game off";
    case v1::OFFER_KIND_RESIGN:
      return name + " offers to lose " + std::to_string(offer.points());
    default:
      return name + " makes an offer";
  }
}

std::string SecondsText(int64_t ms) {
  return std::to_string(ms / 1'000) + "." + std::to_string(ms / 100 % 10) + " s";
}

std::string FinishedText(const v1::GameFinished& finished, const Seats& seats) {
  std::vector<v1::Seat> ranked(finished.seats().begin(), finished.seats().end());
  for (v1::Seat& seat : ranked) {
    if (seat.name().empty()) seat.set_name(seats.Name(seat.seat()));
  }
  return "the game is over: " + ResultText(ranked, finished.ending());
}

}  // namespace

std::optional<int> SeatOfThrow(const v1::ThrowMade& made) {
  for (const Effect& effect : made.effects()) {
    if (effect.kind() == Effect::KIND_THROW && effect.seat() >= 0) return effect.seat();
  }
  return std::nullopt;
}

std::string EventText(const Event& event, const Seats& seats) {
  switch (event.kind_case()) {
    case Event::kCreated:
      return "the game is created";
    case Event::kSeated:
      return seats.PlayerName(event.seated().player_id()) + " takes " +
             seats.Name(event.seated().seat());
    case Event::kStarted:
      return "the game begins";
    case Event::kThrow:
      return ThrowText(event.throw_(), seats);
    case Event::kAction:
      return ActionText(event.action(), seats);
    case Event::kResigned:
      return seats.Name(event.resigned().seat()) + " resigns";
    case Event::kFinished:
      return FinishedText(event.finished(), seats);
    case Event::kBuildChanged:
      return "another build of the ruleset goes on with the game";
    case Event::kLeft:
      return seats.Name(event.left().seat()) + " is free again";
    case Event::kOffered:
      return OfferText(event.offered().offer(), seats);
    case Event::kAnswered:
      return seats.Name(event.answered().seat()) +
             (event.answered().accepted() ? " accepts" : " declines");
    case Event::kUndone:
      return seats.Name(event.undone().seat()) + " takes " +
             (event.undone().count() == 1 ? "an action"
                                          : std::to_string(event.undone().count()) + " actions") +
             " back";
    case Event::kTurnEnded:
      return seats.Name(event.turn_ended().seat()) + " ends the turn";
    case Event::kTimedOut:
      return seats.Name(event.timed_out().seat()) + " is out of time";
    case Event::kTimeCredited:
      return seats.Name(event.time_credited().seat()) + " gets back " +
             SecondsText(event.time_credited().credit_us() / 1'000) + " in which no server ran";
    case Event::kContributionsInvited:
      return "everybody may add to the dice";
    case Event::kContributionPledged:
      return seats.Name(event.contribution_pledged().seat()) + " pledges to add to the dice";
    case Event::kPledgesClosed:
      return "who has not pledged by now adds nothing to the dice";
    case Event::kContributionGiven:
      return seats.Name(event.contribution_given().seat()) + " adds to the dice";
    case Event::KIND_NOT_SET:
      break;
  }
  return "something that this program is too old to know";
}

bool TurnLines::Continues(const Event& event) const {
  if (!open_ || !open_->other.empty() || open_->passed) return false;
  if (event.has_throw_()) {
    const std::optional<int> seat = SeatOfThrow(event.throw_());
    return open_->actions.empty() && (!seat || !open_->seat || *seat == *open_->seat);
  }
  return event.has_action() && (!open_->seat || *open_->seat == event.action().seat());
}

void TurnLines::Extend(const Event& event) {
  open_->last = event.sequence();
  if (event.has_throw_()) {
    if (const auto seat = SeatOfThrow(event.throw_())) open_->seat = seat;
    open_->throws.push_back(event.throw_().notation());
    open_->passed = HasPass(event.throw_().effects());
    for (std::string& remark : Remarks(event.throw_().effects(), open_->seat, seats_)) {
      open_->remarks.push_back(std::move(remark));
    }
  } else if (event.has_action()) {
    open_->seat = event.action().seat();
    open_->actions.push_back(event.action().action().notation());
    open_->passed = HasPass(event.action().action().effects());
    for (std::string& remark : Remarks(event.action().action().effects(), open_->seat, seats_)) {
      open_->remarks.push_back(std::move(remark));
    }
  } else {
    open_->other = EventText(event, seats_);
  }
}

std::optional<TurnLine> TurnLines::Add(const Event& event) {
  std::optional<TurnLine> closed;
  if (!Continues(event)) {
    closed = Close();
    open_ = Open{};
    open_->first = event.sequence();
  }
  Extend(event);
  return closed;
}

std::optional<TurnLine> TurnLines::Close() {
  if (!open_) return std::nullopt;
  const Open turn = *std::exchange(open_, std::nullopt);
  TurnLine line{turn.first, turn.last, turn.other};
  if (!turn.other.empty()) return line;
  if (turn.seat) line.text = seats_.Name(*turn.seat) + "  ";
  line.text += Join(turn.throws, " ");
  if (!turn.actions.empty()) {
    if (!turn.throws.empty()) line.text += ": ";
    line.text += Join(turn.actions, " ");
  }
  if (!turn.remarks.empty()) line.text += "  (" + Join(turn.remarks, ", ") + ")";
  return line;
}

}  // namespace astragal::cli
