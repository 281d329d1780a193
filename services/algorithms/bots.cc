#include "services/algorithms/bots.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"

namespace astragal::algorithms {
namespace {

using host::Position;
using host::Ruleset;

// Distinct positions looked at in one turn. Turns of the rulesets we know have a few thousand at
// the most; beyond this a bot plays on with what it has seen.
constexpr size_t kMaxTurnPositions = 20'000;

// Where a whole turn can lead, and the action it begins with.
struct TurnEnd {
  int64_t first_action = 0;
  Position position;
  size_t found = 0;  // how many were found before it
  double value = 0;
};

// Collects the distinct ends of the turn of `seat`: positions in which it is not to act any more.
class TurnSearch {
 public:
  TurnSearch(const Ruleset& ruleset, int seat) : ruleset_(ruleset), seat_(seat) {}

  absl::StatusOr<std::vector<TurnEnd>> Ends(const Position& start) {
    const absl::Status status = Visit(start, -1);
    if (!status.ok()) return status;
    return std::move(ends_);
  }

 private:
  absl::Status Visit(const Position& position, int64_t first_action) {
    const absl::StatusOr<std::vector<int64_t>> actions = ruleset_.Actions(position);
    if (!actions.ok()) return actions.status();
    for (const int64_t action : *actions) {
      Position next = position;
      if (absl::Status status = ruleset_.Apply(next, seat_, action); !status.ok()) return status;
      if (seen_.size() >= kMaxTurnPositions && !ends_.empty()) return absl::OkStatus();
      if (!seen_.insert(next).second) continue;
      const int64_t first = first_action < 0 ? action : first_action;
      if (ruleset_.Actor(next) != seat_) {
        ends_.push_back({first, std::move(next), ends_.size()});
      } else if (absl::Status status = Visit(next, first); !status.ok()) {
        return status;
      }
    }
    return absl::OkStatus();
  }

  const Ruleset& ruleset_;
  const int seat_;
  absl::flat_hash_set<Position> seen_;
  std::vector<TurnEnd> ends_;
};

// What the position is worth to the seat, 0 to 1000; a finished game by its result, with a bonus
// for the points it brings so that a double win beats a single one.
double Value(const Ruleset& ruleset, const Position& position, int seat) {
  if (ruleset.Actor(position) != host::kOver) {
    return ruleset.Evaluate(position, seat).value_or(0);
  }
  const absl::StatusOr<std::vector<host::SeatResult>> result = ruleset.Result(position);
  if (!result.ok() || static_cast<size_t>(seat) >= result->size()) return 0;
  const host::SeatResult& own = (*result)[static_cast<size_t>(seat)];
  return own.place == 1 ? 1000 + 50.0 * static_cast<double>(own.points) : 0;
}

void RankByValue(const Ruleset& ruleset, int seat, std::vector<TurnEnd>& ends) {
  for (TurnEnd& end : ends) end.value = Value(ruleset, end.position, seat);
  std::ranges::sort(ends, [](const TurnEnd& x, const TurnEnd& y) {
    return x.value != y.value ? x.value > y.value : x.found < y.found;
  });
}

bool CanEvaluate(const Ruleset& ruleset, const Position& position) {
  return ruleset.Evaluate(position, ruleset.Actor(position)).has_value();
}

absl::StatusOr<int64_t> AnyAction(const Ruleset& ruleset, const Position& position,
                                  PlayRandom& random) {
  const absl::StatusOr<std::vector<int64_t>> actions = ruleset.Actions(position);
  if (!actions.ok()) return actions.status();
  if (actions->empty()) return absl::FailedPreconditionError("no seat is to act");
  return (*actions)[random.Below(actions->size())];
}

class RandomBot : public Bot {
 public:
  explicit RandomBot(uint64_t seed) : random_(seed) {}
  std::string_view name() const override { return "random"; }
  absl::StatusOr<int64_t> Choose(const Ruleset& ruleset, const Position& position) override {
    return AnyAction(ruleset, position, random_);
  }

 private:
  PlayRandom random_;
};

class GreedyBot : public Bot {
 public:
  explicit GreedyBot(uint64_t seed) : random_(seed) {}
  std::string_view name() const override { return "greedy"; }
  absl::StatusOr<int64_t> Choose(const Ruleset& ruleset, const Position& position) override {
    if (!CanEvaluate(ruleset, position)) return AnyAction(ruleset, position, random_);
    const int seat = ruleset.Actor(position);
    absl::StatusOr<std::vector<TurnEnd>> ends = TurnSearch(ruleset, seat).Ends(position);
    if (!ends.ok()) return ends.status();
    RankByValue(ruleset, seat, *ends);
    return ends->front().first_action;
  }

 private:
  PlayRandom random_;
};

class ExpectimaxBot : public Bot {
 public:
  explicit ExpectimaxBot(uint64_t seed) : random_(seed) {}
  std::string_view name() const override { return "expectimax"; }

  absl::StatusOr<int64_t> Choose(const Ruleset& ruleset, const Position& position) override {
    if (!CanEvaluate(ruleset, position)) return AnyAction(ruleset, position, random_);
    const int seat = ruleset.Actor(position);
    absl::StatusOr<std::vector<TurnEnd>> ends = TurnSearch(ruleset, seat).Ends(position);
    if (!ends.ok()) return ends.status();
    RankByValue(ruleset, seat, *ends);
    const size_t looked_at = std::min(ends->size(), kWidth);
    size_t best = 0;
    double best_value = -1;
    for (size_t i = 0; i < looked_at; ++i) {
      const absl::StatusOr<double> value = Expected(ruleset, (*ends)[i].position, seat);
      if (!value.ok()) return value.status();
      if (*value > best_value) {
        best_value = *value;
        best = i;
      }
    }
    return (*ends)[best].first_action;
  }

 private:
  // Ends looked at more closely, the best by evaluate first.
  static constexpr size_t kWidth = 10;

  // The average over the throw that is due; each outcome is followed by the best reply of whoever
  // is to act then.
  absl::StatusOr<double> Expected(const Ruleset& ruleset, const Position& position, int seat) {
    const std::optional<int> kind = ruleset.ThrowKind(position);
    if (!kind) return AfterReply(ruleset, position, seat);
    const host::ThrowKind& thrown = ruleset.about().throw_kinds[static_cast<size_t>(*kind)];
    double sum = 0;
    for (size_t i = 0; i < thrown.weights.size(); ++i) {
      Position next = position;
      const int64_t action = host::ChanceAction(*kind, static_cast<int>(i));
      if (absl::Status status = ruleset.Apply(next, host::kChance, action); !status.ok()) {
        return status;
      }
      const absl::StatusOr<double> value = AfterReply(ruleset, next, seat);
      if (!value.ok()) return value.status();
      sum += *value * thrown.weights[i];
    }
    return sum / thrown.total_weight;
  }

  static absl::StatusOr<double> AfterReply(const Ruleset& ruleset, const Position& position,
                                           int seat) {
    const int actor = ruleset.Actor(position);
    if (actor < 0) return Value(ruleset, position, seat);
    absl::StatusOr<std::vector<TurnEnd>> ends = TurnSearch(ruleset, actor).Ends(position);
    if (!ends.ok()) return ends.status();
    RankByValue(ruleset, actor, *ends);
    return Value(ruleset, ends->front().position, seat);
  }

  PlayRandom random_;
};

}  // namespace

uint64_t PlayRandom::Next() {
  state_ += 0x9e3779b97f4a7c15;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

uint64_t PlayRandom::Below(uint64_t below) {
  const uint64_t excess = (0 - below) % below;
  uint64_t word = Next();
  while (word > ~uint64_t{0} - excess) word = Next();
  return word % below;
}

const std::vector<std::string>& BotNames() {
  static const std::vector<std::string>& names =
      *new std::vector<std::string>{"random", "greedy", "expectimax"};
  return names;
}

absl::StatusOr<std::unique_ptr<Bot>> MakeBot(std::string_view name, uint64_t seed) {
  if (name == "random") return std::make_unique<RandomBot>(seed);
  if (name == "greedy") return std::make_unique<GreedyBot>(seed);
  if (name == "expectimax") return std::make_unique<ExpectimaxBot>(seed);
  return absl::InvalidArgumentError("there is no bot of this name: random, greedy, expectimax");
}

}  // namespace astragal::algorithms
