// Whether a certificate and its key can be used to serve. Any thread may ask.
#ifndef ASTRAGAL_SERVICES_BASE_TLS_FILES_H_
#define ASTRAGAL_SERVICES_BASE_TLS_FILES_H_

#include <string>

#include "absl/status/status.h"

namespace astragal::base {

// Both files are PEM, the certificate's with its chain. FAILED_PRECONDITION, with what to do, when
// one cannot be read, others may read the key, or they are not a pair.
absl::Status CheckTlsFiles(const std::string& certificate, const std::string& key);

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_TLS_FILES_H_
