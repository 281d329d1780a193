// One StreamReplay call: walks through a stored game.
#ifndef ASTRAGAL_SERVICES_HISTORY_REPLAY_STREAM_H_
#define ASTRAGAL_SERVICES_HISTORY_REPLAY_STREAM_H_

#include <atomic>
#include <optional>
#include <string>

#include "astragal/v1/history_service.pb.h"
#include "services/core/replay.h"
#include "services/rpc/watch_stream.h"

namespace astragal::history {

// One step at a time: read and replayed on the scheduler, written after the pause that the game's
// own times and the speed ask for; the next one is read when that write is done, so that a slow
// reader costs one event of memory. See rpc::WatchStream.
class ReplayStream : public rpc::WatchStream<v1::StreamReplayResponse> {
 public:
  static constexpr double kMaxSpeed = 1'000;
  static constexpr int64_t kMaxPauseMs = 10'000;

  ReplayStream(const core::World& world, rpc::Calls& calls, const v1::StreamReplayRequest& request)
      : WatchStream(calls, rpc::Making::kBlocks), world_(world), request_(request) {}

 protected:
  absl::Status Open(const core::Identity& viewer) override;
  absl::StatusOr<rpc::Next> MakeNext(v1::StreamReplayResponse& message) override;
  bool MakeHeartbeat(v1::StreamReplayResponse&) override { return false; }

 private:
  // The next event into `step_`; false at the end.
  absl::StatusOr<bool> ReadStep();
  void Pause(int64_t pause_ms);
  int64_t PauseMs(base::Instant next) const;

  const core::World& world_;
  const v1::StreamReplayRequest request_;
  std::optional<core::Replay> replay_;
  uint32_t last_ = 0;
  base::Instant previous_at_;
  std::optional<v1::StreamReplayResponse> step_;  // waits for its time
  std::atomic<bool> is_time_ = false;
};

}  // namespace astragal::history

#endif  // ASTRAGAL_SERVICES_HISTORY_REPLAY_STREAM_H_
