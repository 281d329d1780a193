// One WatchTournament call: the entries of a tournament's log in order, as they come. There is no
// buffer: what was not sent yet is read from the log.
#ifndef ASTRAGAL_SERVICES_TOURNAMENT_TOURNAMENT_STREAM_H_
#define ASTRAGAL_SERVICES_TOURNAMENT_TOURNAMENT_STREAM_H_

#include <memory>
#include <string>
#include <utility>

#include "astragal/v1/tournament_service.pb.h"
#include "services/base/clock.h"
#include "services/core/tournaments/tournaments.h"
#include "services/rpc/watch_stream.h"

namespace astragal::tournament {

// See rpc::WatchStream.
class TournamentStream : public rpc::WatchStream<v1::WatchTournamentResponse> {
 public:
  // Entries of one message.
  static constexpr size_t kMaxEvents = 200;

  TournamentStream(core::Tournaments& tournaments, const base::Clock& clock, rpc::Calls& calls,
                   const v1::WatchTournamentRequest& request)
      : WatchStream(calls, rpc::Making::kBlocks),
        tournaments_(tournaments),
        clock_(clock),
        tournament_id_(request.tournament_id()),
        seen_(request.after_version()) {}

 protected:
  absl::Status Open(const std::string& token) override;
  absl::StatusOr<rpc::Next> MakeNext(v1::WatchTournamentResponse& message) override;
  bool MakeHeartbeat(v1::WatchTournamentResponse& message) override;

 private:
  core::Tournaments& tournaments_;
  const base::Clock& clock_;
  const std::string tournament_id_;  // as the client wrote it
  storage::TournamentId id_;
  base::PlayerId viewer_;
  uint32_t seen_;  // the last version that was sent
  bool last_sent_ = false;
};

}  // namespace astragal::tournament

#endif  // ASTRAGAL_SERVICES_TOURNAMENT_TOURNAMENT_STREAM_H_
