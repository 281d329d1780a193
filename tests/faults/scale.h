// How often a campaign does what it does: a few times with every run, the full number on demand.
#ifndef ASTRAGAL_TESTS_FAULTS_SCALE_H_
#define ASTRAGAL_TESTS_FAULTS_SCALE_H_

#include <cstdlib>
#include <string_view>

namespace astragal::faults {

inline bool IsFull() {
  const char* scale = std::getenv("ASTRAGAL_FAULTS");
  return scale != nullptr && std::string_view(scale) == "full";
}
inline int Scaled(int in_short, int in_full) { return IsFull() ? in_full : in_short; }

}  // namespace astragal::faults

#endif  // ASTRAGAL_TESTS_FAULTS_SCALE_H_
