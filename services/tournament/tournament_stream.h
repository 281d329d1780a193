// One WatchTournament call: the entries of a tournament's log in order, as they come. There is no
// buffer: what was not sent yet is read from the log.
#ifndef ASTRAGAL_SERVICES_TOURNAMENT_TOURNAMENT_STREAM_H_
#define ASTRAGAL_SERVICES_TOURNAMENT_TOURNAMENT_STREAM_H_

#include <map>
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
  // Lines of the standings that are watched.
  static constexpr int32_t kMaxRows = 200;

  TournamentStream(core::Tournaments& tournaments, const base::Clock& clock, rpc::Calls& calls,
                   const v1::WatchTournamentRequest& request)
      : WatchStream(calls, rpc::Making::kBlocks),
        tournaments_(tournaments),
        clock_(clock),
        tournament_id_(request.tournament_id()),
        rows_(request.standings_rows()),
        around_(request.around_player_id()),
        seen_(request.after_version()) {}

 protected:
  absl::Status Open(const core::Identity& viewer) override;
  absl::StatusOr<rpc::Next> MakeNext(v1::WatchTournamentResponse& message) override;
  bool MakeHeartbeat(v1::WatchTournamentResponse& message) override;

 private:
  // Fills in lines that differ from those that were sent; false: there are none.
  absl::StatusOr<bool> FillStandings(const core::TournamentPtr& state, v1::StandingsChange& change);

  core::Tournaments& tournaments_;
  const base::Clock& clock_;
  const std::string tournament_id_;  // as the client wrote it
  const int32_t rows_;
  const std::string around_;  // a player's id
  base::PlayerId around_id_;
  uint32_t standings_version_ = 0;       // that was looked at last
  std::map<int32_t, std::string> sent_;  // lines by position, as bytes
  storage::TournamentId id_;
  base::PlayerId viewer_;
  uint32_t seen_;  // the last version that was sent
};

}  // namespace astragal::tournament

#endif  // ASTRAGAL_SERVICES_TOURNAMENT_TOURNAMENT_STREAM_H_
