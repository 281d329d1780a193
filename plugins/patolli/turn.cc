// What a throw and a move do: rules 3 to 11. One template serves Apply and Effects, so that the
// list of effects cannot drift from what happens.
#include <algorithm>

#include "plugins/patolli/rules.h"

namespace astragal::patolli {
namespace {

// Listeners of what happens; Apply needs none, Effects writes the list down.
struct Nobody {
  void Add(uint32_t, int, int, int, int, int64_t) {}
};

struct Listener {
  sdk::Sink<astragal_effect>& out;
  void Add(uint32_t kind, int seat, int piece, int from, int to, int64_t amount) {
    out.Add({0, kind, seat, piece, from, to, amount});
  }
};

int PlaceOf(const Position& p, int seat, int own) {
  return SquareOf(p.rules.start_square, seat, p.sides[static_cast<size_t>(seat)].direction, own);
}

template <class Sink>
void Pay(Position& p, int seat, int payee, int amount, Sink& sink) {
  const int32_t paid = std::min<int32_t>(amount, FundsOf(p, seat));
  if (paid <= 0) return;
  p.sides[static_cast<size_t>(seat)].coins -= paid;
  (payee == kPot ? p.pot : p.sides[static_cast<size_t>(payee)].coins) += paid;
  sink.Add(ASTRAGAL_EFFECT_PAY, seat, -1, -1, payee, paid);
}

template <class Sink>
void TakeFromPot(Position& p, int seat, int32_t amount, Sink& sink) {
  const int32_t taken = std::min(amount, p.pot);
  if (taken <= 0) return;
  p.pot -= taken;
  p.sides[static_cast<size_t>(seat)].coins += taken;
  sink.Add(ASTRAGAL_EFFECT_TAKE, seat, -1, -1, -1, taken);
}

template <class Sink>
void GiveTurn(Position& p, int seat, Sink& sink) {
  p.mover = static_cast<uint8_t>(seat);
  sink.Add(ASTRAGAL_EFFECT_TURN, seat, -1, -1, -1, 0);
}

template <class Sink>
void EndTurn(Position& p, Sink& sink) {
  p.phase = kThrowing;
  p.score = 0;
  GiveTurn(p, 1 - p.mover, sink);
}

// Rule 3 with first_player=highest_throw.
template <class Sink>
void ThrowForFirstTurn(Position& p, int score, Sink& sink) {
  const int other = 1 - p.mover;
  if (p.opening == 0) {
    p.opening = static_cast<uint8_t>(score + 1);
    return GiveTurn(p, other, sink);
  }
  const int against = p.opening - 1;
  p.opening = 0;
  if (score == against) return GiveTurn(p, other, sink);  // a tie: both throw again
  p.phase = kThrowing;
  GiveTurn(p, score > against ? p.mover : other, sink);
}

// Rules 4 and 7.
template <class Sink>
void ThrowSticks(Position& p, int score, Sink& sink) {
  sink.Add(ASTRAGAL_EFFECT_THROW, p.mover, -1, -1, -1, score);
  if (p.phase == kOpening) return ThrowForFirstTurn(p, score, sink);
  if (score != 0 && CanMove(p, p.mover, score)) {
    p.phase = kMoving;
    p.score = static_cast<uint8_t>(score);
    return;
  }
  if (score != 0) Pay(p, p.mover, kPot, p.rules.penalty, sink);
  sink.Add(ASTRAGAL_EFFECT_PASS, p.mover, -1, -1, -1, 0);
  EndTurn(p, sink);
}

// Rules 10 and 11.
template <class Sink>
void BearOff(Position& p, Sink& sink) {
  const int seat = p.mover;
  ++p.own().off;
  if (p.rules.bonus_from_opponent != 0) {
    Pay(p, 1 - seat, seat, 1, sink);
  } else {
    TakeFromPot(p, seat, 1, sink);
  }
  if (p.own().off < kPieces) return EndTurn(p, sink);
  TakeFromPot(p, seat, p.pot, sink);
  p.phase = kOver;
  p.score = 0;
  sink.Add(ASTRAGAL_EFFECT_FINISH, seat, -1, -1, -1, 1);
  sink.Add(ASTRAGAL_EFFECT_FINISH, 1 - seat, -1, -1, -1, 2);
}

// Rule 6. The caller knows that an enemy piece met here may be taken.
template <class Sink>
void CaptureOn(Position& p, int to, Sink& sink) {
  Side& enemy = p.enemy();
  const bool same = enemy.direction == p.own().direction;
  const uint64_t met = Bit(OppositeIndex(same, to));
  if ((enemy.track & met) == 0) return;
  enemy.track ^= met;
  ++enemy.hand;
  const int loser = 1 - p.mover;
  sink.Add(ASTRAGAL_EFFECT_CAPTURE, loser, 0, PlaceOf(p, p.mover, to), HandPlace(loser), 0);
  Pay(p, loser, p.rules.attack_to_attacker != 0 ? p.mover : kPot, p.rules.penalty, sink);
}

// Rules 6, 8 and 9, after a piece of the mover has come to rest on own index `to`.
template <class Sink>
void Land(Position& p, int to, Sink& sink) {
  const Route& route = RouteOf(p.rules.start_square, p.own().direction);
  const uint64_t here = Bit(to);
  if (route.middle & here) CaptureOn(p, to, sink);
  if (route.wedges[p.rules.wedge_ranks] & here) {
    const int payee = p.rules.wedge_to_opponent != 0 ? 1 - p.mover : kPot;
    Pay(p, p.mover, payee, p.rules.wedge_amount, sink);
  }
  if ((route.rounded & here) == 0) return EndTurn(p, sink);
  p.phase = kThrowing;
  p.score = 0;
  sink.Add(ASTRAGAL_EFFECT_EXTRA_THROW, p.mover, -1, -1, -1, 0);
}

// Carries out a legal move.
template <class Sink>
void Play(Position& p, const Move& move, Sink& sink) {
  Side& own = p.own();
  const int seat = p.mover;
  if (move.enters()) {
    own.direction = static_cast<int8_t>(move.direction);
    --own.hand;
    own.track |= Bit(move.to);
    sink.Add(ASTRAGAL_EFFECT_ENTER, seat, 0, HandPlace(seat), PlaceOf(p, seat, move.to), 0);
    return Land(p, move.to, sink);
  }
  own.track ^= Bit(move.from);
  const int from = PlaceOf(p, seat, move.from);
  if (move.to == kLast) {
    sink.Add(ASTRAGAL_EFFECT_BEAR_OFF, seat, 0, from, HomePlace(seat), 0);
    return BearOff(p, sink);
  }
  own.track |= Bit(move.to);
  sink.Add(ASTRAGAL_EFFECT_MOVE, seat, 0, from, PlaceOf(p, seat, move.to), 0);
  Land(p, move.to, sink);
}

bool IsLegal(const Position& p, const Move& move) {
  if (move.steps() != p.score) return false;
  const Side& own = p.own();
  const int direction = move.enters() ? move.direction : own.direction;
  if (move.enters()) {
    if (!MayEnter(p, p.mover, p.score)) return false;
    if (own.direction != 0 && own.direction != direction) return false;
  } else if ((own.track & Bit(move.from)) == 0) {
    return false;
  }
  return (LandableMask(p, p.mover, direction) & Bit(move.to)) != 0;
}

// Says why an entry with the right score is not legal, before its landing is looked at.
bool ExplainEntry(const Position& p, const Move& move, sdk::Error& error) {
  const Side& own = p.own();
  const char* const name = SeatName(p.mover);
  if (own.hand == 0) return error.Refuse("", name, " has no piece in hand.");
  if (!MayEnter(p, p.mover, p.score)) {
    return error.Refuse("", "Only a throw of 1 brings a piece in now, not ", int{p.score}, ".");
  }
  if (own.direction != 0 && own.direction != move.direction) {
    return error.Refuse("", name, " runs ", DirectionName(own.direction), " in this game.");
  }
  return true;
}

// Out of the way of what is legal.
[[gnu::cold, gnu::noinline]] bool Explain(const Position& p, int64_t action, sdk::Error& error) {
  Move move{};
  if (!Decode(action, move)) return error.Refuse("", "There is no such move in Patolli.");
  const Side& own = p.own();
  const char* const name = SeatName(p.mover);
  if (move.steps() != p.score) {
    return error.Refuse("", "The throw is ", int{p.score}, ", this move would take ", move.steps(),
                        ".");
  }
  if (move.enters()) {
    if (!ExplainEntry(p, move, error)) return false;
  } else if ((own.track & Bit(move.from)) == 0) {
    return error.Refuse("", name, " has no piece on ", move.from, ".");
  }
  if (own.track & Bit(move.to)) {
    return error.Refuse("", "An own piece stands on ", move.to, ".");
  }
  if (move.to == kLast) return error.Refuse("", "An enemy piece blocks the last square.");
  return error.Refuse("", "An enemy piece that cannot be taken stands on ", move.to, ".");
}

}  // namespace

bool Position::Apply(int32_t actor, int64_t action, sdk::Error& error) {
  Nobody nobody;
  if (actor == ASTRAGAL_CHANCE) {
    ThrowSticks(*this, kScores[ASTRAGAL_CHANCE_OUTCOME(action)], nobody);
    return true;
  }
  Move move{};
  if (!Decode(action, move) || !IsLegal(*this, move)) return Explain(*this, action, error);
  Play(*this, move, nobody);
  return true;
}

void Position::Effects(int32_t actor, int64_t action, sdk::Sink<astragal_effect>& out) const {
  Position draft = *this;
  Listener listener{out};
  if (actor == ASTRAGAL_CHANCE) {
    return ThrowSticks(draft, kScores[ASTRAGAL_CHANCE_OUTCOME(action)], listener);
  }
  Move move{};
  if (Decode(action, move) && IsLegal(*this, move)) Play(draft, move, listener);
}

}  // namespace astragal::patolli
