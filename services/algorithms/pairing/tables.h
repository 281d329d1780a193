// Swiss for tables of three and four seats. Pure, and the same for the same seed.
//
// Players are sorted by points and cut into tables from the top; then players of near tables change
// places as long as that is better. A table is the better the fewer of its players have met, the
// nearer their points are, the fewer of them have sat at a short table before, and the more evenly
// first seats are spread.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TABLES_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TABLES_H_

#include <cstdint>
#include <vector>

namespace astragal::algorithms {

struct TableEntrant {
  int points2 = 0;       // twice the points so far
  int first_seats = 0;   // how often they had the first seat
  int short_tables = 0;  // how often they sat at a table that was not full
  int byes = 0;
  std::vector<int> met;  // indices of all they have sat with; once for each time
};

struct TableRound {
  std::vector<std::vector<int>> tables;  // indices in the order of the seats; the best table first
  std::vector<int> byes;
};

// Sizes of the tables for so many players, largest first: nobody rests who need not, then as few
// tables that are not full as can be, and at most one of two (with `smallest` 2). Five at tables of
// four and three are one table of three and two who rest. Whoever finds no seat gets a bye.
std::vector<int> TableSizes(int players, int largest, int smallest);

// `largest` 3 or 4. Byes go to the lowest of those who had the fewest.
TableRound SeatTables(const std::vector<TableEntrant>& entrants, int largest, int smallest,
                      uint64_t seed);

// The cost that SeatTables makes small; for tests and explanations.
int64_t CostOfTable(const std::vector<TableEntrant>& entrants, const std::vector<int>& table,
                    int largest);

// Twice the points of each seat, from places (1 is the best; equal places share): 12 8 4 0 for four
// seats, 12 6 0 for three, 12 0 for two, so that a short table is neither gift nor penalty.
std::vector<int> TablePoints2(const std::vector<int>& places);
inline constexpr int kTableBye2 = 6;

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_TABLES_H_
