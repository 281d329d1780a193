#include "services/algorithms/pairing/bracket.h"

#include <algorithm>

namespace astragal::algorithms {
namespace {

// Columns for choices beside those of the criteria: more of them settle more players in one
// matching, and make each step of it dearer.
constexpr int kChoiceColumns = 4;

}  // namespace

BracketPairer::BracketPairer(const Bracket& bracket)
    : bracket_(bracket),
      criteria_(bracket),
      base_columns_(criteria_.columns()),
      mate_(static_cast<size_t>(bracket.field->size()) + 1, kNobody),
      gone_(mate_.size(), 0),
      place_(mate_.size(), kNobody) {
  AddEdges();
}

void BracketPairer::AddEdges() {
  const SwissField& field = *bracket_.field;
  const int players = field.size();
  const auto add = [&](int upper, int lower) {
    edges_.push_back({upper, lower});
    rows_.resize(rows_.size() + static_cast<size_t>(base_columns_), 0);
    criteria_.Weigh(upper, lower, rows_.data() + rows_.size() - base_columns_);
  };
  std::fill(gone_.begin(), gone_.begin() + bracket_.begin, 1);
  for (const int player : bracket_.moved) gone_[player] = 0;
  gone_[players] = !bracket_.bye;
  for (int upper = 0; upper < players; ++upper) {
    if (gone_[upper]) continue;
    // Who moved down meets residents, or somebody below them, and never each other.
    for (int lower = std::max(upper + 1, bracket_.begin); lower < players; ++lower) {
      if (field.MayMeet(upper, lower)) add(upper, lower);
    }
    if (!bracket_.bye) continue;
    if (field[upper].may_have_bye && field[upper].score == bracket_.bye_score) add(upper, players);
  }
}

template <typename Extra>
bool BracketPairer::Solve(int columns, Extra extra) {
  WeightedGraph graph;
  std::vector<int> vertex_of(gone_.size(), kNobody);
  std::vector<int> player_of;
  for (size_t i = 0; i < gone_.size(); ++i) {
    if (gone_[i]) continue;
    vertex_of[i] = graph.vertices++;
    player_of.push_back(static_cast<int>(i));
  }
  graph.columns = std::max(base_columns_ + columns, 1);
  graph.weights.assign(edges_.size() * static_cast<size_t>(graph.columns), 0);
  graph.edges.reserve(edges_.size());
  for (size_t i = 0; i < edges_.size(); ++i) {
    graph.edges.emplace_back(vertex_of[edges_[i].upper], vertex_of[edges_[i].lower]);
    int64_t* const row = graph.weights.data() + i * static_cast<size_t>(graph.columns);
    std::copy_n(rows_.data() + i * static_cast<size_t>(base_columns_), base_columns_, row);
    if (columns > 0) extra(edges_[i], row + base_columns_);
  }
  const std::optional<PerfectMatchings> found = HeaviestPerfectMatchings(graph);
  if (!found.has_value()) return false;
  for (int i = 0; i < graph.vertices; ++i) mate_[player_of[i]] = player_of[found->mate[i]];
  if (found->exact) {
    base_columns_ = 0;
    rows_.clear();
  }
  size_t at = 0;
  DropEdges([&](const Edge&) { return !found->possible[at++]; });
  return true;
}

template <typename Drop>
void BracketPairer::DropEdges(Drop drop) {
  const size_t columns = static_cast<size_t>(base_columns_);
  size_t kept = 0;
  for (size_t i = 0; i < edges_.size(); ++i) {
    if (drop(edges_[i])) continue;
    edges_[kept] = edges_[i];
    if (kept != i) {
      std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(i * columns), columns,
                  rows_.begin() + static_cast<std::ptrdiff_t>(kept * columns));
    }
    ++kept;
  }
  edges_.resize(kept);
  rows_.resize(kept * columns);
}

bool BracketPairer::PairedInside(int player) const {
  const int other = mate_[player];
  if (other == kNobody || other >= bracket_.end) return false;
  return player >= bracket_.begin || other >= bracket_.begin;
}

void BracketPairer::Fix(int upper, int lower) {
  pairs_.emplace_back(upper, lower);
  gone_[upper] = gone_[lower] = 1;
}

bool BracketPairer::Pair() {
  if (bracket_.moved.size() + static_cast<size_t>(bracket_.end - bracket_.begin) < 2) return true;
  if (!ChooseMoved()) return false;
  return ChooseExchanges() && Transpose();
}

// Article 4.4 and 3.5: which of the moved players are paired here, best first; then their
// opponents, the best possible one for the best of them.
bool BracketPairer::ChooseMoved() {
  const std::vector<int>& moved = bracket_.moved;
  const int residents = bracket_.end - bracket_.begin;
  std::vector<Packer::Slot> inside_slot(moved.size());
  std::vector<Packer::Slot> opponent_slot(moved.size());
  std::vector<int> order(gone_.size(), kNobody);
  for (size_t i = 0; i < moved.size(); ++i) order[moved[i]] = static_cast<int>(i);
  const size_t questions = 2 * moved.size();
  for (size_t from = 0, to = 0; from < questions; from = to) {
    Packer packer;
    for (; to < questions; ++to) {
      const size_t i = to % moved.size();
      const Packer before = packer;
      (to < moved.size() ? inside_slot : opponent_slot)[i] =
          packer.Add(to < moved.size() ? 1 : residents);
      if (packer.columns() <= kChoiceColumns) continue;
      packer = before;
      break;
    }
    const auto asked = [&](size_t question) { return question >= from && question < to; };
    const bool solved = Solve(packer.columns(), [&](const Edge& edge, int64_t* row) {
      const int i = order[edge.upper];
      if (i == kNobody || !Inside(edge)) return;
      if (asked(static_cast<size_t>(i))) Put(row, inside_slot[i], 1);
      if (!asked(static_cast<size_t>(i) + moved.size())) return;
      Put(row, opponent_slot[i], bracket_.end - edge.lower);
    });
    if (!solved) return false;
    DropEdges([&](const Edge& edge) {
      const int i = order[edge.upper];
      if (i == kNobody || !asked(static_cast<size_t>(i))) return false;
      return Inside(edge) != PairedInside(edge.upper);
    });
    for (size_t question = std::max(from, moved.size()); question < to; ++question) {
      const int player = moved[question - moved.size()];
      if (PairedInside(player)) Fix(player, mate_[player]);
    }
    DropEdges([&](const Edge& edge) { return gone_[edge.upper] || gone_[edge.lower]; });
  }
  return true;
}

// Article 4.3: those that are not paired with somebody moved down are a bracket of their own. The
// better half of them (upper) meets the other one; exchanges between the halves are as few, and as
// near, as can be.
bool BracketPairer::ChooseExchanges() {
  remainder_.clear();
  for (int i = bracket_.begin; i < bracket_.end; ++i) {
    if (gone_[i]) continue;
    place_[i] = static_cast<int>(remainder_.size());
    remainder_.push_back(i);
  }
  const auto count_pairs = [&] {
    return static_cast<int>(std::count_if(remainder_.begin(), remainder_.end(), [&](int player) {
      return PairedInside(player) && mate_[player] > player;
    }));
  };
  int exchanges = 0;
  int pairs = static_cast<int>(remainder_.size()) / 2;
  if (bracket_.moved.empty()) {
    // Nothing is solved yet: all criteria and the exchanges in one go, if as many pairs as there
    // could be can be made.
    const std::vector<Edge> edges = edges_;
    const std::vector<int64_t> rows = rows_;
    const int columns = base_columns_;
    if (!SolveExchanges(pairs, exchanges)) return false;
    if (count_pairs() != pairs) {
      pairs = count_pairs();
      edges_ = edges;
      rows_ = rows;
      base_columns_ = columns;
      if (!SolveExchanges(pairs, exchanges)) return false;
    }
  } else {
    pairs = count_pairs();
    if (pairs > 0 && !SolveExchanges(pairs, exchanges)) return false;
  }
  if (exchanges > 0 && !(ExchangeUpper(pairs, exchanges) && ExchangeLower(pairs, exchanges))) {
    return false;
  }
  std::vector<char> is_upper(gone_.size(), 0);
  for (const int player : remainder_) {
    if (!PairedInside(player) || mate_[player] < player) continue;
    upper_.push_back(player);
    is_upper[player] = 1;
  }
  // When nobody of them floats, all others have found each other and make no difference any more.
  const bool closed = 2 * upper_.size() == remainder_.size();
  for (size_t i = 0; closed && i < gone_.size(); ++i) {
    if (place_[i] == kNobody) gone_[i] = 1;
  }
  DropEdges([&](const Edge& edge) {
    if (gone_[edge.upper] || gone_[edge.lower]) return true;
    if (place_[edge.upper] == kNobody) return false;
    if (is_upper[edge.upper]) return !Inside(edge) || is_upper[edge.lower] != 0;
    return Inside(edge);
  });
  return true;
}

bool BracketPairer::SolveExchanges(int pairs, int& exchanges) {
  const int size = static_cast<int>(remainder_.size());
  Packer packer;
  const Packer::Slot count = packer.Add(size);
  const Packer::Slot sum = packer.Add(int64_t{size} * size);
  const bool solved = Solve(packer.columns(), [&](const Edge& edge, int64_t* row) {
    const int place = place_[edge.upper];
    if (place == kNobody || !Inside(edge)) return;
    Put(row, count, place < pairs);
    Put(row, sum, -place);
  });
  exchanges = 0;
  for (int i = 0; solved && i < pairs; ++i) {
    const int player = remainder_[i];
    exchanges += !(PairedInside(player) && mate_[player] > player);
  }
  return solved;
}

// Which of the better half go: the lowest ones that can.
bool BracketPairer::ExchangeUpper(int pairs, int exchanges) {
  const int size = static_cast<int>(remainder_.size());
  for (int from = pairs - 1, to = 0; from >= 0 && exchanges > 0; from = to - 1) {
    to = std::max(from - kMatchingBits + 1, 0);
    Packer packer;
    const Packer::Slot count = packer.Add(size);
    const Packer::Slot sum = packer.Add(int64_t{size} * size);
    std::vector<Packer::Slot> slots;
    for (int i = from; i >= to; --i) slots.push_back(packer.Add(1));
    const bool solved = Solve(packer.columns(), [&](const Edge& edge, int64_t* row) {
      const int place = place_[edge.upper];
      if (place == kNobody || !Inside(edge)) return;
      Put(row, count, place < pairs);
      Put(row, sum, -place);
      if (place <= from && place >= to) Put(row, slots[from - place], -1);
    });
    if (!solved) return false;
    const auto exchanged = [&](int player) {
      return !(PairedInside(player) && mate_[player] > player);
    };
    for (int i = from; i >= to; --i) exchanges -= exchanged(remainder_[i]);
    DropEdges([&](const Edge& edge) {
      const int high = place_[edge.upper];
      const int low = edge.lower < bracket_.end ? place_[edge.lower] : kNobody;
      const bool ends_upper = high <= from && high >= to && high != kNobody;
      const bool ends_lower = low <= from && low >= to && low != kNobody;
      if (ends_upper && Inside(edge) && exchanged(edge.upper)) return true;
      if (ends_upper && !Inside(edge) && !exchanged(edge.upper)) return true;
      return ends_lower && !exchanged(edge.lower);
    });
  }
  return true;
}

// Which of the other half come: the highest ones that can.
bool BracketPairer::ExchangeLower(int pairs, int exchanges) {
  const int size = static_cast<int>(remainder_.size());
  for (int from = pairs, to = 0; from < size && exchanges > 0; from = to) {
    to = std::min(from + kMatchingBits, size);
    Packer packer;
    const Packer::Slot count = packer.Add(size);
    const Packer::Slot sum = packer.Add(int64_t{size} * size);
    std::vector<Packer::Slot> slots;
    for (int i = from; i < to; ++i) slots.push_back(packer.Add(1));
    const bool solved = Solve(packer.columns(), [&](const Edge& edge, int64_t* row) {
      const int place = place_[edge.upper];
      if (place == kNobody || !Inside(edge)) return;
      Put(row, count, place < pairs);
      Put(row, sum, -place);
      if (place >= from && place < to) Put(row, slots[place - from], 1);
    });
    if (!solved) return false;
    const auto exchanged = [&](int player) {
      return PairedInside(player) && mate_[player] > player;
    };
    for (int i = from; i < to; ++i) exchanges -= exchanged(remainder_[i]);
    DropEdges([&](const Edge& edge) {
      const int high = place_[edge.upper];
      const int low = edge.lower < bracket_.end ? place_[edge.lower] : kNobody;
      const bool ends_upper = high >= from && high < to;
      const bool ends_lower = low >= from && low < to;
      if (ends_upper && Inside(edge) && !exchanged(edge.upper)) return true;
      if (ends_upper && !Inside(edge) && exchanged(edge.upper)) return true;
      return ends_lower && exchanged(edge.lower);
    });
  }
  return true;
}

// Article 4.2: the best of the upper half gets the best opponent that can be, then the next one.
bool BracketPairer::Transpose() {
  for (size_t i = 0; i < upper_.size(); ++i) {
    int best = kNobody;
    for (const Edge& edge : edges_) {
      if (edge.upper != upper_[i] || gone_[edge.lower]) continue;
      if (best == kNobody || edge.lower < best) best = edge.lower;
    }
    if (mate_[upper_[i]] != best) {
      DropEdges([&](const Edge& edge) { return gone_[edge.upper] || gone_[edge.lower]; });
      if (!TransposeChunk(i)) return false;
    }
    Fix(upper_[i], mate_[upper_[i]]);
  }
  return true;
}

bool BracketPairer::TransposeChunk(size_t from) {
  std::vector<Packer::Slot> slots;
  std::vector<int> slot_of(gone_.size(), kNobody);
  Packer packer;
  const int largest = bracket_.end - bracket_.begin;
  for (size_t i = from; i < upper_.size(); ++i) {
    const Packer before = packer;
    slots.push_back(packer.Add(largest));
    if (packer.columns() > kChoiceColumns) {
      packer = before;
      break;
    }
    slot_of[upper_[i]] = static_cast<int>(slots.size()) - 1;
  }
  return Solve(packer.columns(), [&](const Edge& edge, int64_t* row) {
    const int slot = slot_of[edge.upper];
    if (slot != kNobody && Inside(edge)) Put(row, slots[slot], bracket_.end - edge.lower);
  });
}

}  // namespace astragal::algorithms
