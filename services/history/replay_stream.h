// One StreamReplay call: a reactor that walks through a stored game.
#ifndef ASTRAGAL_SERVICES_HISTORY_REPLAY_STREAM_H_
#define ASTRAGAL_SERVICES_HISTORY_REPLAY_STREAM_H_

#include <grpcpp/support/server_callback.h>

#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "astragal/v1/history_service.pb.h"
#include "services/base/mutex.h"
#include "services/core/replay.h"
#include "services/rpc/call.h"

namespace astragal::history {

// Keeps itself alive until gRPC says it is done. One step at a time: read and replayed on the
// scheduler, after the pause that the game's own times and the speed ask for; the next one starts
// when the write is done, so that a slow reader costs one event of memory. Thread-safe.
class ReplayStream : public grpc::ServerWriteReactor<v1::StreamReplayResponse>,
                     public rpc::Stream,
                     public std::enable_shared_from_this<ReplayStream> {
 public:
  static constexpr double kMaxSpeed = 1'000;
  static constexpr int64_t kMaxPauseMs = 10'000;

  static ReplayStream* Begin(const core::World& world, rpc::Calls& calls, std::string token,
                             const v1::StreamReplayRequest& request);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void OnDrain() override;

 private:
  ReplayStream(const core::World& world, rpc::Calls& calls, std::string token,
               const v1::StreamReplayRequest& request)
      : world_(world), calls_(calls), token_(std::move(token)), request_(request) {}
  void Open();
  absl::Status Prepare();
  void ReadNext();
  void Write() ABSL_LOCKS_EXCLUDED(mutex_);
  void End(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);
  void OnScheduler(void (ReplayStream::*step)());
  int64_t PauseMs(base::Instant next) const;

  const core::World& world_;
  rpc::Calls& calls_;
  const std::string token_;
  const v1::StreamReplayRequest request_;
  std::shared_ptr<ReplayStream> self_;  // until OnDone

  // Touched by one step at a time.
  std::optional<core::Replay> replay_;
  uint32_t last_ = 0;
  base::Instant previous_at_;
  v1::StreamReplayResponse message_;

  base::Mutex mutex_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace astragal::history

#endif  // ASTRAGAL_SERVICES_HISTORY_REPLAY_STREAM_H_
