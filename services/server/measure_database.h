// What the database does alone, without the service: the yardstick of `astragal bench`.
//
// Writes to a table in a schema of its own, with the durability that the service has, and drops it
// at the end. Uses a database that is running; of a private one only the socket, not its lock, so
// the service may go on serving (but then both share the machine).
#ifndef ASTRAGAL_SERVICES_SERVER_MEASURE_DATABASE_H_
#define ASTRAGAL_SERVICES_SERVER_MEASURE_DATABASE_H_

#include <string>

#include "absl/status/statusor.h"
#include "services/server/options.h"

namespace astragal::server {

// One JSON object, as `astragald --measure-database` prints it:
//   clients            that had a connection; perhaps fewer than asked for
//   server_pid         of the PostgreSQL server, 0 when it is not on this machine
//   lone, single       one client, and all of them: each row is a transaction of its own
//   batched            one client: `rows` rows by one INSERT from arrays
// The last three have per_second (rows), p50_us and p99_us (of a transaction).
absl::StatusOr<std::string> MeasureDatabase(const Options& options);

}  // namespace astragal::server

#endif  // ASTRAGAL_SERVICES_SERVER_MEASURE_DATABASE_H_
