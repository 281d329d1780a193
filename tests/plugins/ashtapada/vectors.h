// Compares records of ashtapada_positions.jsonl with the ruleset.
#ifndef ASTRAGAL_TESTS_PLUGINS_ASHTAPADA_VECTORS_H_
#define ASTRAGAL_TESTS_PLUGINS_ASHTAPADA_VECTORS_H_

#include <astragal/ruleset.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace astragal::ashtapada_test {

// One record against the ruleset, called through its table alone: every difference in words, none
// if they agree. A record that cannot be read is a difference too. Throws nothing.
std::vector<std::string> CompareRecord(const astragal_ruleset& ruleset,
                                       const nlohmann::json& record);

}  // namespace astragal::ashtapada_test

#endif  // ASTRAGAL_TESTS_PLUGINS_ASHTAPADA_VECTORS_H_
