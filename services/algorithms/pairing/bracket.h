// One bracket of the Dutch system: see dutch.h.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_BRACKET_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_BRACKET_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "services/algorithms/pairing/criteria.h"
#include "services/algorithms/pairing/matching.h"
#include "services/algorithms/pairing/swiss.h"

namespace astragal::algorithms {

// Pairs one bracket. Made for it and used once.
class BracketPairer {
 public:
  explicit BracketPairer(const Bracket& bracket);

  // False when nobody could be paired with everybody else still having somebody: cannot happen when
  // the round can be completed.
  bool Pair();

  // Pairs made in this bracket, the better player first.
  const std::vector<std::pair<int, int>>& pairs() const { return pairs_; }

 private:
  struct Edge {
    int upper;  // field index; the better one
    int lower;  // the bye is field.size()
  };

  void AddEdges();
  // Finds the best matching by the criteria and then by what `extra(edge, row)` writes into
  // `columns` more columns; drops edges that no best matching uses.
  template <typename Extra>
  bool Solve(int columns, Extra extra);
  // Drops edges for which `drop(edge)` holds.
  template <typename Drop>
  void DropEdges(Drop drop);
  bool Inside(const Edge& edge) const { return edge.lower < bracket_.end && edge.lower >= 0; }
  // Paired in this bracket, as the last matching has it.
  bool PairedInside(int player) const;
  void Fix(int upper, int lower);

  bool ChooseMoved();
  bool ChooseExchanges();
  bool SolveExchanges(int pairs, int& exchanges);
  bool ExchangeUpper(int pairs, int exchanges);
  bool ExchangeLower(int pairs, int exchanges);
  bool Transpose();
  bool TransposeChunk(size_t from);

  const Bracket& bracket_;
  Criteria criteria_;
  std::vector<Edge> edges_;
  std::vector<int64_t> rows_;  // base_columns_ for each edge
  int base_columns_;
  std::vector<int> mate_;       // by field index, of the last matching
  std::vector<char> gone_;      // by field index: paired for good
  std::vector<int> remainder_;  // residents that are left to each other
  std::vector<int> place_;      // by field index: place in the remainder
  std::vector<int> upper_;      // those of the remainder that get an opponent below them
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_PAIRING_BRACKET_H_
