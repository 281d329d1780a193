#include "services/algorithms/pairing/matching.h"

#include <lemon/matching.h>
#include <lemon/smart_graph.h>

#include <array>
#include <limits>
#include <memory>

namespace astragal::algorithms {
namespace {

// A row of integers with the arithmetic that LEMON asks of a weight. Halves are exact: LEMON works
// with four times the weights it is given.
template <int kColumns>
struct Row {
  std::array<int64_t, kColumns> at;

  Row() : at{} {}
  Row(int value) : at{} { at[kColumns - 1] = value; }  // NOLINT(google-explicit-constructor)

  Row& operator+=(const Row& other) {
    for (int i = 0; i < kColumns; ++i) at[i] += other.at[i];
    return *this;
  }
  Row& operator-=(const Row& other) {
    for (int i = 0; i < kColumns; ++i) at[i] -= other.at[i];
    return *this;
  }
  friend Row operator+(Row a, const Row& b) { return a += b; }
  friend Row operator-(Row a, const Row& b) { return a -= b; }
  friend Row operator-(Row a) {
    for (int64_t& value : a.at) value = -value;
    return a;
  }
  friend Row operator*(int factor, Row a) {
    for (int64_t& value : a.at) value *= factor;
    return a;
  }
  friend Row operator/(Row a, int divisor) {
    for (int64_t& value : a.at) value /= divisor;
    return a;
  }
  friend bool operator<(const Row& a, const Row& b) {
    for (int i = 0; i < kColumns; ++i) {
      if (a.at[i] != b.at[i]) return a.at[i] < b.at[i];
    }
    return false;
  }
  friend bool operator>(const Row& a, const Row& b) { return b < a; }
  friend bool operator<=(const Row& a, const Row& b) { return !(b < a); }
  friend bool operator>=(const Row& a, const Row& b) { return !(a < b); }
  friend bool operator==(const Row& a, const Row& b) { return a.at == b.at; }
  friend bool operator!=(const Row& a, const Row& b) { return !(a == b); }
};

template <typename Value>
Value ValueOf(const int64_t* weights) {
  Value value;
  for (size_t i = 0; i < value.at.size(); ++i) value.at[i] = weights[i];
  return value;
}
template <>
int64_t ValueOf<int64_t>(const int64_t* weights) {
  return *weights;
}

}  // namespace
}  // namespace astragal::algorithms

template <int kColumns>
struct std::numeric_limits<astragal::algorithms::Row<kColumns>> {
  static constexpr bool is_specialized = true;
  static constexpr bool is_integer = true;
  static constexpr bool is_signed = true;
  static astragal::algorithms::Row<kColumns> max() {
    astragal::algorithms::Row<kColumns> largest;
    largest.at.fill(std::numeric_limits<int64_t>::max() / 2);
    return largest;
  }
};

namespace astragal::algorithms {
namespace {

using Graph = lemon::SmartGraph;

enum class Others { kTold, kLeftOut };

template <typename Value>
class Solver {
 public:
  using Weights = Graph::EdgeMap<Value>;
  using Matching = lemon::MaxWeightedPerfectMatching<Graph, Weights>;

  explicit Solver(const WeightedGraph& given) : given_(given), weights_(graph_) {}

  bool Solve(Others others, PerfectMatchings& found) {
    Build(given_.columns);
    Matching matching(graph_, weights_);
    matching.fractionalInit();
    if (!matching.start()) return false;
    found.mate.resize(static_cast<size_t>(given_.vertices));
    for (int i = 0; i < given_.vertices; ++i) {
      found.mate[i] = Graph::id(matching.mate(Graph::nodeFromId(i)));
    }
    if (others == Others::kTold) FillPossible(matching, found);
    return true;
  }

 private:
  void Build(int columns) {
    graph_.reserveNode(given_.vertices);
    graph_.reserveEdge(static_cast<int>(given_.edges.size()));
    for (int i = 0; i < given_.vertices; ++i) graph_.addNode();
    const int64_t* row = given_.weights.data();
    // Columns that the graph leaves out are nought.
    std::array<int64_t, kMatchingColumns> padded{};
    for (const auto& [a, b] : given_.edges) {
      const Graph::Edge edge = graph_.addEdge(Graph::nodeFromId(a), Graph::nodeFromId(b));
      std::copy(row, row + columns, padded.begin());
      weights_[edge] = ValueOf<Value>(padded.data());
      row += columns;
    }
  }

  // Complementary slackness: a heaviest matching uses only edges whose weight the dual solution
  // meets exactly, and leaves each odd set with a positive dual through one edge.
  void FillPossible(const Matching& matching, PerfectMatchings& found) {
    const size_t edges = given_.edges.size();
    std::vector<Value> slack(edges);
    for (size_t i = 0; i < edges; ++i) {
      const auto& [a, b] = given_.edges[i];
      slack[i] = matching.nodeValue(Graph::nodeFromId(a)) +
                 matching.nodeValue(Graph::nodeFromId(b)) -
                 Matching::dualScale * weights_[Graph::edgeFromId(static_cast<int>(i))];
    }
    found.exact = true;
    std::vector<char> inside(static_cast<size_t>(given_.vertices));
    for (int k = 0; k < matching.blossomNum(); ++k) {
      const Value value = matching.blossomValue(k);
      if (value == Value(0)) continue;
      found.exact = false;
      std::fill(inside.begin(), inside.end(), 0);
      for (typename Matching::BlossomIt it(matching, k); it != lemon::INVALID; ++it) {
        inside[Graph::id(it)] = 1;
      }
      for (size_t i = 0; i < edges; ++i) {
        if (inside[given_.edges[i].first] && inside[given_.edges[i].second]) slack[i] += value;
      }
    }
    found.possible.resize(edges);
    for (size_t i = 0; i < edges; ++i) found.possible[i] = !(Value(0) < slack[i]);
  }

  const WeightedGraph& given_;
  Graph graph_;
  Weights weights_;
};

std::optional<PerfectMatchings> Solve(const WeightedGraph& graph, Others others) {
  PerfectMatchings found;
  found.exact = true;
  if (graph.vertices == 0) return found;
  if (graph.vertices % 2 != 0) return std::nullopt;
  const bool solved = graph.columns <= 1   ? Solver<int64_t>(graph).Solve(others, found)
                      : graph.columns <= 2 ? Solver<Row<2>>(graph).Solve(others, found)
                      : graph.columns <= 4 ? Solver<Row<4>>(graph).Solve(others, found)
                      : graph.columns <= 8
                          ? Solver<Row<8>>(graph).Solve(others, found)
                          : Solver<Row<kMatchingColumns>>(graph).Solve(others, found);
  if (!solved) return std::nullopt;
  return found;
}

}  // namespace

std::optional<std::vector<int>> HeaviestPerfectMatching(const WeightedGraph& graph) {
  std::optional<PerfectMatchings> found = Solve(graph, Others::kLeftOut);
  if (!found) return std::nullopt;
  return std::move(found->mate);
}

std::optional<PerfectMatchings> HeaviestPerfectMatchings(const WeightedGraph& graph) {
  return Solve(graph, Others::kTold);
}

std::vector<int> LargestMatching(int vertices, const std::vector<std::pair<int, int>>& edges) {
  Graph graph;
  for (int i = 0; i < vertices; ++i) graph.addNode();
  for (const auto& [a, b] : edges) graph.addEdge(Graph::nodeFromId(a), Graph::nodeFromId(b));
  lemon::MaxMatching<Graph> matching(graph);
  matching.run();
  std::vector<int> mate(static_cast<size_t>(vertices), -1);
  for (int i = 0; i < vertices; ++i) {
    const Graph::Node other = matching.mate(Graph::nodeFromId(i));
    if (other != lemon::INVALID) mate[i] = Graph::id(other);
  }
  return mate;
}

}  // namespace astragal::algorithms
