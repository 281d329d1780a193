#include "services/algorithms/lookahead.h"

#include <optional>
#include <vector>

namespace astragal::algorithms {

using host::Position;
using host::Ruleset;

double Value(const Ruleset& ruleset, const Position& position, int seat) {
  if (ruleset.Actor(position) != host::kOver) {
    return ruleset.Evaluate(position, seat).value_or(0);
  }
  const absl::StatusOr<std::vector<host::SeatResult>> result = ruleset.Result(position);
  if (!result.ok() || static_cast<size_t>(seat) >= result->size()) return 0;
  const host::SeatResult& own = (*result)[static_cast<size_t>(seat)];
  return own.place == 1 ? 1000 + 50.0 * static_cast<double>(own.points) : 0;
}

absl::StatusOr<double> Lookahead::Follow(const Position& position, double share) {
  const int actor = ruleset_.Actor(position);
  if (actor == host::kOver || share < kLeastShare || search_.positions() >= limit_) {
    return Value(ruleset_, position, seat_);
  }
  return actor == host::kChance ? AfterThrow(position, share) : AfterTurn(position, actor, share);
}

absl::StatusOr<double> Lookahead::AfterThrow(const Position& position, double share) {
  const std::optional<int> kind = ruleset_.ThrowKind(position);
  if (!kind) return absl::InternalError("chance is to act and nothing is thrown");
  const host::ThrowKind& thrown = ruleset_.about().throw_kinds[static_cast<size_t>(*kind)];
  double sum = 0;
  for (size_t i = 0; i < thrown.weights.size(); ++i) {
    Position next = position;
    const int64_t action = host::ChanceAction(*kind, static_cast<int>(i));
    if (absl::Status status = ruleset_.Apply(next, host::kChance, action); !status.ok()) {
      return status;
    }
    const double chance = static_cast<double>(thrown.weights[i]) / thrown.total_weight;
    const absl::StatusOr<double> value = Follow(next, share * chance);
    if (!value.ok()) return value;
    sum += *value * chance;
  }
  return sum;
}

absl::StatusOr<double> Lookahead::AfterTurn(const Position& position, int actor, double share) {
  Position best;
  double best_value = -1;
  const absl::Status status =
      search_.ForEachEnd(position, [&](const Position& end, absl::Span<const int64_t>) {
        const double value = Value(ruleset_, end, actor);
        if (value <= best_value) return;
        best_value = value;
        best = end;
      });
  if (!status.ok()) return status;
  if (actor == seat_) return Follow(best, share);
  return Value(ruleset_, best, seat_);
}

}  // namespace astragal::algorithms
