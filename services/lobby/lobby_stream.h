// One WatchLobby call: what the client has seen, and the way from there to the present picture.
// There is no buffer: a slow reader gets fewer, larger changes.
#ifndef ASTRAGAL_SERVICES_LOBBY_LOBBY_STREAM_H_
#define ASTRAGAL_SERVICES_LOBBY_LOBBY_STREAM_H_

#include <string>
#include <vector>

#include "astragal/v1/lobby_service.pb.h"
#include "services/base/clock.h"
#include "services/core/lobby_board.h"
#include "services/rpc/watch_stream.h"

namespace astragal::lobby {

// See rpc::WatchStream.
class LobbyStream : public rpc::WatchStream<v1::WatchLobbyResponse>, public core::LobbyViewer {
 public:
  LobbyStream(core::LobbyBoard& board, const base::Clock& clock, rpc::Calls& calls)
      : WatchStream(calls, rpc::Making::kBlocks), board_(board), clock_(clock) {}

  void OnPicture() override { Wake(); }

 protected:
  absl::Status Open(const core::Identity& viewer) override;
  absl::StatusOr<rpc::Next> MakeNext(v1::WatchLobbyResponse& message) override;
  bool MakeHeartbeat(v1::WatchLobbyResponse& message) override;

 private:
  absl::Status Fill(const std::vector<core::ProposalPtr>& proposals,
                    google::protobuf::RepeatedPtrField<v1::Proposal>& out);

  core::LobbyBoard& board_;
  const base::Clock& clock_;
  core::PicturePtr seen_;  // by the client; null: nothing yet
};

}  // namespace astragal::lobby

#endif  // ASTRAGAL_SERVICES_LOBBY_LOBBY_STREAM_H_
