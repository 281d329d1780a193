// A bounded pool of connections, and the two ways to run a statement.
//
// Broken connections are thrown away, new ones are opened on demand: at most `size` exist at a
// time. Who finds all of them busy waits at most `wait_ms`. While the server cannot be reached,
// attempts back off exponentially with jitter, and callers in between are refused at once with the
// time to wait. A statement that outlives the server's own timeout by far (a server that hangs, a
// network that swallows packets) is cut by a watchdog thread. Thread-safe. The destructor waits for
// running statements.
#ifndef ASTRAGAL_STORAGE_POOL_H_
#define ASTRAGAL_STORAGE_POOL_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "storage/connection.h"

namespace astragal::storage {

class Pool {
 public:
  // Times a statement is tried when the server asks for it (deadlocks).
  static constexpr int kMaxTries = 3;
  // Pauses between attempts to connect: doubled each time, then between half and all of it by
  // chance.
  static constexpr int64_t kFirstBackoffMs = 50;
  static constexpr int64_t kMaxBackoffMs = 2'000;
  // What the watchdog grants beyond the server's statement_timeout.
  static constexpr int64_t kHangGraceMs = 3'000;

  struct Options {
    ConnectionOptions connection;
    size_t size = 8;
    int64_t wait_ms = 2'000;
    // Called before each attempt to connect; a failure is one of connecting. May block.
    std::function<absl::Status()> before_connect;
    // Gets one line for an operator when the server goes away or comes back.
    std::function<void(std::string_view)> log;
  };

  explicit Pool(Options options);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // For statements that change nothing: tried once more when the connection breaks.
  absl::StatusOr<Rows> Read(const Statement& statement, const Params& params = {});
  // For statements that change something: a broken connection is kInDoubt.
  absl::StatusOr<Rows> Write(const Statement& statement, const Params& params = {});

  struct Counts {
    size_t open = 0;
    size_t idle = 0;
  };
  Counts counts() const;

 private:
  using Steady = std::chrono::steady_clock;

  absl::StatusOr<std::unique_ptr<Connection>> Take();
  absl::StatusOr<std::unique_ptr<Connection>> Connect();
  void NoteConnected(const absl::Status& status);
  void GiveBack(std::unique_ptr<Connection> connection);
  absl::StatusOr<Rows> RunOnce(const Statement& statement, const Params& params);
  void Watch();

  const Options options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;  // a connection is free, or may be opened
  std::condition_variable stopped_;  // for the watchdog alone
  std::vector<std::unique_ptr<Connection>> idle_;
  std::map<Connection*, Steady::time_point> busy_;  // since when
  size_t open_ = 0;                                 // idle, busy and being opened
  int failures_ = 0;                                // attempts to connect since the last success
  Steady::time_point next_attempt_{};
  std::minstd_rand jitter_;
  bool stopping_ = false;
  std::thread watchdog_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_POOL_H_
