#include "services/server/catalog.h"

#include <string>
#include <utility>

#include "services/base/log.h"

namespace astragal::server {

absl::StatusOr<std::unique_ptr<host::Catalog>> OpenCatalog(const Options& options) {
  using base::Log;
  using base::Severity;
  host::CatalogOptions where;
  where.store_folder = options.data_dir + "/rulesets";
  auto catalog = std::make_unique<host::Catalog>(std::move(where));
  const absl::StatusOr<host::LoadReport> report = catalog->Load(options.plugins);
  if (!report.ok()) {
    return absl::FailedPreconditionError("plugins folder " + options.plugins + ": " +
                                         std::string(report.status().message()));
  }
  for (const host::LoadedFile& file : report->loaded) {
    const host::About& about = file.ruleset->about();
    Log(Severity::kInfo, "ruleset loaded",
        {{"ruleset", about.id},
         {"rules_version", std::to_string(about.rules_version)},
         {"build", file.ruleset->build().sha256.substr(0, 12)}});
  }
  for (const host::RefusedFile& file : report->refused) {
    Log(Severity::kWarning, "ruleset refused", {{"file", file.file}, {"why", file.detail}});
  }
  return catalog;
}

}  // namespace astragal::server
