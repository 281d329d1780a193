// A short game with itself: does a ruleset that loads also answer?
#ifndef ASTRAGAL_PLUGINS_HOST_TRIAL_H_
#define ASTRAGAL_PLUGINS_HOST_TRIAL_H_

#include <cstdint>

#include "absl/status/status.h"
#include "plugins/host/ruleset.h"

namespace astragal::host {

// Starts every preset and plays `actions` random actions and throws of each, asking every question
// on the way. The first fault is the answer. The whole set of checks is plugins/conformance.
absl::Status PlayTrial(const Ruleset& ruleset, int actions, uint64_t seed);

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_TRIAL_H_
