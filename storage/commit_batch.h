// A batch of commits as the parameters of one statement, and that statement. Internal to
// PgGameStore.
//
// The whole batch is one data-modifying statement, so it is one transaction and one round trip:
// heads are locked in order of id (a head that another transaction holds is skipped, never waited
// for), each commit is judged, and the rows of those that may go on are written from arrays.
#ifndef ASTRAGAL_STORAGE_COMMIT_BATCH_H_
#define ASTRAGAL_STORAGE_COMMIT_BATCH_H_

#include <string>
#include <vector>

#include "storage/connection.h"
#include "storage/game_store.h"

namespace astragal::storage {

// Takes the parameters of EncodeBatch. Returns one row: a digit for each commit in their order (the
// number of its CommitOutcome; never kRejected), and the database's clock in microseconds.
extern const Statement kCommitBatch;

// `commits` are of different games. `payload` is what the notification says.
Params EncodeBatch(const std::vector<const GameCommit*>& commits, const std::string& payload);

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_COMMIT_BATCH_H_
