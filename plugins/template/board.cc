// How a position is shown, what bots use, and the mirror.
#include "sprint.h"

namespace sprint {
namespace {

astragal_place Tray(int seat, int place, int x, uint32_t mark, std::string_view label) {
  astragal_place tray{};
  tray.id = Sprint::PlaceId(seat, place);
  tray.x = x;
  tray.y = seat * 2000;
  tray.width = 2000;
  tray.height = 800;
  tray.shape = ASTRAGAL_SHAPE_TRAY;
  tray.marks = mark;
  tray.seat = seat;
  sdk::SetField(tray.label, label);
  return tray;
}

}  // namespace

void Sprint::Places(sdk::Sink<astragal_place>& out) const {
  for (int square = 1; square <= length; ++square) {
    astragal_place place{};
    place.id = square;
    place.x = square * 1000;
    place.y = 1000;
    place.width = place.height = 1000;
    place.shape = ASTRAGAL_SHAPE_SQUARE;
    place.marks = square % 2 == 0 ? uint32_t{ASTRAGAL_MARK_DARK} : 0;
    place.seat = -1;
    sdk::TextSink(place.label, sizeof(place.label) - 1).Put(square);
    out.Add(place);
  }
  for (int seat = 0; seat < kSeats; ++seat) {
    out.Add(Tray(seat, kStart, 1500, ASTRAGAL_MARK_START, "start"));
    out.Add(Tray(seat, kHome, length * 1000 - 500, ASTRAGAL_MARK_HOME, "home"));
  }
}

// Ordered by place id, then seat: squares, starts, homes.
void Sprint::Pieces(sdk::Sink<astragal_piece>& out) const {
  const auto add = [&](int seat, int place) {
    const int count = Count(seat, place);
    if (count > 0) out.Add({0, PlaceId(seat, place), seat, 0, count, 0});
  };
  for (int square = 1; square <= length; ++square) {
    for (int seat = 0; seat < kSeats; ++seat) add(seat, square);
  }
  for (const int tray : {kStart, kHome}) {
    for (int seat = 0; seat < kSeats; ++seat) add(seat, tray);
  }
}

void Sprint::Throws(sdk::Sink<astragal_throw>& out) const {
  if (die != 0) out.Add({0, mover, die, 0, 0});
}

void Sprint::Counters(sdk::Sink<astragal_counter>& out) const {
  for (int seat = 0; seat < kSeats; ++seat) {
    astragal_counter counter{0, seat, Count(seat, kHome), {}};
    sdk::SetField(counter.name, "home");
    out.Add(counter);
  }
}

// How far a seat has come, in squares.
int Sprint::Progress(int seat) const {
  int sum = 0;
  for (const uint8_t place : at[seat]) sum += place == kHome ? length + 1 : place;
  return sum;
}

int32_t Sprint::Evaluate(int32_t seat) const {
  if (IsOver()) return seat == mover ? 1000 : 0;
  const int ahead = Progress(seat) - Progress(1 - seat);
  return 500 + 499 * ahead / (kRunners * (length + 1));
}

// The same game with the seats exchanged: the rules are the same for both.
Sprint Sprint::Mirrored() const {
  Sprint other = *this;
  std::swap(other.at[0], other.at[1]);
  other.mover = static_cast<uint8_t>(1 - mover);
  other.first = static_cast<uint8_t>(1 - first);
  return other;
}

}  // namespace sprint
