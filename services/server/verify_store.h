// The proof that a store is whole: `astragald --verify-store`, which `deploy/backup prove` runs on
// a database that was restored from a dump.
//
// Opens the database as the server does, migrations included, serves nothing and changes nothing
// else. Blocks; one thread. A private database may not have another server.
#ifndef ASTRAGAL_SERVICES_SERVER_VERIFY_STORE_H_
#define ASTRAGAL_SERVICES_SERVER_VERIFY_STORE_H_

#include <string>

#include "absl/status/statusor.h"
#include "services/server/options.h"

namespace astragal::server {

struct StoreReport {
  // One JSON object:
  //   games, events, throws  that were read: each event replayed, each hash compared, the throws of
  //                          games that are over computed anew from the published secret
  //   running                games among them that are not over: the key file opens their dice
  //   archived               games besides, whose logs are in files
  //   ratings                standings that were compared with the last step of their player
  //   differences            up to kMaxDifferences: {game or pool and player, sequence, what}
  //   different              how many there were
  std::string json;
  bool whole = false;  // no difference
};

inline constexpr size_t kMaxDifferences = 100;

// A failure is a sentence for the operator: the store could not be read to its end.
absl::StatusOr<StoreReport> VerifyStore(const Options& options);

}  // namespace astragal::server

#endif  // ASTRAGAL_SERVICES_SERVER_VERIFY_STORE_H_
