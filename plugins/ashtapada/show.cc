// What a position shows: geometry, pieces, throws, counters; and the view from the other side.
#include <algorithm>

#include "plugins/ashtapada/action.h"
#include "plugins/ashtapada/names.h"
#include "plugins/ashtapada/position.h"

namespace astragal::ashtapada {
namespace {

constexpr int kUnit = 1000;  // thousandths of a square

// Trays lie along the owner's side: centre and extent of the hand; the other tray follows it.
struct Tray {
  int x, y, width, height, next_x, next_y;
};
constexpr Tray kTrays[kSeats] = {{2000, 8900, 3600, 1000, 4000, 0},   // south
                                 {2000, -900, 3600, 1000, 4000, 0},   // north
                                 {-900, 2000, 1000, 3600, 0, 4000},   // west
                                 {8900, 2000, 1000, 3600, 0, 4000}};  // east

void AddSquare(const Position& p, int square, sdk::Sink<astragal_place>& out) {
  astragal_place place{};
  place.id = square;
  place.x = kUnit * (square % 8) + kUnit / 2;
  place.y = kUnit * (7 - square / 8) + kUnit / 2;
  place.width = place.height = kUnit;
  place.shape = ASTRAGAL_SHAPE_SQUARE;
  place.seat = -1;
  if (IsMarkedSquare(square)) place.marks |= ASTRAGAL_MARK_SAFE;
  for (const uint8_t seat : p.PlayOrder()) {
    const int index = p.IndexOn(seat, square);
    if (index != 0 && index != kKeep) continue;
    place.marks |= index == 0 ? ASTRAGAL_MARK_START : ASTRAGAL_MARK_HOME;
    place.seat = seat;
  }
  const int file = square % 8;
  const int rank = square / 8;
  if (file >= 3 && file <= 4 && rank >= 3 && rank <= 4) place.marks |= ASTRAGAL_MARK_CENTRE;
  place.label[0] = static_cast<char>('A' + file);
  place.label[1] = static_cast<char>('1' + rank);
  out.Add(place);
}

void AddTray(int seat, bool is_off, sdk::Sink<astragal_place>& out) {
  const Tray& tray = kTrays[seat];
  astragal_place place{};
  place.id = is_off ? OffPlace(seat) : HandPlace(seat);
  place.x = tray.x + (is_off ? tray.next_x : 0);
  place.y = tray.y + (is_off ? tray.next_y : 0);
  place.width = tray.width;
  place.height = tray.height;
  place.shape = ASTRAGAL_SHAPE_TRAY;
  place.seat = seat;
  sdk::SetField(place.label, is_off ? "off" : "hand");
  out.Add(place);
}

int PlaceOf(const Position& p, int seat, uint8_t piece) {
  const int index = IndexOf(piece);
  if (index == kHand) return HandPlace(seat);
  return index == kOff ? OffPlace(seat) : p.SquareOf(seat, index);
}

void AddThrows(int seat, const ThrowSet& set, bool used, sdk::Sink<astragal_throw>& out) {
  for (int score = 0; score < kScores; ++score) {
    for (int i = 0; i < set[score]; ++i) out.Add({0, seat, kScoreValues[score], used, 0});
  }
}

void AddCounter(const char* name, int seat, int64_t value, sdk::Sink<astragal_counter>& out) {
  astragal_counter counter{};
  counter.seat = seat;
  counter.value = value;
  sdk::SetField(counter.name, name);
  out.Add(counter);
}

// The seat across the table; with three there is no other side that looks the same.
int Across(const Position& p, int seat) {
  return p.option[kPlayers] == 3 ? seat : seat ^ 1;  // south - north, west - east
}

}  // namespace

void Position::Places(sdk::Sink<astragal_place>& out) const {
  for (int square = 0; square < kSquares; ++square) AddSquare(*this, square, out);
  for (int seat = 0; seat < option[kPlayers]; ++seat) {
    AddTray(seat, false, out);
    AddTray(seat, true, out);
  }
}

void Position::Pieces(sdk::Sink<astragal_piece>& out) const {
  uint8_t count[kPlaces][kSeats] = {};
  for (int seat = 0; seat < option[kPlayers]; ++seat) {
    for (const uint8_t p : PiecesOf(seat)) ++count[PlaceOf(*this, seat, p)][seat];
  }
  for (int id = 0; id < kPlaces; ++id) {
    for (int seat = 0; seat < kSeats; ++seat) {
      if (count[id][seat] > 0) out.Add({0, id, seat, 0, count[id][seat], 0});
    }
  }
}

void Position::Throws(sdk::Sink<astragal_throw>& out) const {
  for (const uint8_t seat : PlayOrder()) {
    const uint8_t score = ordered[seat];
    if (score >= 1 && score <= kScores) out.Add({0, seat, kScoreValues[score - 1], 1, 0});
  }
  AddThrows(turn, left, false, out);
  AddThrows(turn, picked, false, out);
  AddThrows(turn, used, true, out);
}

void Position::Counters(sdk::Sink<astragal_counter>& out) const {
  AddCounter("throws_left", -1, left.Size() + picked.Size(), out);
  for (int seat = 0; seat < option[kPlayers]; ++seat) {
    int to_go = 0;
    for (const uint8_t p : PiecesOf(seat)) to_go += kOff - IndexOf(p);
    AddCounter("hand", seat, CountAt(seat, kHand), out);
    AddCounter("keep", seat, CountAt(seat, kKeep), out);
    AddCounter("borne_off", seat, CountAt(seat, kOff), out);
    AddCounter("steps_to_go", seat, to_go, out);
  }
}

int32_t Position::MirrorSeat(int32_t seat) const { return Across(*this, seat); }

int64_t Position::MirrorAction(int32_t, int64_t action) const { return action; }

Position Position::Mirrored() const {
  Position mirrored = *this;
  if (option[kPlayers] == 3) return mirrored;
  if (phase != kOver) mirrored.turn = static_cast<uint8_t>(Across(*this, turn));
  for (int seat = 0; seat < option[kPlayers]; ++seat) {
    const int across = Across(*this, seat);
    mirrored.ordered[across] = ordered[seat];
    mirrored.place[across] = place[seat];
    std::copy_n(piece[seat], kMaxPieces, mirrored.piece[across]);
  }
  if (option[kFirstPlayer] != kHighestThrow) {
    const int across = Across(*this, kFirstPlayerSeat[option[kFirstPlayer]]);
    for (uint8_t value = 1; value < 5; ++value) {
      if (kFirstPlayerSeat[value] == across) mirrored.option[kFirstPlayer] = value;
    }
  }
  return mirrored;
}

}  // namespace astragal::ashtapada
