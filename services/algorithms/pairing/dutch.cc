#include "services/algorithms/pairing/dutch.h"

#include <algorithm>
#include <utility>

#include "services/algorithms/pairing/bracket.h"
#include "services/algorithms/pairing/matching.h"

namespace astragal::algorithms {
namespace {

constexpr char kNoPairing[] = "No valid pairing exists.";

// The end of the score group that begins here.
int GroupEnd(const SwissField& field, int begin) {
  int end = begin;
  while (end < field.size() && field[end].score == field[begin].score) ++end;
  return end;
}

std::vector<std::pair<int, int>> AllEdges(const SwissField& field) {
  std::vector<std::pair<int, int>> edges;
  for (int a = 0; a < field.size(); ++a) {
    for (int b = a + 1; b < field.size(); ++b) {
      if (field.MayMeet(a, b)) edges.emplace_back(a, b);
    }
  }
  return edges;
}

bool IsPerfect(const std::vector<int>& mates) {
  return std::find(mates.begin(), mates.end(), kNobody) == mates.end();
}

// C4 for the round, and C5: the lowest score whose players can have the bye with everybody else
// paired.
absl::StatusOr<Tenths> ByeScore(const SwissField& field) {
  std::vector<std::pair<int, int>> edges = AllEdges(field);
  const bool bye = field.size() % 2 != 0;
  if (!bye) {
    if (IsPerfect(LargestMatching(field.size(), edges))) return 0;
    return absl::FailedPreconditionError(kNoPairing);
  }
  const size_t pairs = edges.size();
  for (int end = field.size(), begin = end; end > 0; end = begin) {
    while (begin > 0 && field[begin - 1].score == field[end - 1].score) --begin;
    edges.resize(pairs);
    for (int i = begin; i < end; ++i) {
      if (field[i].may_have_bye) edges.emplace_back(i, field.size());
    }
    if (edges.size() == pairs) continue;
    if (IsPerfect(LargestMatching(field.size() + 1, edges))) return field[begin].score;
  }
  return absl::FailedPreconditionError(kNoPairing);
}

}  // namespace

absl::StatusOr<std::vector<Pairing>> PairDutch(const SwissField& field, const GoOn& go_on) {
  std::vector<Pairing> pairs;
  if (field.size() == 0) return pairs;
  const absl::StatusOr<Tenths> bye_score = ByeScore(field);
  if (!bye_score.ok()) return bye_score.status();
  Bracket bracket{&field, {}, 0, GroupEnd(field, 0), 0, *bye_score, field.size() % 2 != 0};
  while (bracket.begin < field.size()) {
    if (go_on != nullptr) {
      if (absl::Status status = go_on(); !status.ok()) return status;
    }
    bracket.next_end = bracket.end < field.size() ? GroupEnd(field, bracket.end) : bracket.end;
    BracketPairer pairer(bracket);
    if (!pairer.Pair()) return absl::InternalError("A bracket could not be paired.");
    std::vector<char> paired(static_cast<size_t>(bracket.end), 0);
    for (const auto& [upper, lower] : pairer.pairs()) {
      pairs.push_back({upper, lower});
      paired[upper] = paired[lower] = 1;
    }
    const auto is_paired = [&](int player) { return paired[player] != 0; };
    std::erase_if(bracket.moved, is_paired);
    for (int i = bracket.begin; i < bracket.end; ++i) {
      if (!is_paired(i)) bracket.moved.push_back(i);
    }
    bracket.begin = bracket.end;
    bracket.end = bracket.next_end;
  }
  for (const int player : bracket.moved) pairs.push_back({player, kNobody});
  return pairs;
}

}  // namespace astragal::algorithms
