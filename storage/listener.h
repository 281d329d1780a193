// Hears of other nodes' commits: a hint, never the truth. Who misses one finds out when it asks for
// heads again.
//
// Owns one connection and one thread. Callbacks come from that thread, one at a time, and must not
// block; none comes after Stop (or the destructor) returned. Lost connections are made anew with a
// pause between attempts; what was said meanwhile is lost, which on_connected tells.
#ifndef ASTRAGAL_STORAGE_LISTENER_H_
#define ASTRAGAL_STORAGE_LISTENER_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "storage/connection.h"

namespace astragal::storage {

class Listener {
 public:
  static constexpr int64_t kPauseMs = 250;  // between attempts to connect
  static constexpr int64_t kWaitMs = 100;   // how long Stop may take to be noticed

  struct Options {
    ConnectionOptions connection;
    std::function<absl::Status()> before_connect;
    // A node stored a batch; its number counts from 1 within that node's life.
    std::function<void(const std::string& node, uint64_t batch)> on_batch;
    // Listening (again): from now on batches are heard of.
    std::function<void()> on_connected;
  };

  explicit Listener(Options options);
  ~Listener();
  void Stop();  // idempotent

 private:
  void Run();
  void ListenOnce();
  bool stopping() const;

  const Options options_;
  mutable std::mutex mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_LISTENER_H_
