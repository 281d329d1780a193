// One WatchLobby call: what the client has seen, and the way from there to the present picture.
// There is no buffer: a slow reader gets fewer, larger changes.
#ifndef ASTRAGAL_SERVICES_LOBBY_WATCH_STREAM_H_
#define ASTRAGAL_SERVICES_LOBBY_WATCH_STREAM_H_

#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "astragal/v1/lobby_service.pb.h"
#include "services/base/mutex.h"
#include "services/core/lobby_board.h"
#include "services/rpc/call.h"

namespace astragal::lobby {

// Keeps itself alive until gRPC says it is done. One write is under way at a time. Thread-safe.
class WatchStream : public grpc::ServerWriteReactor<v1::WatchLobbyResponse>,
                    public rpc::Stream,
                    public core::LobbyViewer,
                    public std::enable_shared_from_this<WatchStream> {
 public:
  static constexpr int64_t kHeartbeatMs = 10'000;

  static WatchStream* Begin(core::LobbyBoard& board, const base::Clock& clock, rpc::Calls& calls,
                            const std::string& token, const v1::WatchLobbyRequest& request);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void OnDrain() override;
  void OnPicture() override;

 private:
  WatchStream(core::LobbyBoard& board, const base::Clock& clock, rpc::Calls& calls)
      : board_(board), clock_(clock), calls_(calls) {}
  void Open(const std::string& token);
  // Writes what is new, if nothing is being written (blocks on names).
  void Advance() ABSL_LOCKS_EXCLUDED(mutex_);
  void Heartbeat() ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Fill(const std::vector<core::ProposalPtr>& proposals,
                    google::protobuf::RepeatedPtrField<v1::Proposal>& out);
  absl::StatusOr<v1::WatchLobbyResponse> MessageFrom(const core::PicturePtr& seen,
                                                     const core::PicturePtr& now);
  void End(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);
  void EndLocked(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  core::LobbyBoard& board_;
  const base::Clock& clock_;
  rpc::Calls& calls_;
  std::shared_ptr<WatchStream> self_;  // until OnDone
  std::atomic<bool> awake_ = false;    // the scheduler has an Advance of this stream

  base::Mutex mutex_;
  core::PicturePtr seen_ ABSL_GUARDED_BY(mutex_);  // by the client; null: nothing yet
  v1::WatchLobbyResponse message_ ABSL_GUARDED_BY(mutex_);
  bool open_ ABSL_GUARDED_BY(mutex_) = false;     // it is known who looks
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;  // or a message is being made
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace astragal::lobby

#endif  // ASTRAGAL_SERVICES_LOBBY_WATCH_STREAM_H_
