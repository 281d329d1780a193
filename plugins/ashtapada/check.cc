// Any 71 bytes may come in: which of them are a position.
#include <algorithm>

#include "plugins/ashtapada/moves.h"
#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {
namespace {

bool IsZero(std::span<const uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

bool CheckOptions(const Position& p, sdk::Error& error) {
  for (int i = 0; i < kOptionCount; ++i) {
    if (p.option[i] < kOptions[i].minimum || p.option[i] > kOptions[i].maximum) {
      return error.Refuse(kOptions[i].name, "The option ", kOptions[i].name, " has no value ",
                          p.option[i], ".");
    }
  }
  const uint8_t first = p.option[kFirstPlayer];
  if (first != kHighestThrow && kFirstPlayerSeat[first] >= p.option[kPlayers]) {
    return error.Refuse("first_player", "The first player has no seat in this game.");
  }
  return true;
}

bool CheckFrame(const Position& p, sdk::Error& error) {
  if (p.phase > kOver) return error.Refuse("", "There is no such phase.");
  if (p.turn >= p.option[kPlayers] || (p.phase == kOver && p.turn != 0)) {
    return error.Refuse("turn", "The seat to act does not play.");
  }
  if (p.flags > (kActed | kCaptured)) return error.Refuse("", "There is no such flag.");
  for (int seat = p.option[kPlayers]; seat < kSeats; ++seat) {
    if (p.place[seat] != 0 || p.ordered[seat] != 0 || !IsZero(p.piece[seat])) {
      return error.Refuse(kSeatNames[seat], kSeatTitles[seat], " does not play in this game.");
    }
  }
  return true;
}

bool CheckPieces(const Position& p, int seat, sdk::Error& error) {
  const std::span<const uint8_t> pieces = p.PiecesOf(seat);
  if (!std::is_sorted(pieces.begin(), pieces.end())) {
    return error.Refuse(kSeatNames[seat], "The pieces are not in order.");
  }
  for (const uint8_t piece : pieces) {
    const int index = IndexOf(piece);
    if (index > kOff) return error.Refuse(kSeatNames[seat], "There is no index ", index, ".");
    if (!HasMoved(piece)) continue;
    if (p.phase != kActing || seat != p.turn || (p.flags & kActed) == 0) {
      return error.Refuse(kSeatNames[seat], "Only the seat to act can have moved.");
    }
    if (index < 1 || index > kKeep) {
      return error.Refuse(kSeatNames[seat], "A piece cannot have moved to that place.");
    }
  }
  if (!IsZero({p.piece[seat] + pieces.size(), kMaxPieces - pieces.size()})) {
    return error.Refuse(kSeatNames[seat], "There are too many pieces.");
  }
  return true;
}

// Finished seats hold the first places, seats that left the last ones.
bool CheckPlaces(const Position& p, sdk::Error& error) {
  const int players = p.option[kPlayers];
  bool taken[kSeats + 2] = {};
  int placed = 0;
  for (int seat = 0; seat < players; ++seat) {
    const int place = p.place[seat];
    if (place == 0) continue;
    if (place > players || taken[place]) {
      return error.Refuse("place", "Each place from 1 to ", players, " has one seat.");
    }
    taken[place] = true;
    ++placed;
  }
  int finished = 0;
  while (finished < players && taken[finished + 1]) ++finished;
  int gone = 0;
  while (gone < players - finished && taken[players - gone]) ++gone;
  if (finished + gone != placed) {
    return error.Refuse("place", "The first and the last places are given first.");
  }
  const bool is_over = players - placed == 0 || (p.option[kPlayForPlaces] == 0 && finished > 0);
  if (players - placed == 1 && !is_over) {
    return error.Refuse("place", "The last seat left has the place that is left.");
  }
  if (is_over != (p.phase == kOver)) {
    return error.Refuse("place", is_over ? "The game is over." : "The game is not over yet.");
  }
  if (p.option[kPlayForPlaces] == 0 && finished > 1 && placed < players) {
    return error.Refuse("place", "Only one seat wins.");
  }
  return true;
}

// Whether the pieces of a seat agree with its place.
bool CheckStanding(const Position& p, int seat, sdk::Error& error) {
  const bool all_off = p.HasAllOff(seat);
  if (p.IsPlaying(seat)) {
    if (all_off) return error.Refuse(kSeatNames[seat], "This seat has finished.");
    return true;
  }
  // The last seat of a game may have its place with pieces still on the board.
  const bool all_in_hand = p.piece[seat][p.PieceCount() - 1] == PieceAt(kHand);
  if (p.phase != kOver && !all_off && !all_in_hand) {
    return error.Refuse(kSeatNames[seat], "A seat that is out has no pieces on the board.");
  }
  return true;
}

bool CheckOrdering(const Position& p, sdk::Error& error) {
  const bool is_ordering = p.phase == kOrdering;
  int contenders = 0;
  for (const uint8_t seat : p.PlayOrder()) {
    const uint8_t thrown = p.ordered[seat];
    const bool is_known = thrown <= kScores || thrown == kOutthrown;
    if (!is_known || (thrown != 0 && (!is_ordering || !p.IsPlaying(seat)))) {
      return error.Refuse("thrown", "This seat cannot have thrown for the start.");
    }
    contenders += p.IsPlaying(seat) && thrown != kOutthrown ? 1 : 0;
    if (is_ordering && !p.IsBoardBare(seat)) {
      return error.Refuse(kSeatNames[seat], "The board is empty until it is known who starts.");
    }
  }
  if (is_ordering && (p.ordered[p.turn] != 0 || contenders < 2)) {
    return error.Refuse("thrown", "It must be open who starts.");
  }
  return true;
}

bool CheckSeries(const Position& p, sdk::Error& error) {
  int size = 0;
  int enders = 0;
  for (const ThrowSet* set : {&p.left, &p.used, &p.picked}) {
    for (int score = 0; score < kScores; ++score) {
      size += set->count[score];
      enders += score == kTwo || score == kThree ? set->count[score] : 0;
    }
  }
  if (size > kSeriesCap) {
    return error.Refuse("left", "A series has at most ", kSeriesCap, " throws.");
  }
  if (enders > 1) return error.Refuse("left", "A series ends with its first 2 or 3.");
  if (p.phase == kThrowing && (enders > 0 || size == kSeriesCap)) {
    return error.Refuse("left", "This series has ended.");
  }
  if (p.phase != kThrowing && p.phase != kActing && size > 0) {
    return error.Refuse("left", "There is no series now.");
  }
  if (p.phase == kThrowing && p.left.Size() > 0 && p.left[kOne] == 0 && p.IsBoardBare(p.turn)) {
    return error.Refuse("left", "With no piece on the board throws before the first 1 are lost.");
  }
  return true;
}

bool CheckPick(const Position& p, sdk::Error& error) {
  if (p.pick_size == 0) {
    if (p.pick_from == 0 && p.picked.Size() == 0) return true;
    return error.Refuse("pick", "Throws are picked without a piece.");
  }
  // Encode has room for more bits than an index needs: numbers from outside are judged first.
  if (p.pick_from >= kKeep || p.pick_size > 2) {
    return error.Refuse("pick", "This piece cannot have been picked.");
  }
  Position before = p;
  before.left.Add(p.picked);
  before.picked = {};
  before.pick_from = before.pick_size = 0;
  const Action pick{kPick, p.pick_from, p.pick_size, {}};
  Action known;
  if (p.phase != kActing || !Decode(Encode(pick), known) || !IsLegal(before, pick, error)) {
    return error.Refuse("pick", "This piece cannot have been picked.");
  }
  sdk::Sink<int64_t> steps(nullptr, 0);
  p.Actions(steps);
  if (steps.count() == 0) return error.Refuse("pick", "The picked throws lead to no legal move.");
  return true;
}

bool CheckActing(const Position& p, sdk::Error& error) {
  if ((p.flags & kCaptured) != 0 && (p.flags & kActed) == 0) {
    return error.Refuse("captured", "A capture needs an action.");
  }
  if (p.phase != kActing) {
    if (p.flags != 0) return error.Refuse("acted", "Nobody has acted in this series.");
    const bool is_picked = p.pick_size != 0 || p.pick_from != 0 || p.picked.Size() != 0;
    return !is_picked || error.Refuse("pick", "No move can be put together now.");
  }
  Position unpicked = p;
  unpicked.pick_size = 0;
  unpicked.left.Add(p.picked);
  if (unpicked.left.Size() == 0 || !HasAnyAction(unpicked)) {
    return error.Refuse("play", kSeatTitles[p.turn],
                        " has nothing to play: write throw= and the next seat.");
  }
  return CheckPick(p, error);
}

}  // namespace

bool Position::Check(sdk::Error& error) const {
  if (!CheckOptions(*this, error) || !CheckFrame(*this, error)) return false;
  for (int seat = 0; seat < option[kPlayers]; ++seat) {
    if (!CheckPieces(*this, seat, error)) return false;
  }
  if (!CheckPlaces(*this, error)) return false;
  for (int seat = 0; seat < option[kPlayers]; ++seat) {
    if (!CheckStanding(*this, seat, error)) return false;
  }
  if (phase != kOver && !IsPlaying(turn)) {
    return error.Refuse("turn", "The seat to act is out of the game.");
  }
  return CheckOrdering(*this, error) && CheckSeries(*this, error) && CheckActing(*this, error);
}

}  // namespace astragal::ashtapada
