// The board of Ashtapada and the four routes over it: constant tables, made at compile time.
//
// A square is file + 8 * (rank - 1), 0 (A1) to 63 (H8). A route is 61 squares: own index 0 is the
// entry box, 60 the keep. Every seat's route is the one of the seat before it turned by a quarter,
// so only South's is written down. Thread contract: constants.
#ifndef ASTRAGAL_PLUGINS_ASHTAPADA_GEOMETRY_H_
#define ASTRAGAL_PLUGINS_ASHTAPADA_GEOMETRY_H_

#include <array>
#include <cstdint>
#include <string_view>

namespace astragal::ashtapada {

inline constexpr int kSeats = 4;
inline constexpr int kSquares = 64;
inline constexpr int kHand = -1;
inline constexpr int kKeep = 60;
inline constexpr int kOff = 61;
inline constexpr int kRouteLength = 61;
inline constexpr uint8_t kNowhere = 255;

// Numbered so that two players are South and North and three are South, North and West.
enum Seat : uint8_t { kSouth = 0, kNorth = 1, kWest = 2, kEast = 3 };

inline constexpr const char* kSeatNames[kSeats] = {"south", "north", "west", "east"};
inline constexpr const char* kSeatTitles[kSeats] = {"South", "North", "West", "East"};
inline constexpr char kSeatLetters[kSeats] = {'S', 'N', 'W', 'E'};

// Play passes to the left: S, W, N, E without the seats that are not there.
inline constexpr uint8_t kPlayOrder[kSeats + 1][kSeats] = {
    {}, {}, {kSouth, kNorth}, {kSouth, kWest, kNorth}, {kSouth, kWest, kNorth, kEast}};
inline constexpr uint8_t kLeftOf[kSeats + 1][kSeats] = {
    {}, {}, {kNorth, kSouth}, {kWest, kSouth, kNorth}, {kWest, kEast, kNorth, kSouth}};

inline constexpr std::string_view kSouthRoute =
    "E1F1G1H1H2H3H4H5H6H7H8G8F8E8D8C8B8A8A7A6A5A4A3A2A1B1C1D1"
    "D2C2B2B3B4B5B6B7C7D7E7F7G7G6G5G4G3G2F2E2"
    "E3F3F4F5F6E6D6C6C5C4C3D3D4";
static_assert(kSouthRoute.size() == 2 * kRouteLength);

// The same for every route, because the marked boxes are symmetric under turns and mirrors.
inline constexpr uint64_t kMarkedIndices = [] {
  uint64_t bits = uint64_t{1} << kKeep;
  for (const int index : {0, 3, 6, 7, 10, 13, 14, 17, 20, 21, 24, 27}) bits |= uint64_t{1} << index;
  return bits;
}();

constexpr bool IsMarkedIndex(int index) { return (kMarkedIndices >> index & 1) != 0; }

constexpr bool IsMarkedSquare(int square) {
  const int file = square % 8;
  const int rank = square / 8;
  const auto at_end_or_middle = [](int line) {
    return line == 0 || line == 3 || line == 4 || line == 7;
  };
  const bool in_centre = (file == 3 || file == 4) && (rank == 3 || rank == 4);
  const bool on_rim = file == 0 || file == 7 || rank == 0 || rank == 7;
  return in_centre || (on_rim && at_end_or_middle(file) && at_end_or_middle(rank));
}

// Entry box on the right of the middle, or on the left (the route mirrored).
enum EntryBox : uint8_t { kRight = 0, kLeft = 1 };

struct Routes {
  std::array<std::array<std::array<uint8_t, kRouteLength>, kSeats>, 2> square;
  std::array<std::array<std::array<uint8_t, kSquares>, kSeats>, 2> index;  // kNowhere: not on it
};

inline constexpr Routes kRoutes = [] {
  Routes routes{};
  for (auto& box : routes.index) {
    for (auto& route : box) route.fill(kNowhere);
  }
  constexpr Seat kTurned[kSeats] = {kSouth, kEast, kNorth, kWest};  // each a quarter further
  for (int box = 0; box < 2; ++box) {
    for (int k = 0; k < kRouteLength; ++k) {
      int file = kSouthRoute[2 * k] - 'A';
      int rank = kSouthRoute[2 * k + 1] - '1';
      if (box == kLeft) file = 7 - file;
      for (const Seat seat : kTurned) {
        const int square = file + 8 * rank;
        routes.square[box][seat][k] = static_cast<uint8_t>(square);
        routes.index[box][seat][square] = static_cast<uint8_t>(k);
        const int turned_file = 7 - rank;
        rank = file;
        file = turned_file;
      }
    }
  }
  return routes;
}();

// Place ids: the squares, then a hand and a tray for borne-off pieces per seat.
constexpr int HandPlace(int seat) { return kSquares + 2 * seat; }
constexpr int OffPlace(int seat) { return kSquares + 2 * seat + 1; }
inline constexpr int kPlaces = kSquares + 2 * kSeats;

}  // namespace astragal::ashtapada

#endif  // ASTRAGAL_PLUGINS_ASHTAPADA_GEOMETRY_H_
