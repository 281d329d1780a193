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

// Return one row: a digit for each commit in their order (the number of its CommitOutcome; never
// kRejected), and the database's clock in microseconds. The second one is for batches that only go
// on with running games.
extern const Statement kCommitBatch;
extern const Statement kPlayBatch;

// The cheapest one that stores these, and its parameters. `commits` are of different games.
// `payload` is what the notification says.
const Statement& BatchStatement(const std::vector<const GameCommit*>& commits);
Params EncodeBatch(const std::vector<const GameCommit*>& commits, const std::string& payload);

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_COMMIT_BATCH_H_
