// One WatchGame call: a reactor between a core::Watch and a client.
#ifndef ASTRAGAL_SERVICES_GAME_WATCH_STREAM_H_
#define ASTRAGAL_SERVICES_GAME_WATCH_STREAM_H_

#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "astragal/v1/game_service.pb.h"
#include "services/base/mutex.h"
#include "services/core/games.h"
#include "services/rpc/call.h"

namespace astragal::game {

// Keeps itself alive until gRPC says it is done. One write is under way at a time; what comes
// meanwhile waits in the watch's bounded buffer. Thread-safe.
class WatchStream : public grpc::ServerWriteReactor<v1::WatchGameResponse>,
                    public rpc::Stream,
                    public std::enable_shared_from_this<WatchStream> {
 public:
  static constexpr int64_t kHeartbeatMs = 10'000;

  static WatchStream* Begin(core::Games& games, rpc::Calls& calls, const std::string& token,
                            const v1::WatchGameRequest& request);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void OnDrain() override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  WatchStream(core::Games& games, rpc::Calls& calls) : games_(games), calls_(calls) {}
  void Open(const std::string& token, const v1::WatchGameRequest& request);
  absl::Status SendSnapshot(base::GameId id) ABSL_LOCKS_EXCLUDED(mutex_);
  // From the game, perhaps under its lock: leaves the work to the scheduler.
  void Wake();
  void Advance() ABSL_LOCKS_EXCLUDED(mutex_);
  void Heartbeat() ABSL_LOCKS_EXCLUDED(mutex_);
  void Send() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void End(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);
  void EndLocked(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  core::Games& games_;
  rpc::Calls& calls_;
  std::shared_ptr<WatchStream> self_;  // until OnDone
  std::atomic<bool> awake_ = false;    // the scheduler has an Advance of this stream

  base::Mutex mutex_;
  std::shared_ptr<core::Watch> watch_ ABSL_GUARDED_BY(mutex_);
  v1::WatchGameResponse message_ ABSL_GUARDED_BY(mutex_);
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  uint32_t sent_sequence_ ABSL_GUARDED_BY(mutex_) = 0;
  bool last_sent_ ABSL_GUARDED_BY(mutex_) = false;  // the game is over and the client knows
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace astragal::game

#endif  // ASTRAGAL_SERVICES_GAME_WATCH_STREAM_H_
