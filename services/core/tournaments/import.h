// A tournament that was played elsewhere, as the log that it would have here: players, start, and
// rounds with their results. It goes on from there like any other.
#ifndef ASTRAGAL_SERVICES_CORE_TOURNAMENTS_IMPORT_H_
#define ASTRAGAL_SERVICES_CORE_TOURNAMENTS_IMPORT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "services/algorithms/pairing/crosstable.h"
#include "services/core/tournaments/state.h"

namespace astragal::core {

// Entries behind the first one (kCreated). `players` are those of the table, in its order; `by` is
// who imports it, at `at`. BAD_FIELD naming "file" for a table that contradicts itself, and for one
// with more than kMaxImportedRounds rounds. Pure.
inline constexpr int kMaxImportedRounds = 200;
absl::StatusOr<std::vector<TournamentEntry>> ImportedEntries(
    const algorithms::Crosstable& table, const std::vector<base::PlayerId>& players,
    base::PlayerId by, base::Instant at);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_TOURNAMENTS_IMPORT_H_
