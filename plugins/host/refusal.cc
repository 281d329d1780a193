#include "plugins/host/refusal.h"

#include <iterator>

#include "absl/strings/cord.h"
#include "absl/types/optional.h"

namespace astragal::host {
namespace {

constexpr absl::string_view kRefusalPayload = "astragal/refusal";

// In the order of the enumeration.
constexpr absl::string_view kNames[] = {
    "UNREADABLE",     "NOT_REGULAR_FILE",   "WORLD_WRITABLE",     "TOO_LARGE",
    "NOT_ELF",        "NOT_LIBRARY",        "WRONG_ARCHITECTURE", "TRUNCATED",
    "STORE_FAILED",   "MISSING_DEPENDENCY", "UNDEFINED_SYMBOL",   "CANNOT_LOAD",
    "NO_ENTRY",       "WRONG_ABI_MAJOR",    "NULL_TABLE",         "SHORT_STRUCT",
    "NULL_FUNCTION",  "BAD_ABOUT",          "WRITES_OUTPUT",      "EXITED",
    "CRASHED",        "TIMED_OUT",          "STARTS_THREADS",     "LEAVES_PROCESSES",
    "BROKE_CONTRACT", "PROBE_FAILED",
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

absl::Status RefusalError(Refusal refusal, absl::string_view detail) {
  absl::Status status = absl::InvalidArgumentError(detail);
  status.SetPayload(kRefusalPayload, absl::Cord(RefusalName(refusal)));
  return status;
}

Refusal RefusalOf(const absl::Status& status) {
  const absl::optional<absl::Cord> payload = status.GetPayload(kRefusalPayload);
  return payload ? RefusalFromName(std::string(*payload)) : Refusal::kProbeFailed;
}

}  // namespace astragal::host
