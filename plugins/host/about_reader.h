// Reads a plugin's astragal_about into an About, and refuses it unless every limit of the ABI is
// kept.
#ifndef ASTRAGAL_PLUGINS_HOST_ABOUT_READER_H_
#define ASTRAGAL_PLUGINS_HOST_ABOUT_READER_H_

#include <astragal/ruleset.h>

#include "absl/status/statusor.h"
#include "plugins/host/about.h"

namespace astragal::host {

// Limits that the ABI's header leaves open.
inline constexpr uint32_t kMaxPieceKinds = 64;
inline constexpr uint64_t kMaxGameActions = 1'000'000;

// A RefusalError (kShortStruct, kBadAbout) that names the first thing wrong.
absl::StatusOr<About> ReadAbout(const astragal_about& about);

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_ABOUT_READER_H_
