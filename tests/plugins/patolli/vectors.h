// Compares records of patolli_positions.jsonl with a ruleset, through the C table only.
#ifndef ASTRAGAL_TESTS_PLUGINS_PATOLLI_VECTORS_H_
#define ASTRAGAL_TESTS_PLUGINS_PATOLLI_VECTORS_H_

#include <astragal/ruleset.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace astragal::patolli_test {

// One record of the file against the ruleset: every difference, one line each; none if they agree.
// Throws std::exception if the record has not the format of the file.
std::vector<std::string> CompareRecord(const astragal_ruleset& ruleset,
                                       const nlohmann::json& record);

}  // namespace astragal::patolli_test

#endif  // ASTRAGAL_TESTS_PLUGINS_PATOLLI_VECTORS_H_
