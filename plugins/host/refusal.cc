#include "plugins/host/refusal.h"

#include <iterator>

namespace astragal::host {
namespace {

// In the order of the enumeration.
constexpr absl::string_view kNames[] = {
    "UNREADABLE",    "NOT_REGULAR_FILE",   "WORLD_WRITABLE",     "TOO_LARGE",
    "NOT_ELF",       "NOT_LIBRARY",        "WRONG_ARCHITECTURE", "TRUNCATED",
    "STORE_FAILED",  "MISSING_DEPENDENCY", "UNDEFINED_SYMBOL",   "CANNOT_LOAD",
    "NO_ENTRY",      "WRONG_ABI_MAJOR",    "NULL_TABLE",         "SHORT_STRUCT",
    "NULL_FUNCTION", "BAD_ABOUT",          "WRITES_OUTPUT",      "EXITED",
    "CRASHED",       "TIMED_OUT",          "BROKE_CONTRACT",     "PROBE_FAILED",
};
static_assert(std::size(kNames) == static_cast<size_t>(Refusal::kProbeFailed) + 1);

}  // namespace

absl::string_view RefusalName(Refusal refusal) { return kNames[static_cast<size_t>(refusal)]; }

Refusal RefusalFromName(absl::string_view name) {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] == name) return static_cast<Refusal>(i);
  }
  return Refusal::kProbeFailed;
}

}  // namespace astragal::host
