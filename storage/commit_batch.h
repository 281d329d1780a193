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

// Both return one row: a digit for each commit in their order (the number of its CommitOutcome),
// and the database's clock in microseconds. `commits` are of different games; `payload` is what the
// notification says.
//
// Any commits: every outcome but kRejected.
extern const Statement kCommitBatch;
Params EncodeBatch(const std::vector<const GameCommit*>& commits, const std::string& payload);

// Commits that only play: kCommitted, or kBusy for whatever needs the statement above to tell why
// it did not go on. A repeated request makes the database refuse all.
extern const Statement kPlayBatch;
Params EncodePlays(const std::vector<const GameCommit*>& commits, const std::string& payload);
// Neither the table of seats has anything to write, nor what surrounds a beginning or an end.
bool OnlyPlays(const GameCommit& commit);

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_COMMIT_BATCH_H_
