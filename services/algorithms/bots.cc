#include "services/algorithms/bots.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "services/algorithms/lookahead.h"
#include "services/algorithms/turns.h"

namespace astragal::algorithms {
namespace {

using host::Position;
using host::Ruleset;

// A whole turn, where it leads, and what that is worth.
struct Turn {
  std::vector<int64_t> actions;
  Position end;
  size_t found = 0;  // how many were found before it
  double value = 0;
};

// All turns of the seat to act, the one whose end it likes best first.
absl::StatusOr<std::vector<Turn>> TurnsByValue(const Ruleset& ruleset, TurnSearch& search,
                                               const Position& position) {
  const int seat = ruleset.Actor(position);
  std::vector<Turn> turns;
  const absl::Status status =
      search.ForEachEnd(position, [&](const Position& end, absl::Span<const int64_t> path) {
        turns.push_back({{path.begin(), path.end()}, end, turns.size(), Value(ruleset, end, seat)});
      });
  if (!status.ok()) return status;
  std::ranges::sort(turns, [](const Turn& x, const Turn& y) {
    return x.value != y.value ? x.value > y.value : x.found < y.found;
  });
  return turns;
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

// Decides on a whole turn, then plays it action by action for as long as the game goes as planned.
class TurnBot : public Bot {
 public:
  explicit TurnBot(uint64_t seed) : random_(seed) {}

  absl::StatusOr<int64_t> Choose(const Ruleset& ruleset, const Position& position) final {
    if (!CanEvaluate(ruleset, position)) return AnyAction(ruleset, position, random_);
    if (next_ == plan_.size() || &ruleset != planned_for_ || !(position == expected_)) {
      absl::StatusOr<std::vector<int64_t>> plan = ChooseTurn(ruleset, position);
      if (!plan.ok()) return plan.status();
      plan_ = *std::move(plan);
      next_ = 0;
    }
    const int64_t action = plan_[next_++];
    expected_ = position;
    planned_for_ = &ruleset;
    if (absl::Status status = ruleset.Apply(expected_, ruleset.Actor(position), action);
        !status.ok()) {
      return status;
    }
    return action;
  }

 private:
  // At least one action.
  virtual absl::StatusOr<std::vector<int64_t>> ChooseTurn(const Ruleset& ruleset,
                                                          const Position& position) = 0;

  PlayRandom random_;
  std::vector<int64_t> plan_;
  size_t next_ = 0;  // of the plan
  const Ruleset* planned_for_ = nullptr;
  Position expected_;  // where the next action of the plan belongs
};

class GreedyBot : public TurnBot {
 public:
  using TurnBot::TurnBot;
  std::string_view name() const override { return "greedy"; }

 private:
  absl::StatusOr<std::vector<int64_t>> ChooseTurn(const Ruleset& ruleset,
                                                  const Position& position) override {
    TurnSearch search(ruleset);
    absl::StatusOr<std::vector<Turn>> turns = TurnsByValue(ruleset, search, position);
    if (!turns.ok()) return turns.status();
    return std::move(turns->front().actions);
  }
};

class ExpectimaxBot : public TurnBot {
 public:
  using TurnBot::TurnBot;
  std::string_view name() const override { return "expectimax"; }

 private:
  // Turns looked at more closely, the best at their end first.
  static constexpr size_t kWidth = 5;

  absl::StatusOr<std::vector<int64_t>> ChooseTurn(const Ruleset& ruleset,
                                                  const Position& position) override {
    const int seat = ruleset.Actor(position);
    TurnSearch search(ruleset);
    absl::StatusOr<std::vector<Turn>> turns = TurnsByValue(ruleset, search, position);
    if (!turns.ok()) return turns.status();
    if (turns->size() > kWidth) turns->resize(kWidth);
    if (turns->size() > 1) {
      for (Turn& turn : *turns) {
        const absl::StatusOr<double> value = Lookahead(ruleset, search, seat).After(turn.end);
        if (!value.ok()) return value.status();
        turn.value = *value;
      }
    }
    return std::move(std::ranges::max_element(*turns, {}, &Turn::value)->actions);
  }
};

// Decides with another bot in a share of its actions, and at random else.
class UnsteadyBot : public Bot {
 public:
  UnsteadyBot(std::string name, std::unique_ptr<Bot> bot, uint64_t percent, uint64_t seed)
      : name_(std::move(name)), bot_(std::move(bot)), percent_(percent), random_(seed) {}
  std::string_view name() const override { return name_; }
  absl::StatusOr<int64_t> Choose(const Ruleset& ruleset, const Position& position) override {
    if (random_.Below(100) < percent_) return bot_->Choose(ruleset, position);
    return AnyAction(ruleset, position, random_);
  }

 private:
  const std::string name_;
  const std::unique_ptr<Bot> bot_;
  const uint64_t percent_;
  PlayRandom random_;
};

// "NAME@PERCENT".
absl::StatusOr<std::unique_ptr<Bot>> MakeUnsteadyBot(std::string_view name, size_t at,
                                                     uint64_t seed) {
  const std::string_view digits = name.substr(at + 1);
  uint64_t percent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), percent);
  if (error != std::errc() || end != digits.data() + digits.size() || percent > 100) {
    return absl::InvalidArgumentError("the share of a bot is 0 to 100, as in greedy@60");
  }
  PlayRandom random(seed);
  absl::StatusOr<std::unique_ptr<Bot>> bot = MakeBot(name.substr(0, at), random.Next());
  if (!bot.ok()) return bot.status();
  return std::make_unique<UnsteadyBot>(std::string(name), *std::move(bot), percent, random.Next());
}

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
  if (const size_t at = name.rfind('@'); at != std::string_view::npos) {
    return MakeUnsteadyBot(name, at, seed);
  }
  return absl::InvalidArgumentError("there is no bot of this name: random, greedy, expectimax");
}

}  // namespace astragal::algorithms
