// What the metrics page says besides calls: queues, pools, commits, watchers, rulesets.
#ifndef ASTRAGAL_SERVICES_SERVER_READINGS_H_
#define ASTRAGAL_SERVICES_SERVER_READINGS_H_

#include <atomic>
#include <memory>
#include <vector>

#include "plugins/host/catalog.h"
#include "services/core/games.h"
#include "services/rpc/call.h"
#include "services/server/counting_scheduler.h"
#include "services/server/metrics.h"
#include "storage/database.h"

namespace astragal::server {

// Whether the server does all it should. Written by the health look, read by anybody.
struct Wellbeing {
  std::atomic<bool> ready = false;     // takes calls, and the database takes writes
  std::atomic<bool> degraded = false;  // serves, but something is near a limit or missing
  // Events in the buffers of game watchers (see core::World). Written by the watchers.
  const std::shared_ptr<std::atomic<int64_t>> watch_buffered =
      std::make_shared<std::atomic<int64_t>>(0);
};

// The references must outlive what is returned.
std::vector<Reading> ReadingsOf(const Wellbeing& wellbeing, rpc::Calls& calls,
                                const CountingScheduler& scheduler, const core::Games& games,
                                storage::Database& database, const host::Catalog& catalog);

// Why the server is degraded; empty: it is not.
std::string DegradedBy(const rpc::Calls& calls, const CountingScheduler& scheduler,
                       storage::Database& database, const host::Catalog& catalog);

}  // namespace astragal::server

#endif  // ASTRAGAL_SERVICES_SERVER_READINGS_H_
