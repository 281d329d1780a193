// What the ABI calls: Start, Apply, Effects, Leave, Result; and what each action does.
#include <algorithm>

#include "plugins/ashtapada/action.h"
#include "plugins/ashtapada/flow.h"
#include "plugins/ashtapada/moves.h"
#include "plugins/ashtapada/pieces.h"
#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {
namespace {

bool IsProtected(const Position& p, int count) {
  if (p.option[kTwinFormation] == kTwinsOff) return false;
  return p.option[kTriplets] == kAsTwins ? count >= 2 : count == 2;
}

// Rule 7: `size` pieces of the seat to act have landed on its index `to`.
void Capture(Position& p, int to, int size, Trail& trail) {
  if (IsMarkedIndex(to)) return;
  const int square = p.SquareOf(p.turn, to);
  for (int enemy = p.LeftOf(p.turn); enemy != p.turn; enemy = p.LeftOf(enemy)) {
    const int index = p.IndexOn(enemy, square);
    const int count = p.CountAt(enemy, index);
    if (count == 0 || (size == 1 && IsProtected(p, count))) continue;
    for (int i = 0; i < count; ++i) {
      Replace(p, enemy, PieceAt(index), PieceAt(kHand));
      trail.AddPiece(ASTRAGAL_EFFECT_CAPTURE, enemy, square, HandPlace(enemy), 1);
    }
    p.flags |= kCaptured;
  }
}

void Move(Position& p, const Action& action, Trail& trail) {
  const int to = Landing(p, 0, action.from, action.size, action.throws.Sum());
  MovePieces(p, action, to);
  for (int i = 0; i < action.size; ++i) {
    trail.AddPiece(ASTRAGAL_EFFECT_MOVE, p.turn, p.SquareOf(p.turn, action.from),
                   p.SquareOf(p.turn, to), to - action.from);
  }
  Capture(p, to, action.size, trail);
}

// Rule 13: the seat to act has borne off its last piece.
void Finish(Position& p, Trail& trail) {
  p.place[p.turn] = static_cast<uint8_t>(NextFreePlace(p));
  trail.Add(ASTRAGAL_EFFECT_FINISH, p.turn, p.place[p.turn]);
  DiscardLeft(p, trail);
  if (p.option[kPlayForPlaces] == 0) return EndGame(p);
  if (!EndGameIfOneIsLeft(p, trail)) BeginNext(p, trail);
}

void UseThrows(Position& p, const ThrowSet& throws) {
  p.left.Remove(throws);
  p.used.Add(throws);
  p.flags |= kActed;
}

// A legal action that moves pieces, and what follows from it.
void Act(Position& p, const Action& action, Trail& trail) {
  UseThrows(p, action.throws);
  if (action.kind == kMove) {
    Move(p, action, trail);
  } else {
    MovePieces(p, action, 0);
    const bool enters = action.kind == kEnter;
    const int from = enters ? HandPlace(p.turn) : p.SquareOf(p.turn, kKeep);
    const int to = enters ? p.SquareOf(p.turn, 0) : OffPlace(p.turn);
    trail.AddPiece(enters ? ASTRAGAL_EFFECT_ENTER : ASTRAGAL_EFFECT_BEAR_OFF, p.turn, from, to, 1);
  }
  if (p.HasAllOff(p.turn)) return Finish(p, trail);
  if (p.left.Size() == 0 || !HasAnyAction(p)) EndSeries(p, trail);
}

// The move that was put together is carried out.
void Go(Position& p, Trail& trail) {
  const Action move{kMove, p.pick_from, p.pick_size, p.picked};
  p.left.Add(p.picked);
  p.pick_from = 0;
  p.pick_size = 0;
  p.picked = {};
  Act(p, move, trail);
}

void CarryOut(Position& p, const Action& action, Trail& trail) {
  switch (action.kind) {
    case kStop:
      trail.Add(ASTRAGAL_EFFECT_STOP, p.turn);
      return EndSeries(p, trail);
    case kPick:
      p.pick_from = action.from;
      p.pick_size = action.size;
      return;
    case kAdd:
      p.left.Remove(action.throws);
      p.picked.Add(action.throws);
      return;
    case kGo:
      return Go(p, trail);
    default:
      return Act(p, action, trail);
  }
}

bool Play(Position& p, int32_t actor, int64_t code, Trail& trail, sdk::Error& error) {
  if (actor == ASTRAGAL_CHANCE) {
    const int score = static_cast<int>(ASTRAGAL_CHANCE_OUTCOME(code));
    p.phase == kOrdering ? ThrowForOrder(p, score, trail) : ThrowForSeries(p, score, trail);
    return true;
  }
  Action action;
  if (!Decode(code, action)) return error.Refuse("", "There is no such action.");
  if (!IsLegal(p, action, error)) return false;
  CarryOut(p, action, trail);
  return true;
}

}  // namespace

bool Position::Start(std::span<const int64_t> options, sdk::Error& error) {
  for (int i = 0; i < kOptionCount; ++i) option[i] = static_cast<uint8_t>(options[i]);
  for (const uint8_t seat : PlayOrder()) std::fill_n(piece[seat], PieceCount(), PieceAt(kHand));
  phase = kOrdering;
  turn = kSouth;
  if (option[kFirstPlayer] == kHighestThrow) return true;
  const uint8_t first = kFirstPlayerSeat[option[kFirstPlayer]];
  if (first >= option[kPlayers]) {
    return error.Refuse("first_player", kSeatTitles[first], " does not play in a game of ",
                        option[kPlayers], ".");
  }
  Begin(*this, first);
  return true;
}

void Position::Options(std::span<int64_t> out) const {
  std::copy_n(option, kOptionCount, out.begin());
}

bool Position::Apply(int32_t actor, int64_t action, sdk::Error& error) {
  Trail nowhere(nullptr);
  return Play(*this, actor, action, nowhere, error);
}

void Position::Effects(int32_t actor, int64_t action, sdk::Sink<astragal_effect>& out) const {
  Position after = *this;
  Trail trail(&out);
  sdk::Error unheard(nullptr);
  Play(after, actor, action, trail, unheard);
}

bool Position::Leave(int32_t seat, sdk::Error& error) {
  if (phase == kOver) return error.Refuse("", "The game is over.");
  if (!IsPlaying(seat)) return error.Refuse("seat", "This seat has its place already.");
  Trail nowhere(nullptr);
  place[seat] = static_cast<uint8_t>(LowestFreePlace(*this));
  ordered[seat] = 0;
  if (seat == turn) {
    ClearSeries(*this);
  } else {  // a move in the making is taken back: other moves may be possible now
    left.Add(picked);
    pick_from = pick_size = 0;
    picked = {};
  }
  std::fill_n(piece[seat], PieceCount(), PieceAt(kHand));
  if (EndGameIfOneIsLeft(*this, nowhere)) return true;
  if (phase == kOrdering) {
    GoOnOrdering(*this, nowhere);
  } else if (seat == turn) {
    BeginNext(*this, nowhere);
  }
  return true;
}

void Position::Result(std::span<astragal_seat_result> out) const {
  const int shared = NextFreePlace(*this);
  for (size_t seat = 0; seat < out.size(); ++seat) {
    out[seat].place = place[seat] != 0 ? place[seat] : phase == kOver ? shared : 0;
    out[seat].points = place[seat] == 1 ? 1 : 0;
  }
}

bool Position::Concession(int32_t seat, astragal_concession& out) const {
  if (phase == kOver || !IsPlaying(seat)) return false;
  // Only winning scores; once somebody has won, nothing is left to score.
  out.fewest = out.most = IsPlaceTaken(*this, 1) ? 0 : 1;
  return true;
}

}  // namespace astragal::ashtapada
