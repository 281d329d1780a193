// Whole turns: everything that a seat can reach before somebody else is to act, chance included.
//
// A TurnSearch belongs to one thread and refers to the ruleset, which must outlive it. It keeps its
// buffers from one search to the next, so that a bot which looks at thousands of turns for one
// action does not allocate for each. Distinct positions are told apart by a hash of 64 bits: a
// collision would cost a bot one of its choices and no more.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_TURNS_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_TURNS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "plugins/host/ruleset.h"

namespace astragal::algorithms {

class TurnSearch {
 public:
  // What is done with each distinct end: the position, and the actions that led there.
  using Visit = absl::FunctionRef<void(const host::Position& end, absl::Span<const int64_t> path)>;

  // Distinct positions looked at in one turn. Turns of the rulesets we know have a few thousand at
  // the most; beyond this the search ends with what it has seen, at least one end.
  static constexpr size_t kMaxPositions = 20'000;

  explicit TurnSearch(const host::Ruleset& ruleset) : ruleset_(ruleset) {}

  // Every end of the turn of the seat that is to act in `start`, in the order of their first
  // actions. `visit` must not search. RULESET_FAULT when the plugin breaks its contract.
  absl::Status ForEachEnd(const host::Position& start, Visit visit);

  // Positions reached by all searches so far: the measure of work.
  uint64_t positions() const { return positions_; }

 private:
  absl::Status Search(const host::Position& position, Visit visit);

  const host::Ruleset& ruleset_;
  int seat_ = -1;
  bool found_ = false;
  uint64_t positions_ = 0;
  absl::flat_hash_set<size_t> seen_;
  std::vector<int64_t> path_;
  std::vector<std::vector<int64_t>> lists_;  // one buffer of actions for each depth
};

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_TURNS_H_
