// Perfect matchings of a graph: the only door to LEMON, whose header needs C++17 and is behind it.
//
// A weight is a row of integers. Rows are added column by column and compared like words, so that a
// list of criteria is one weight, however long it is: of two matchings the better one is better in
// the first column in which their sums differ. Pure functions, no state; memory is of the order of
// the edges times the columns.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_MATCHING_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_MATCHING_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace astragal::algorithms {

// Widest row that HeaviestPerfectMatching takes, and the bits a number in it may have, sign apart:
// sums along a path through a graph of thousands of vertices must not overflow.
inline constexpr int kMatchingColumns = 16;
inline constexpr int kMatchingBits = 44;

struct WeightedGraph {
  int vertices = 0;
  int columns = 1;                         // 1 to kMatchingColumns
  std::vector<std::pair<int, int>> edges;  // each pair at most once, never a vertex with itself
  std::vector<int64_t> weights;            // `columns` of each edge, in the order of the edges
};

// The other vertex of each, by vertex. nullopt when the graph has no perfect matching.
std::optional<std::vector<int>> HeaviestPerfectMatching(const WeightedGraph& graph);

// One of the heaviest perfect matchings, and where the others lie.
struct PerfectMatchings {
  std::vector<int> mate;  // by vertex
  // By edge: false when no heaviest perfect matching uses it. (True promises nothing.)
  std::vector<bool> possible;
  // True when every perfect matching of possible edges is a heaviest one.
  bool exact = false;
};

// The same matching as the function above finds, with what that leaves out: in a graph of thousands
// of vertices the rest can take many times as long.
std::optional<PerfectMatchings> HeaviestPerfectMatchings(const WeightedGraph& graph);

// As many pairs as can be, whatever they weigh; -1 for who stays alone.
std::vector<int> LargestMatching(int vertices, const std::vector<std::pair<int, int>>& edges);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_MATCHING_H_
