// The steps from a file to a ruleset. Each gives a RefusalError (refusal.h) when it fails.
//
//   ReadLibrary   the file's bytes and hash, after a look at its kind, permissions and headers
//   StoreLibrary  a copy under its hash, which nobody overwrites
//   Probe         the copy opened and tried in a child process (probe.h)
//   OpenLibrary   the copy opened in this process
//
// Thread-safe: the functions share nothing.
#ifndef ASTRAGAL_PLUGINS_HOST_LIBRARY_H_
#define ASTRAGAL_PLUGINS_HOST_LIBRARY_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "plugins/host/ruleset.h"

namespace astragal::host {

inline constexpr size_t kMaxLibraryBytes = 64u << 20;

struct LibraryFile {
  std::string bytes;
  std::string sha256;
};

// Follows symbolic links; the file and the folder that holds it may not be writable by everybody.
absl::StatusOr<LibraryFile> ReadLibrary(const std::string& path);

// Where the store keeps the build of this hash.
std::string StoredPath(const std::string& store_folder, absl::string_view sha256);

// Returns StoredPath. A copy that is there already is compared and, if it is damaged, replaced.
absl::StatusOr<std::string> StoreLibrary(const std::string& store_folder, const LibraryFile& file);

// Maps the library for the life of the process and checks its table. Runs the library's
// constructors: do this in a process that matters only after Probe said yes.
absl::StatusOr<std::shared_ptr<const Ruleset>> OpenLibrary(Build build);

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_LIBRARY_H_
