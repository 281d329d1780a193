// The schema as numbered steps, each of which can be undone. They are compiled in from
// storage/migrations/NNNN_name.{up,down}.sql; a program needs no files.
//
// Each step is one transaction under an advisory lock: two programs that start at once apply each
// step once, and a kill leaves the schema before or after a step. A database that is ahead of this
// program is accepted (a newer program migrated it: steps only ever add what older ones can live
// with); one whose steps have other names, or were applied from other texts (their SHA-256 is kept
// with them), is not: FAILED_PRECONDITION, and nothing was changed.
#ifndef ASTRAGAL_STORAGE_MIGRATIONS_H_
#define ASTRAGAL_STORAGE_MIGRATIONS_H_

#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/connection.h"

namespace astragal::storage {

struct Migration {
  int number;  // from 1, no gaps
  const char* name;
  const char* up;  // SQL
  const char* down;
};

// All steps in order.
std::span<const Migration> Migrations();

// Applies what is missing; returns how many steps that was.
absl::StatusOr<int> MigrateUp(Connection& connection);
// Undoes the steps above `number`, newest first; returns how many. Loses their data.
absl::StatusOr<int> MigrateDown(Connection& connection, int number);
// The number of the newest applied step, 0 for none.
absl::StatusOr<int> SchemaVersion(Connection& connection);

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_MIGRATIONS_H_
