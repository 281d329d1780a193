// What happens: the first position, legal actions, throws and moves, the end.
#include "sprint.h"

namespace sprint {

// Where the die takes a runner from `from`; -1 when nowhere.
int Sprint::TargetOf(int from) const {
  if (from == kHome) return -1;
  const int to = from + die;
  if (to > length && exact != 0 && to != length + 1) return -1;
  return to > length ? kHome : to;
}

bool Sprint::IsLegal(int64_t action) const {
  if (action < 0 || action >= kEndOfActions || die == 0) return false;
  const int from = FromOf(action);
  const int to = ToOf(action);
  if (!Has(mover, from) || TargetOf(from) != to) return false;
  return to == kHome || !Has(mover, to);
}

bool Sprint::Start(std::span<const int64_t> options, sdk::Error&) {
  length = static_cast<uint8_t>(options[kLengthOption]);
  exact = static_cast<uint8_t>(options[kFinishOption]);
  first = static_cast<uint8_t>(options[kFirstOption]);
  mover = first;
  return true;  // all else is zero: runners at their start, nothing thrown
}

void Sprint::Options(std::span<int64_t> out) const {
  out[kLengthOption] = length;
  out[kFinishOption] = exact;
  out[kFirstOption] = first;
}

// Any bytes may come in. Everything below relies on what is checked here, so each field is
// checked before it is used.
bool Sprint::Check(sdk::Error& error) const {
  if (length < kMinLength || length > kMaxLength || exact > 1 || first >= kSeats) {
    return error.Refuse("options", "These are no options of this game.");
  }
  if (mover >= kSeats) return error.Refuse("mover", "Red or blue is to move.");
  if (die > kFaces) return error.Refuse("die", "A die shows 1 to ", kFaces, ".");
  for (int seat = 0; seat < kSeats; ++seat) {
    if (!CheckRunners(seat, error)) return false;
  }
  if (Count(0, kHome) == kRunners && Count(1, kHome) == kRunners) {
    return error.Refuse("", "Only one seat can win.");
  }
  if (IsOver() && (die != 0 || Count(mover, kHome) != kRunners)) {
    return error.Refuse("mover", "After the end the winner is named and nothing is thrown.");
  }
  // A throw that fits no runner is lost at once, so nobody is ever left with one.
  if (die != 0 && !HasAction()) return error.Refuse("die", "This throw fits no runner.");
  return true;
}

bool Sprint::CheckRunners(int seat, sdk::Error& error) const {
  for (int i = 0; i < kRunners; ++i) {
    const int place = at[seat][i];
    if (place > length && place != kHome) {
      return error.Refuse(kSeatNames[seat], "The track ends with square ", length, ".");
    }
    if (i > 0 && place < at[seat][i - 1]) {
      return error.Refuse(kSeatNames[seat], "Runners stand in ascending order.");
    }
    const bool on_track = place != kStart && place != kHome;
    if (on_track && ((i > 0 && place == at[seat][i - 1]) || Has(1 - seat, place))) {
      return error.Refuse(kSeatNames[seat], "Two runners stand on square ", place, ".");
    }
  }
  return true;
}

int32_t Sprint::Actor() const {
  if (IsOver()) return ASTRAGAL_OVER;
  return die == 0 ? ASTRAGAL_CHANCE : mover;
}

// Calls `use` with each legal action, ascending: the runners are in order, and equal ones have
// equal actions.
template <class Use>
void Sprint::ForEachAction(Use use) const {
  for (int i = 0; i < kRunners; ++i) {
    const int from = at[mover][i];
    if (i > 0 && from == at[mover][i - 1]) continue;
    const int to = TargetOf(from);
    if (to >= 0 && IsLegal(ActionOf(from, to))) use(ActionOf(from, to));
  }
}

bool Sprint::HasAction() const {
  bool any = false;
  ForEachAction([&](int64_t) { any = true; });
  return any;
}

void Sprint::Actions(sdk::Sink<int64_t>& out) const {
  if (Actor() < 0) return;
  ForEachAction([&](int64_t action) { out.Add(action); });
}

// One function carries a step out and tells what happens; Apply and Effects are two uses of it,
// so they cannot disagree.
template <class Tell>
void Sprint::Step(int32_t actor, int64_t action, Tell tell) {
  if (actor == ASTRAGAL_CHANCE) {
    Throw(static_cast<int>(ASTRAGAL_CHANCE_OUTCOME(action)) + 1, tell);
  } else {
    Move(FromOf(action), ToOf(action), tell);
  }
}

template <class Tell>
void Sprint::Throw(int face, Tell tell) {
  die = static_cast<uint8_t>(face);
  tell(ASTRAGAL_EFFECT_THROW, mover, -1, -1, face);
  if (HasAction()) return;
  tell(ASTRAGAL_EFFECT_PASS, mover, -1, -1, 0);
  NextTurn(tell);
}

template <class Tell>
void Sprint::Move(int from, int to, Tell tell) {
  const uint32_t kind = to == kHome      ? ASTRAGAL_EFFECT_BEAR_OFF
                        : from == kStart ? ASTRAGAL_EFFECT_ENTER
                                         : ASTRAGAL_EFFECT_MOVE;
  tell(kind, mover, PlaceId(mover, from), PlaceId(mover, to), 0);
  Relocate(mover, from, to);
  const int other = 1 - mover;
  if (to != kHome && Has(other, to)) {
    tell(ASTRAGAL_EFFECT_CAPTURE, other, PlaceId(other, to), PlaceId(other, kStart), 0);
    Relocate(other, to, kStart);
  }
  if (!IsOver()) return NextTurn(tell);
  die = 0;
  tell(ASTRAGAL_EFFECT_FINISH, mover, -1, -1, 1);
  tell(ASTRAGAL_EFFECT_FINISH, other, -1, -1, 2);
}

template <class Tell>
void Sprint::NextTurn(Tell tell) {
  die = 0;
  mover = static_cast<uint8_t>(1 - mover);
  tell(ASTRAGAL_EFFECT_TURN, mover, -1, -1, 0);
}

void Sprint::Relocate(int seat, int from, int to) {
  *std::find(at[seat], at[seat] + kRunners, from) = static_cast<uint8_t>(to);
  std::sort(at[seat], at[seat] + kRunners);
}

bool Sprint::Apply(int32_t actor, int64_t action, sdk::Error& error) {
  if (actor != ASTRAGAL_CHANCE && !IsLegal(action)) {
    return error.Refuse("action", "With a ", die, " no runner of ", kSeatNames[mover],
                        " can go there.");
  }
  Step(actor, action, [](auto...) {});
  return true;
}

void Sprint::Effects(int32_t actor, int64_t action, sdk::Sink<astragal_effect>& out) const {
  if (actor != ASTRAGAL_CHANCE && !IsLegal(action)) return;
  Sprint draft = *this;
  draft.Step(actor, action, [&](uint32_t kind, int seat, int from, int to, int64_t amount) {
    const int piece = kind <= ASTRAGAL_EFFECT_BEAR_OFF ? 0 : -1;
    out.Add({0, kind, seat, piece, from, to, amount});
  });
}

void Sprint::Result(std::span<astragal_seat_result> out) const {
  if (!IsOver()) return;
  for (int seat = 0; seat < kSeats; ++seat) {
    astragal_seat_result& result = out[static_cast<size_t>(seat)];
    result.place = seat == mover ? 1 : 2;
    result.points = seat == mover ? WorthAgainst(1 - seat) : 0;
  }
}

// Who stops gives at least a single game, and a double one if that can still happen.
bool Sprint::Concession(int32_t seat, astragal_concession& out) const {
  out.fewest = 1;
  out.most = WorthAgainst(seat);
  return !IsOver();
}

}  // namespace sprint
