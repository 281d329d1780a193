// The rulesets of a server, as its options want them.
#ifndef ASTRAGAL_SERVICES_SERVER_CATALOG_H_
#define ASTRAGAL_SERVICES_SERVER_CATALOG_H_

#include <memory>

#include "absl/status/statusor.h"
#include "plugins/host/catalog.h"
#include "services/server/options.h"

namespace astragal::server {

// Loads every library of the plugins folder and every build that is kept in the data folder; the
// log says what was loaded and what was refused. FAILED_PRECONDITION without the folder.
absl::StatusOr<std::unique_ptr<host::Catalog>> OpenCatalog(const Options& options);

}  // namespace astragal::server

#endif  // ASTRAGAL_SERVICES_SERVER_CATALOG_H_
