// The rulesets of this build, opened from its plugins folder.
#ifndef ASTRAGAL_TESTS_SERVICES_ALGORITHMS_RULESETS_H_
#define ASTRAGAL_TESTS_SERVICES_ALGORITHMS_RULESETS_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "plugins/host/library.h"

namespace astragal::tests {

inline std::shared_ptr<const host::Ruleset> OpenRuleset(const std::string& id) {
  auto ruleset = host::OpenLibrary({"", ASTRAGAL_BUILD_DIR "/plugins/lib" + id + ".so"});
  if (!ruleset.ok()) ADD_FAILURE() << ruleset.status();
  return ruleset.ok() ? *ruleset : nullptr;
}

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_ALGORITHMS_RULESETS_H_
