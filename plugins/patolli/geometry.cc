#include "plugins/patolli/geometry.h"

namespace astragal::patolli {
namespace {

constexpr uint64_t AsOwn(uint64_t squares, int start_square, int seat, int direction) {
  uint64_t own = 0;
  for (int k = 0; k < kSquares; ++k) {
    if (squares & Bit(SquareOf(start_square, seat, direction, k))) own |= Bit(k);
  }
  return own;
}

constexpr Route MakeRoute(int start_square, int seat, int direction) {
  return {AsOwn(kMiddle, start_square, seat, direction),
          AsOwn(kRounded, start_square, seat, direction),
          {AsOwn(kWedges[0], start_square, seat, direction),
           AsOwn(kWedges[1], start_square, seat, direction),
           AsOwn(kWedges[2], start_square, seat, direction)}};
}

constexpr bool SameForBothSeats(int start_square, int direction) {
  const Route red = MakeRoute(start_square, 0, direction);
  const Route green = MakeRoute(start_square, 1, direction);
  return red.middle == green.middle && red.rounded == green.rounded &&
         red.wedges[0] == green.wedges[0] && red.wedges[1] == green.wedges[1] &&
         red.wedges[2] == green.wedges[2];
}
static_assert(SameForBothSeats(0, 1) && SameForBothSeats(0, -1) && SameForBothSeats(1, 1) &&
              SameForBothSeats(1, -1));

// A quadrant is a central square, the outward file of an arm and its inward file.
struct Quadrant {
  Cell centre;
  Cell inner_out;  // rank 7 of the outward file
  Cell inner_in;   // rank 7 of the inward file
  Cell step;       // one rank towards the tip
};
constexpr std::array<Quadrant, 4> kQuadrants = {{
    {{7, 7}, {6, 7}, {6, 8}, {-1, 0}},  // south-west, drawn to the left
    {{7, 8}, {7, 9}, {8, 9}, {0, 1}},   // south-east, drawn downwards
    {{8, 8}, {9, 8}, {9, 7}, {1, 0}},   // north-east, drawn to the right
    {{8, 7}, {8, 6}, {7, 6}, {0, -1}},  // north-west, drawn upwards
}};

constexpr Cell Along(Cell from, Cell step, int ranks) {
  return {from.column + step.column * ranks, from.row + step.row * ranks};
}

constexpr std::array<Cell, kSquares> MakeCells() {
  std::array<Cell, kSquares> cells{};
  for (std::size_t q = 0; q < kQuadrants.size(); ++q) {
    const Quadrant& quadrant = kQuadrants[q];
    const std::size_t first = q * 15;
    cells[first] = quadrant.centre;
    for (std::size_t i = 0; i < 7; ++i) {
      const int rank = static_cast<int>(i);
      cells[first + 1 + i] = Along(quadrant.inner_out, quadrant.step, rank);
      cells[first + 14 - i] = Along(quadrant.inner_in, quadrant.step, rank);
    }
  }
  return cells;
}

constexpr uint64_t Reversed(uint64_t bits) {  // bit k goes to bit 63 - k
  bits = ((bits >> 1) & 0x5555555555555555u) | ((bits & 0x5555555555555555u) << 1);
  bits = ((bits >> 2) & 0x3333333333333333u) | ((bits & 0x3333333333333333u) << 2);
  bits = ((bits >> 4) & 0x0F0F0F0F0F0F0F0Fu) | ((bits & 0x0F0F0F0F0F0F0F0Fu) << 4);
  bits = ((bits >> 8) & 0x00FF00FF00FF00FFu) | ((bits & 0x00FF00FF00FF00FFu) << 8);
  bits = ((bits >> 16) & 0x0000FFFF0000FFFFu) | ((bits & 0x0000FFFF0000FFFFu) << 16);
  return (bits >> 32) | (bits << 32);
}

// Turns a circle of 60 bits: bit k goes to k + by modulo 60.
constexpr uint64_t Turned(uint64_t mask, int by) {
  return ((mask << by) | (mask >> (kSquares - by))) & kAllSquares;
}

}  // namespace

const std::array<std::array<Route, 2>, 2> kRoutes = {{
    {MakeRoute(kStartCentral, 0, 1), MakeRoute(kStartCentral, 0, -1)},
    {MakeRoute(kStartArmInner, 0, 1), MakeRoute(kStartArmInner, 0, -1)},
}};

const std::array<Cell, kSquares> kCells = MakeCells();

uint64_t OppositeMask(bool same_direction, uint64_t mask) {
  if (same_direction) return Turned(mask, 30);
  // Reversed(mask) >> 4 has bit 59 - k for bit k; wanted is 30 - k, which is 31 further round.
  return Turned(Reversed(mask) >> 4, 31);
}

}  // namespace astragal::patolli
