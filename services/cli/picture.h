// Pictures as files: SVG as it is, PNG through librsvg (the only file that includes it).
#ifndef ASTRAGAL_SERVICES_CLI_PICTURE_H_
#define ASTRAGAL_SERVICES_CLI_PICTURE_H_

#include <string>

#include "absl/status/status.h"

namespace astragal::cli {

// Writes `svg` to `path`: as PNG when the name ends so, otherwise as it is. A failure leaves no
// file.
absl::Status WritePicture(const std::string& svg, const std::string& path);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_PICTURE_H_
