// Looks at the first bytes of a library before anybody maps it.
#ifndef ASTRAGAL_PLUGINS_HOST_ELF_FILE_H_
#define ASTRAGAL_PLUGINS_HOST_ELF_FILE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace astragal::host {

// A RefusalError: kNotElf, kWrongArchitecture, kNotLibrary or kTruncated. Reads no byte outside of
// `bytes`, whatever they say.
absl::Status CheckElf(absl::string_view bytes);

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_ELF_FILE_H_
