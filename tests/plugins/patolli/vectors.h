// Compares records of patolli_positions.jsonl with a ruleset, through the C table only.
#ifndef ASTRAGAL_TESTS_PLUGINS_PATOLLI_VECTORS_H_
#define ASTRAGAL_TESTS_PLUGINS_PATOLLI_VECTORS_H_

#include <astragal/ruleset.h>

#include <string>

namespace astragal::patolli_test {

// One line of the file against the ruleset. Empty if they agree; otherwise every difference, one
// per line, each opened by the record's id. A line that cannot be read is a difference too. Throws
// nothing.
std::string CompareRecord(const astragal_ruleset& ruleset, const std::string& line);

}  // namespace astragal::patolli_test

#endif  // ASTRAGAL_TESTS_PLUGINS_PATOLLI_VECTORS_H_
