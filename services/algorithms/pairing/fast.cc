#include "services/algorithms/pairing/fast.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include "services/algorithms/pairing/matching.h"

namespace astragal::algorithms {
namespace {

// Costs, each of which outweighs many of the next ones.
constexpr int64_t kRepeat = int64_t{1} << 42;
constexpr int64_t kGap = int64_t{1} << 28;  // times the square of the gap in half points
constexpr int64_t kFloatAgain = int64_t{1} << 26;
constexpr int64_t kFloatTwoBack = int64_t{1} << 24;
constexpr int64_t kSideLost = 1 << 12;
constexpr int kFarthest = 1023;  // distances above count as this one
constexpr int kWiden = 4;

class FastPairer {
 public:
  FastPairer(const SwissField& field, const FastOptions& options)
      : field_(field), options_(options), wanted_(static_cast<size_t>(field.size())) {
    for (int begin = 0, end = 0; begin < field.size(); begin = end) {
      while (end < field.size() && field[end].score == field[begin].score) ++end;
      const int half = (end - begin) / 2;
      for (int i = begin; i < end; ++i) wanted_[i] = i < begin + half ? i + half : i - half;
      // The odd one out goes down.
      if ((end - begin) % 2 != 0) wanted_[end - 1] = std::min(end, field.size() - 1);
    }
  }

  // nullopt: no complete pairing within this window.
  std::optional<std::vector<Pairing>> Pair(int window) {
    graph_ = {};
    const int players = field_.size();
    const bool bye = players % 2 != 0;
    graph_.vertices = players + bye;
    for (int i = 0; i < players; ++i) AddCandidates(i, window);
    if (bye) AddByes(window);
    const std::optional<std::vector<int>> mates = HeaviestPerfectMatching(graph_);
    if (!mates.has_value()) return std::nullopt;
    std::vector<Pairing> pairs;
    for (int i = 0; i < players; ++i) {
      const int mate = (*mates)[i];
      if (mate > i) pairs.push_back({i, mate == players ? kNobody : mate});
    }
    return pairs;
  }

 private:
  void AddCandidates(int i, int window) {
    const int near_end = std::min(i + window, field_.size() - 1);
    const int from = std::max(wanted_[i] - window, near_end + 1);
    const int to = std::min(wanted_[i] + window, field_.size() - 1);
    for (int j = i + 1; j <= near_end; ++j) AddPair(i, j);
    for (int j = from; j <= to; ++j) AddPair(i, j);
  }

  void AddPair(int i, int j) {
    int64_t cost = 0;
    if (!field_.MayMeet(i, j)) {
      if (!options_.repeats || field_.Forbidden(i, j)) return;
      cost += kRepeat;
    }
    graph_.edges.emplace_back(i, j);
    graph_.weights.push_back(-(cost + CostOf(i, j)));
  }

  int64_t CostOf(int i, int j) const {
    const SwissPlayer& upper = field_[i];
    const SwissPlayer& lower = field_[j];
    const int64_t distance = std::min(std::abs(wanted_[i] - j), kFarthest);
    int64_t cost = distance * distance;
    if (upper.wanted != Side::kNone && upper.wanted == lower.wanted) cost += kSideLost;
    const int64_t gap = (upper.score - lower.score) / 5;
    if (gap == 0) return cost;
    cost += kGap * gap * gap;
    const int again = (upper.last_float == Float::kDown) + (lower.last_float == Float::kUp);
    const int back = (upper.earlier_float == Float::kDown) + (lower.earlier_float == Float::kUp);
    return cost + again * kFloatAgain + back * kFloatTwoBack;
  }

  void AddByes(int window) {
    const int players = field_.size();
    int fewest = std::numeric_limits<int>::max();
    for (const SwissPlayer& player : field_.players()) fewest = std::min(fewest, player.byes);
    const auto may = [&](const SwissPlayer& player) {
      return options_.bye_by_turns ? player.byes == fewest : player.may_have_bye;
    };
    int added = 0;
    for (int i = players - 1; i >= 0 && added < 2 * window; --i) {
      if (!may(field_[i])) continue;
      // A bye is a game against somebody of the lowest score.
      const int64_t gap = (field_[i].score - field_[players - 1].score) / 5;
      const int64_t distance = std::min(players - 1 - i, kFarthest);
      graph_.edges.emplace_back(i, players);
      graph_.weights.push_back(-(kGap * gap * gap + distance * distance));
      ++added;
    }
  }

  const SwissField& field_;
  const FastOptions& options_;
  std::vector<int> wanted_;
  WeightedGraph graph_;
};

}  // namespace

absl::StatusOr<std::vector<Pairing>> PairFast(const SwissField& field, const FastOptions& options,
                                              const GoOn& go_on) {
  if (field.size() == 0) return std::vector<Pairing>();
  FastPairer pairer(field, options);
  for (int window = std::max(options.window, 1);; window *= kWiden) {
    if (go_on != nullptr) {
      if (absl::Status status = go_on(); !status.ok()) return status;
    }
    std::optional<std::vector<Pairing>> pairs = pairer.Pair(window);
    if (pairs.has_value()) return *std::move(pairs);
    if (window >= field.size()) return absl::FailedPreconditionError("No valid pairing exists.");
  }
}

std::vector<int> LossesOf(const Crosstable& table) {
  std::vector<int> losses(table.players.size());
  for (size_t i = 0; i < table.players.size(); ++i) {
    for (int round = 0; round < table.rounds_played; ++round) {
      const Outcome outcome = EntryOf(table.players[i], round).outcome;
      losses[i] += outcome == Outcome::kLoss || outcome == Outcome::kForfeitLoss;
    }
  }
  return losses;
}

absl::StatusOr<std::vector<Pairing>> PairToLosses(const Crosstable& table, int losses) {
  Crosstable left = table;
  left.points = {.win = 0, .draw = 0, .loss = -10, .forfeit_loss = -10, .pairing_bye = 0};
  const std::vector<int> lost = LossesOf(table);
  for (size_t i = 0; i < left.players.size(); ++i) {
    // Whoever is out is as absent.
    std::vector<RoundEntry>& rounds = left.players[i].rounds;
    if (lost[i] < losses) continue;
    rounds.resize(static_cast<size_t>(left.rounds_played) + 1);
    rounds.back().outcome = Outcome::kZeroBye;
  }
  const SwissField field(left, false);
  if (field.size() < 2) return std::vector<Pairing>();
  FastOptions options;
  options.bye_by_turns = true;
  absl::StatusOr<std::vector<Pairing>> pairs = PairFast(field, options);
  if (!pairs.ok()) {
    options.repeats = true;
    pairs = PairFast(field, options);
  }
  if (!pairs.ok()) return pairs;
  return BoardsOf(field, *pairs);
}

}  // namespace astragal::algorithms
