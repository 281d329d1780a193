#include "services/algorithms/pairing/arena.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "services/algorithms/pairing/matching.h"

namespace astragal::algorithms {
namespace {

constexpr size_t kGroup = 100;
// Dearer than any distances in a group; a wave more of waiting is dearer again.
constexpr int64_t kWait = int64_t{1} << 30;

class Wave {
 public:
  Wave(const std::vector<ArenaWaiting>& group, int active) : group_(group), active_(active) {}

  // Everybody, but for one of an odd number; when that is not possible, as many as can be.
  std::vector<Pairing> Pair() {
    const int players = static_cast<int>(group_.size());
    WeightedGraph graph;
    graph.vertices = players + players % 2;
    AddPairs(graph);
    for (int i = 0; players % 2 != 0 && i < players; ++i) AddEdge(graph, i, players, WaitCost(i));
    std::optional<std::vector<int>> mates = HeaviestPerfectMatching(graph);
    if (!mates.has_value()) {
      // Each player once more as a shadow: to wait is to meet one's own shadow, and shadows of
      // pairs meet for nothing.
      graph = {};
      graph.vertices = 2 * players;
      AddPairs(graph);
      const size_t pairs = graph.edges.size();
      for (size_t i = 0; i < pairs; ++i) {
        const auto [a, b] = graph.edges[i];
        AddEdge(graph, players + a, players + b, 0);
      }
      for (int i = 0; i < players; ++i) AddEdge(graph, i, players + i, WaitCost(i));
      mates = HeaviestPerfectMatching(graph);
    }
    std::vector<Pairing> pairs;
    for (int i = 0; mates.has_value() && i < players; ++i) {
      const int mate = (*mates)[i];
      if (mate > i && mate < players) pairs.push_back({group_[i].player, group_[mate].player});
    }
    return pairs;
  }

 private:
  static void AddEdge(WeightedGraph& graph, int a, int b, int64_t cost) {
    graph.edges.emplace_back(a, b);
    graph.weights.push_back(-cost);
  }

  int64_t WaitCost(int i) const { return kWait * (1 + std::min(group_[i].waves_waited, 100)); }

  void AddPairs(WeightedGraph& graph) const {
    const int players = static_cast<int>(group_.size());
    for (int i = 0; i < players; ++i) {
      for (int j = i + 1; j < players; ++j) {
        const bool again = group_[i].last_opponent == group_[j].player ||
                           group_[j].last_opponent == group_[i].player;
        if (again && active_ > 2) continue;
        const int64_t distance = std::min(std::abs(group_[i].rank - group_[j].rank), 1000);
        AddEdge(graph, i, j, distance * distance);
      }
    }
  }

  const std::vector<ArenaWaiting>& group_;
  const int active_;
};

}  // namespace

std::vector<Pairing> PairWave(const std::vector<ArenaWaiting>& waiting, int active) {
  std::vector<ArenaWaiting> sorted = waiting;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const ArenaWaiting& a, const ArenaWaiting& b) { return a.rank < b.rank; });
  std::vector<Pairing> pairs;
  for (size_t from = 0; from < sorted.size(); from += kGroup) {
    const size_t to = std::min(from + kGroup, sorted.size());
    const std::vector<ArenaWaiting> group(sorted.begin() + static_cast<std::ptrdiff_t>(from),
                                          sorted.begin() + static_cast<std::ptrdiff_t>(to));
    const std::vector<Pairing> more = Wave(group, active).Pair();
    pairs.insert(pairs.end(), more.begin(), more.end());
  }
  return pairs;
}

std::vector<int> ArenaPoints(ArenaScoring scoring, const std::vector<Outcome>& outcomes) {
  struct Profile {
    int win, draw, loss;
  };
  constexpr Profile kProfiles[] = {{1, 0, 0}, {3, 0, 1}, {2, 1, 0}};
  const Profile& profile = kProfiles[static_cast<size_t>(scoring)];
  std::vector<int> points;
  int wins_in_a_row = 0;
  for (const Outcome outcome : outcomes) {
    const bool win = outcome == Outcome::kWin || outcome == Outcome::kForfeitWin;
    int worth = win                         ? profile.win
                : outcome == Outcome::kDraw ? profile.draw
                : outcome == Outcome::kLoss ? profile.loss
                                            : 0;
    if (scoring == ArenaScoring::kStreaks && wins_in_a_row >= 2) worth *= 2;
    points.push_back(worth);
    wins_in_a_row = win ? wins_in_a_row + 1 : 0;
  }
  return points;
}

int ArenaPerformance(const std::vector<int>& opponent_ratings, int wins, int losses) {
  if (opponent_ratings.empty()) return 0;
  const int64_t sum =
      std::accumulate(opponent_ratings.begin(), opponent_ratings.end(), int64_t{0}) +
      500 * (int64_t{wins} - losses);
  return static_cast<int>(
      std::lround(static_cast<double>(sum) / static_cast<double>(opponent_ratings.size())));
}

}  // namespace astragal::algorithms
