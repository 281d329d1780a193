#include "services/algorithms/pairing/tables.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace astragal::algorithms {
namespace {

constexpr int64_t kMeeting = 1000;
constexpr int64_t kShortAgain = 50;
constexpr int kReach = 2;    // tables above and below with which players are exchanged
constexpr int kPasses = 50;  // each over all tables; almost always a few are enough

int64_t Squared(int64_t value) { return value * value; }

class Seater {
 public:
  Seater(const std::vector<TableEntrant>& entrants, int largest, uint64_t seed)
      : entrants_(entrants), largest_(largest), random_(seed) {}

  void Improve(std::vector<std::vector<int>>& tables) {
    costs_.clear();
    for (const std::vector<int>& table : tables) {
      costs_.push_back(CostOfTable(entrants_, table, largest_));
    }
    for (int pass = 0; pass < kPasses; ++pass) {
      bool better = false;
      for (size_t a = 0; a < tables.size(); ++a) {
        const size_t end = std::min(a + kReach + 1, tables.size());
        for (size_t b = a + 1; b < end; ++b) better = ImproveTwo(tables, a, b) || better;
      }
      if (!better) return;
    }
  }

  // Who had the first seat least often gets it; lots decide between equals.
  void OrderSeats(std::vector<int>& table) {
    std::shuffle(table.begin(), table.end(), random_);
    std::stable_sort(table.begin(), table.end(), [this](int a, int b) {
      return entrants_[a].first_seats < entrants_[b].first_seats;
    });
  }

 private:
  bool ImproveTwo(std::vector<std::vector<int>>& tables, size_t a, size_t b) {
    bool better = false;
    for (int& one : tables[a]) {
      for (int& two : tables[b]) {
        std::swap(one, two);
        const int64_t cost_a = CostOfTable(entrants_, tables[a], largest_);
        const int64_t cost_b = CostOfTable(entrants_, tables[b], largest_);
        if (cost_a + cost_b < costs_[a] + costs_[b]) {
          costs_[a] = cost_a;
          costs_[b] = cost_b;
          better = true;
        } else {
          std::swap(one, two);
        }
      }
    }
    return better;
  }

  const std::vector<TableEntrant>& entrants_;
  const int largest_;
  std::mt19937_64 random_;
  std::vector<int64_t> costs_;
};

}  // namespace

std::vector<int> TableSizes(int players, int largest, int smallest) {
  // One of five who rests makes the others' table no better than two who rest.
  if (players == 5 && largest == 4 && smallest == 3) return {3};
  const int size = largest - 1;  // of a table that is not full
  const int most_pairs = smallest == 2 && size > 2 ? 1 : 0;
  for (int seated = players; seated >= smallest; --seated) {
    for (int pairs = 0; pairs <= most_pairs; ++pairs) {
      for (int full = (seated - 2 * pairs) / largest; full >= 0; --full) {
        const int others = seated - 2 * pairs - full * largest;
        if (others < 0 || (size < smallest ? others > 0 : others % size != 0)) continue;
        std::vector<int> sizes(static_cast<size_t>(full), largest);
        if (others > 0) sizes.resize(sizes.size() + static_cast<size_t>(others / size), size);
        if (pairs > 0) sizes.push_back(2);
        return sizes;
      }
    }
  }
  return {};
}

int64_t CostOfTable(const std::vector<TableEntrant>& entrants, const std::vector<int>& table,
                    int largest) {
  int64_t cost = 0;
  int lowest = entrants[table[0]].points2;
  int highest = lowest;
  int fewest_first = entrants[table[0]].first_seats;
  const bool is_short = static_cast<int>(table.size()) < largest;
  for (const int player : table) {
    const TableEntrant& entrant = entrants[player];
    lowest = std::min(lowest, entrant.points2);
    highest = std::max(highest, entrant.points2);
    fewest_first = std::min(fewest_first, entrant.first_seats);
    if (is_short) cost += kShortAgain * entrant.short_tables;
    for (const int other : table) {
      if (other <= player) continue;
      const int64_t met = std::count(entrant.met.begin(), entrant.met.end(), other);
      cost += kMeeting * Squared(met);
    }
  }
  return cost + Squared(highest - lowest) + fewest_first;
}

TableRound SeatTables(const std::vector<TableEntrant>& entrants, int largest, int smallest,
                      uint64_t seed) {
  TableRound round;
  const std::vector<int> sizes = TableSizes(static_cast<int>(entrants.size()), largest, smallest);
  const int seats = std::accumulate(sizes.begin(), sizes.end(), 0);
  std::vector<int> order(entrants.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return entrants[a].points2 > entrants[b].points2; });
  while (static_cast<int>(order.size()) > seats) {
    // The lowest of those with the fewest byes: from the end.
    const auto fewest = std::min_element(order.rbegin(), order.rend(), [&](int a, int b) {
      return entrants[a].byes < entrants[b].byes;
    });
    round.byes.push_back(*fewest);
    order.erase(std::next(fewest).base());
  }
  auto next = order.begin();
  for (const int size : sizes) {
    round.tables.emplace_back(next, next + size);
    next += size;
  }
  Seater seater(entrants, largest, seed);
  seater.Improve(round.tables);
  for (std::vector<int>& table : round.tables) seater.OrderSeats(table);
  return round;
}

std::vector<int> TablePoints2(const std::vector<int>& places) {
  const int seats = static_cast<int>(places.size());
  std::vector<int> points(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    int better = 0;
    int equal = 0;
    for (const int place : places) {
      better += place < places[i];
      equal += place == places[i];
    }
    // The points of the places that the equal ones share: 12 for the first one of a table, nothing
    // for the last, in equal steps.
    const int step = seats > 1 ? 12 / (seats - 1) : 0;
    const int sum = equal * 12 - step * (equal * better + equal * (equal - 1) / 2);
    points[i] = sum / equal;
  }
  return points;
}

}  // namespace astragal::algorithms
