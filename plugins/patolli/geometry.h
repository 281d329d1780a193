// The board of Patolli: 60 track squares on a cross with two bands, what is special about them, and
// the way each side runs over them.
//
// Two numberings. A *square* is 0..59, anticlockwise from Red's central square, the same for both
// sides. An *own index* counts a side's steps from its start square in its direction: 0 is the
// start (never occupied by its owner), 1..58 are in play, 59 is the last square, where a piece is
// home.
//
// Sets of squares or own indices are 64-bit masks, bit k for number k. All here is constant data
// and pure functions; any thread.
#ifndef ASTRAGAL_PLUGINS_PATOLLI_GEOMETRY_H_
#define ASTRAGAL_PLUGINS_PATOLLI_GEOMETRY_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace astragal::patolli {

inline constexpr int kSquares = 60;
inline constexpr int kLast = 59;   // own index at which a piece is home
inline constexpr int kPieces = 6;  // of a side
inline constexpr uint64_t kAllSquares = (uint64_t{1} << kSquares) - 1;

constexpr uint64_t Bit(int k) { return uint64_t{1} << k; }

// Values of the option start_square; they index the tables below.
enum StartSquare : uint8_t { kStartCentral = 0, kStartArmInner = 1 };
// Values of the option wedge_ranks.
enum WedgeRanks : uint8_t { kWedgeThird = 0, kWedgeFourth = 1, kWedgeBoth = 2 };

constexpr int StartOf(int start_square, int seat) { return start_square + 30 * seat; }

constexpr int SquareOf(int start_square, int seat, int direction, int own) {
  return (StartOf(start_square, seat) + direction * own + 2 * kSquares) % kSquares;
}

template <class... Number>
constexpr uint64_t MaskOf(Number... number) {
  return (Bit(number) | ...);
}

// Special squares, as squares.
inline constexpr uint64_t kMiddle = MaskOf(0, 15, 30, 45);
inline constexpr uint64_t kRounded = MaskOf(7, 8, 22, 23, 37, 38, 52, 53);
inline constexpr uint64_t kWedgesThird = MaskOf(5, 10, 20, 25, 35, 40, 50, 55);
inline constexpr uint64_t kWedgesFourth = MaskOf(4, 11, 19, 26, 34, 41, 49, 56);
inline constexpr std::array<uint64_t, 3> kWedges = {kWedgesThird, kWedgesFourth,
                                                    kWedgesThird | kWedgesFourth};

// Special squares as own indices of a side that starts and runs in one way. They do not depend on
// the seat: half a turn of the board maps each set onto itself.
struct Route {
  uint64_t middle;
  uint64_t rounded;
  std::array<uint64_t, 3> wedges;  // by option wedge_ranks
};

// Row of kRoutes for a direction, +1 (anticlockwise) or -1.
constexpr int RouteIndex(int direction) { return direction > 0 ? 0 : 1; }
extern const std::array<std::array<Route, 2>, 2> kRoutes;  // [start_square][RouteIndex]

inline const Route& RouteOf(int start_square, int direction) {
  return kRoutes[static_cast<std::size_t>(start_square)]
                [static_cast<std::size_t>(RouteIndex(direction))];
}

// The other side's own index of the square that a side calls `own`. The two starts are half a
// circuit apart, so this only depends on whether both run the same way.
constexpr int OppositeIndex(bool same_direction, int own) {
  return (same_direction ? own + 30 : 90 - own) % kSquares;
}

// The same for a whole mask.
uint64_t OppositeMask(bool same_direction, uint64_t mask);

// Place ids of the border: squares are their own ids, then a hand and a tray of finished pieces
// each.
constexpr int HandPlace(int seat) { return kSquares + seat; }
constexpr int HomePlace(int seat) { return kSquares + 2 + seat; }
inline constexpr int kPlaces = kSquares + 4;

// Where a square is drawn on the 16x16 grid, counted from the top left. The saltire is turned by an
// eighth so that its arms lie along the axes.
struct Cell {
  int column;
  int row;
};
extern const std::array<Cell, kSquares> kCells;

}  // namespace astragal::patolli

#endif  // ASTRAGAL_PLUGINS_PATOLLI_GEOMETRY_H_
