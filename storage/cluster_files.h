// The files of a private PostgreSQL cluster: where they are, whose they are, what they say.
// Functions only; any thread may call them.
#ifndef ASTRAGAL_STORAGE_CLUSTER_FILES_H_
#define ASTRAGAL_STORAGE_CLUSTER_FILES_H_

#include <sys/types.h>

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/child_process.h"

namespace astragal::storage {

// The port is part of the socket's name only; nothing listens on TCP.
inline constexpr int kClusterPort = 5432;

// Programs of one major version of PostgreSQL.
struct PostgresBinaries {
  int major = 0;
  std::string folder;
};

// The newest installed ones, or those of `major` when that is not 0. NOT_FOUND says which package
// to install.
absl::StatusOr<PostgresBinaries> FindPostgres(int major = 0);

// Below the service's data directory.
struct ClusterPaths {
  std::string base;     // DATA/database, owned by the user that PostgreSQL runs as
  std::string cluster;  // DATA/database/cluster
  std::string fresh;    // DATA/database/cluster.new: initdb has not finished
  std::string log;      // DATA/database/postgresql.log
};
ClusterPaths PathsBelow(const std::string& data_dir);

// Major version of the cluster in this folder; 0 when there is none.
int ClusterMajor(const std::string& cluster);

// What a running server wrote about itself.
struct Postmaster {
  pid_t pid = 0;
  std::string socket_dir;
  bool ready = false;
};
// nullopt: no server runs in this folder, whatever a file left behind may say.
std::optional<Postmaster> RunningPostmaster(const std::string& cluster);
// Removes a postmaster.pid whose number now belongs to another program, or to a killed server that
// nobody has collected yet; true if it did. Leaves that of a dead server alone: the next server
// checks for its orphans by it.
bool RemoveMisleadingPidFile(const std::string& cluster);

// Creates the folder for `user` with mode 0700 if it is missing. FAILED_PRECONDITION when somebody
// else owns it or could write to it.
absl::Status MakePrivateFolder(const std::string& path, const RunUser& user);
// FAILED_PRECONDITION that names the first folder on the way to `path` that `user` may not pass.
absl::Status CheckReachable(const std::string& path, const RunUser& user);

// A folder for the socket that is short enough for one: in the cluster's base if that is.
std::string SocketFolder(const ClusterPaths& paths);

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_CLUSTER_FILES_H_
