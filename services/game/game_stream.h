// One WatchGame call: from a core::Watch to a client, with who else is connected.
#ifndef ASTRAGAL_SERVICES_GAME_GAME_STREAM_H_
#define ASTRAGAL_SERVICES_GAME_GAME_STREAM_H_

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "astragal/v1/game_service.pb.h"
#include "services/core/games.h"
#include "services/core/lag.h"
#include "services/core/presence.h"
#include "services/core/receipts.h"
#include "services/rpc/watch_stream.h"

namespace astragal::game {

// Seats whose players are among `present` (ascending).
std::vector<int> ConnectedSeats(const std::vector<storage::SeatRecord>& seats,
                                const std::vector<base::PlayerId>& present);
void SetConnected(const std::vector<int>& seats, v1::Game& game);

// What comes while a message is being written waits in the watch's bounded buffer; of who is
// connected only the present picture is kept. See rpc::WatchStream.
class GameStream : public rpc::WatchStream<v1::WatchGameResponse>, public core::PresenceViewer {
 public:
  GameStream(core::Games& games, core::Presence& presence, core::Lag& lag,
             const core::Receipts& receipts, rpc::Calls& calls, const v1::WatchGameRequest& request)
      : WatchStream(calls, rpc::Making::kIsQuick),
        games_(games),
        presence_(presence),
        lag_(lag),
        receipts_(receipts),
        request_(request) {}

  void OnPresence() override {
    others_present_ = true;
    Wake();
  }

 protected:
  absl::Status Open(const core::Identity& viewer) override;
  absl::StatusOr<rpc::Next> MakeNext(v1::WatchGameResponse& message) override;
  bool MakeHeartbeat(v1::WatchGameResponse& message) override;
  absl::Status HandOver() override;

 private:
  absl::Status MakeSnapshot();
  bool MakePresence(v1::WatchGameResponse& message);
  void MakeEvent(const core::EventView& event, v1::WatchGameResponse& message);
  // Signs what the log is after its last event.
  void AddReceipt(const base::Bytes32& log_hash, v1::WatchGameResponse& message) const;
  // Keeps track of who sits where, and is present itself while its player holds a seat.
  void Follow(const storage::EventRecord& event);
  void Attend();
  bool IsSeated() const;

  core::Games& games_;
  core::Presence& presence_;
  core::Lag& lag_;
  const core::Receipts& receipts_;
  const v1::WatchGameRequest request_;
  base::GameId id_;
  base::PlayerId viewer_;  // nil: somebody unknown
  std::shared_ptr<core::Watch> watch_;
  std::unique_ptr<core::Attendance> attendance_;
  bool attends_seated_ = false;             // attendance_ is of a player who holds a seat
  std::vector<storage::SeatRecord> seats_;  // as the client has seen them
  bool has_clock_ = false;
  std::atomic<bool> others_present_ = false;  // perhaps: it has to be looked at
  std::vector<int> connected_;                // seats, as the client has seen them
  v1::GameSnapshot snapshot_;                 // until it is sent
  bool snapshot_sent_ = false;
  bool pinged_ = false;
  uint32_t sent_sequence_ = 0;
  bool last_sent_ = false;  // the game is over and the client knows
};

}  // namespace astragal::game

#endif  // ASTRAGAL_SERVICES_GAME_GAME_STREAM_H_
