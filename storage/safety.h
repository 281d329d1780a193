// Settings of a server under which an acknowledged event could be lost or damaged: refused at start
// and on every new connection, since the server behind an address may change.
#ifndef ASTRAGAL_STORAGE_SAFETY_H_
#define ASTRAGAL_STORAGE_SAFETY_H_

#include "absl/status/status.h"
#include "storage/connection.h"

namespace astragal::storage {

// Its rows: name, value that a session of this role and database starts with.
inline constexpr char kSafetyQuery[] =
    "SELECT name, reset_val FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', "
    "'synchronous_commit', 'data_sync_retry', 'server_version_num')";

// FAILED_PRECONDITION that names every unsafe setting and says how to mend it.
absl::Status CheckSafety(const Rows& settings);

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_SAFETY_H_
