// Histories of rated games with what every step and the end must be, and the same after one game
// was corrected or annulled.
#ifndef ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_RATING_SEQUENCES_H_
#define ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_RATING_SEQUENCES_H_

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/vector_check/numbers.h"
#include "tests/support/vector_check/report.h"

namespace astragal::vector_check {

// Has "games" of named players, of two seats ("first", "second", "score_first") or of several
// ("players", "ranks").
bool IsSequence(const nlohmann::json& in);

// One record for each step, for the end ("final"), and for the end of each part that says "change"
// and "final". A change is read from its words ("game 3: score_first becomes 1", "game 5 removed",
// "game 3: ... (ranks of C,D,E,A = 2,1,2,2)") or from fields ("game" with "removed", "score_first",
// or "players" and "ranks"); several are joined by ';'.
void CheckSequence(const std::string& name, const nlohmann::json& in, const Tolerances& tolerances,
                   Report& report);

}  // namespace astragal::vector_check

#endif  // ASTRAGAL_TESTS_SUPPORT_VECTOR_CHECK_RATING_SEQUENCES_H_
