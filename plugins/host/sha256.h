// SHA-256 of a library file: the name of a build.
#ifndef ASTRAGAL_PLUGINS_HOST_SHA256_H_
#define ASTRAGAL_PLUGINS_HOST_SHA256_H_

#include <string>

#include "absl/strings/string_view.h"

namespace astragal::host {

// 64 lower-case hex digits.
std::string Sha256Hex(absl::string_view bytes);

}  // namespace astragal::host

#endif  // ASTRAGAL_PLUGINS_HOST_SHA256_H_
