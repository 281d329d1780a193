// What a position shows: result, places, pieces, throws, counters.
#include <bit>

#include "plugins/patolli/rules.h"

namespace astragal::patolli {
namespace {

astragal_place SquarePlace(const Rules& rules, int square) {
  const Cell cell = kCells[static_cast<size_t>(square)];
  astragal_place place{};
  place.id = square;
  place.x = cell.column * 1000 + 500;
  place.y = cell.row * 1000 + 500;
  place.width = 1000;
  place.height = 1000;
  place.seat = -1;
  const uint64_t here = Bit(square);
  if (kMiddle & here) place.marks |= ASTRAGAL_MARK_CENTRE;
  if (kRounded & here) {
    place.marks |= ASTRAGAL_MARK_EXTRA;
    place.shape = ASTRAGAL_SHAPE_CIRCLE;
  }
  if (kWedges[rules.wedge_ranks] & here) place.marks |= ASTRAGAL_MARK_PENALTY;
  for (const int seat : {kRed, kGreen}) {
    if (square == StartOf(rules.start_square, seat)) {
      place.marks |= ASTRAGAL_MARK_START;
      place.seat = seat;
    }
    for (const int direction : {1, -1}) {  // the last square of either way round
      if (square != SquareOf(rules.start_square, seat, direction, kLast)) continue;
      place.marks |= ASTRAGAL_MARK_HOME;
      place.seat = seat;
    }
  }
  const char digits[] = {static_cast<char>('0' + square / 10),
                         static_cast<char>('0' + square % 10)};
  sdk::SetField(place.label,
                square < 10 ? std::string_view(digits + 1, 1) : std::string_view(digits, 2));
  return place;
}

// Trays lie in the free corners, each beside its owner's central square, six pieces wide.
astragal_place Tray(int seat, int id, int row, std::string_view label, uint32_t marks) {
  astragal_place place{};
  place.id = id;
  place.x = seat == kRed ? 3500 : 12500;
  place.y = seat == kRed ? row * 1000 : 16000 - row * 1000;
  place.width = 6000;
  place.height = 1000;
  place.shape = ASTRAGAL_SHAPE_TRAY;
  place.marks = marks;
  place.seat = seat;
  sdk::SetField(place.label, label);
  return place;
}

void AddPieces(sdk::Sink<astragal_piece>& out, int place, int seat, int count) {
  if (count > 0) out.Add({0, place, seat, 0, count, 0});
}

void AddCounter(sdk::Sink<astragal_counter>& out, int seat, const char* name, int64_t value) {
  astragal_counter counter{};
  counter.seat = seat;
  counter.value = value;
  sdk::SetField(counter.name, name);
  out.Add(counter);
}

}  // namespace

void Position::Result(std::span<astragal_seat_result> out) const {
  if (phase != kOver) return;
  out[mover].place = 1;
  out[mover].points = 1;
  out[1u - mover].place = 2;
}

bool Position::Concession(int32_t, astragal_concession& out) const {
  if (phase == kOver) return false;
  out.fewest = 1;
  out.most = 1;
  return true;
}

void Position::Places(sdk::Sink<astragal_place>& out) const {
  for (int square = 0; square < kSquares; ++square) out.Add(SquarePlace(rules, square));
  for (const int seat : {kRed, kGreen}) out.Add(Tray(seat, HandPlace(seat), 2, "in", 0));
  for (const int seat : {kRed, kGreen}) {
    out.Add(Tray(seat, HomePlace(seat), 4, "home", ASTRAGAL_MARK_HOME));
  }
}

void Position::Pieces(sdk::Sink<astragal_piece>& out) const {
  std::array<int8_t, kSquares> owner;
  owner.fill(-1);
  for (const int8_t seat : {int8_t{kRed}, int8_t{kGreen}}) {
    const Side& side = sides[static_cast<size_t>(seat)];
    for (uint64_t rest = side.track; rest != 0; rest &= rest - 1) {
      const int square = SquareOf(rules.start_square, seat, side.direction, std::countr_zero(rest));
      owner[static_cast<size_t>(square)] = seat;
    }
  }
  for (int square = 0; square < kSquares; ++square) {
    const int8_t seat = owner[static_cast<size_t>(square)];
    if (seat >= 0) AddPieces(out, square, seat, 1);
  }
  for (const int seat : {kRed, kGreen}) {
    AddPieces(out, HandPlace(seat), seat, sides[static_cast<size_t>(seat)].hand);
  }
  for (const int seat : {kRed, kGreen}) {
    AddPieces(out, HomePlace(seat), seat, sides[static_cast<size_t>(seat)].off);
  }
}

void Position::Throws(sdk::Sink<astragal_throw>& out) const {
  if (phase == kMoving) out.Add({0, mover, score, 0, 0});
  if (phase == kOpening && opening != 0) out.Add({0, 1 - mover, opening - 1, 1, 0});
}

void Position::Counters(sdk::Sink<astragal_counter>& out) const {
  AddCounter(out, -1, "pot", pot);
  for (const int seat : {kRed, kGreen}) {
    const Side& side = sides[static_cast<size_t>(seat)];
    AddCounter(out, seat, "coins", side.coins);
    AddCounter(out, seat, "in_hand", side.hand);
    AddCounter(out, seat, "borne_off", side.off);
    AddCounter(out, seat, "direction", side.direction);
    if (rules.purse != 0) AddCounter(out, seat, "purse_left", FundsOf(*this, seat));
  }
}

}  // namespace astragal::patolli
