// A private PostgreSQL below the service's data directory, for when no database is named.
//
// Start makes the cluster on first use, adopts a server that a killed service left running, or
// starts one. It listens on a Unix socket only, in a folder that only its user can enter; the user
// is `postgres` when we are root (PostgreSQL refuses root), otherwise our own. It works in a
// session of its own, so a Ctrl-C at our terminal does not reach it, with full durability that its
// configuration files cannot switch off. One service at a time: a lock file keeps a second one out.
//
// Owns the server: the destructor stops it (fast shutdown). Thread-safe. A failure leaves the
// cluster's files as they were; only a cluster whose initdb never finished is removed.
#ifndef ASTRAGAL_STORAGE_EMBEDDED_POSTGRES_H_
#define ASTRAGAL_STORAGE_EMBEDDED_POSTGRES_H_

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/cluster_files.h"

namespace astragal::storage {

class EmbeddedPostgres {
 public:
  static constexpr int64_t kInitTimeoutMs = 120'000;
  static constexpr int64_t kStopTimeoutMs = 30'000;
  // Crash recovery reads the log since the last checkpoint; meanwhile the store is unavailable.
  static constexpr int64_t kStartTimeoutMs = 120'000;
  static constexpr int64_t kRestartWaitMs = 5'000;
  // The log is set aside (one old one is kept) at a start that finds it larger.
  static constexpr int64_t kMaxLogBytes = 16 << 20;

  struct Options {
    std::string data_dir;  // the service's; made if missing
    int max_connections = 100;
    // More settings of the server as name=value, for tests. Those that make it safe come last.
    std::vector<std::string> settings;
    // Only for clusters that are thrown away: initdb does not wait for the disk.
    bool throw_away = false;
    std::function<void(std::string_view)> log;  // one line for an operator
  };

  // FAILED_PRECONDITION or NOT_FOUND with what to do about it; the message is for the operator.
  static absl::StatusOr<std::unique_ptr<EmbeddedPostgres>> Start(Options options);
  ~EmbeddedPostgres();

  // How to reach a database of it.
  std::string Url(const std::string& database) const;
  // Starts the server again if it died. Waits at most kRestartWaitMs; UNAVAILABLE when it is not
  // ready by then.
  absl::Status EnsureRunning();
  // Idempotent. Nothing starts it again.
  absl::Status Stop();

  pid_t pid() const;
  bool adopted() const { return adopted_; }  // by Start

 private:
  explicit EmbeddedPostgres(Options options);

  absl::Status Open();
  absl::Status Lock();
  absl::Status ChooseUser();
  absl::Status ChooseBinaries();
  absl::Status Initialise();
  absl::Status Launch();
  absl::Status AwaitReady(int64_t timeout_ms);
  bool Alive();
  absl::Status Signal(int signal, int64_t timeout_ms);
  void Log(std::string_view line) const;

  const Options options_;
  std::string data_dir_;
  ClusterPaths paths_;
  std::string socket_dir_;
  PostgresBinaries binaries_;
  RunUser user_;
  bool adopted_ = false;
  int lock_ = -1;

  mutable std::mutex mutex_;  // the server's coming and going
  pid_t pid_ = 0;             // 0: none
  bool child_ = false;        // of this process
  bool stopped_ = false;
};

// How to reach a database of a private server by the folder of its socket (see RunningPostmaster).
std::string EmbeddedUrl(const std::string& socket_dir, const std::string& database);

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_EMBEDDED_POSTGRES_H_
