#include "services/algorithms/turns.h"

#include "absl/hash/hash.h"

namespace astragal::algorithms {

using host::Position;

absl::Status TurnSearch::ForEachEnd(const Position& start, Visit visit) {
  seat_ = ruleset_.Actor(start);
  found_ = false;
  seen_.clear();
  path_.clear();
  return Search(start, visit);
}

absl::Status TurnSearch::Search(const Position& position, Visit visit) {
  const size_t depth = path_.size();
  if (depth == lists_.size()) lists_.emplace_back(ruleset_.about().limits.actions);
  const absl::StatusOr<size_t> count = ruleset_.Actions(position, absl::MakeSpan(lists_[depth]));
  if (!count.ok()) return count.status();
  for (size_t i = 0; i < *count; ++i) {
    if (found_ && seen_.size() >= kMaxPositions) return absl::OkStatus();
    const int64_t action = lists_[depth][i];
    Position next = position;
    if (absl::Status status = ruleset_.Apply(next, seat_, action); !status.ok()) return status;
    ++positions_;
    if (!seen_.insert(absl::Hash<Position>()(next)).second) continue;
    path_.push_back(action);
    if (ruleset_.Actor(next) != seat_) {
      found_ = true;
      visit(next, path_);
    } else if (absl::Status status = Search(next, visit); !status.ok()) {
      return status;
    }
    path_.pop_back();
  }
  return absl::OkStatus();
}

}  // namespace astragal::algorithms
