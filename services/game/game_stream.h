// One WatchGame call: from a core::Watch to a client.
#ifndef ASTRAGAL_SERVICES_GAME_GAME_STREAM_H_
#define ASTRAGAL_SERVICES_GAME_GAME_STREAM_H_

#include <memory>
#include <string>

#include "astragal/v1/game_service.pb.h"
#include "services/core/games.h"
#include "services/rpc/watch_stream.h"

namespace astragal::game {

// What comes while a message is being written waits in the watch's bounded buffer. See
// rpc::WatchStream.
class GameStream : public rpc::WatchStream<v1::WatchGameResponse> {
 public:
  GameStream(core::Games& games, rpc::Calls& calls, const v1::WatchGameRequest& request)
      : WatchStream(calls, rpc::Making::kIsQuick), games_(games), request_(request) {}

 protected:
  absl::Status Open(const std::string& token) override;
  absl::StatusOr<rpc::Next> MakeNext(v1::WatchGameResponse& message) override;
  bool MakeHeartbeat(v1::WatchGameResponse& message) override;
  absl::Status HandOver() override;

 private:
  absl::Status MakeSnapshot();

  core::Games& games_;
  const v1::WatchGameRequest request_;
  std::shared_ptr<core::Watch> watch_;
  v1::GameSnapshot snapshot_;  // until it is sent
  bool snapshot_sent_ = false;
  uint32_t sent_sequence_ = 0;
  bool last_sent_ = false;  // the game is over and the client knows
};

}  // namespace astragal::game

#endif  // ASTRAGAL_SERVICES_GAME_GAME_STREAM_H_
