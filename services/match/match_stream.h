// One WatchMatch call: the match as it stands, then again after each change, until it is over.
// There is no buffer: a slow reader gets the latest state only.
#ifndef ASTRAGAL_SERVICES_MATCH_MATCH_STREAM_H_
#define ASTRAGAL_SERVICES_MATCH_MATCH_STREAM_H_

#include <memory>
#include <string>
#include <utility>

#include "astragal/v1/match_service.pb.h"
#include "services/base/clock.h"
#include "services/core/matches.h"
#include "services/rpc/watch_stream.h"

namespace astragal::match {

// See rpc::WatchStream.
class MatchStream : public rpc::WatchStream<v1::WatchMatchResponse> {
 public:
  MatchStream(core::Matches& matches, const base::Clock& clock, rpc::Calls& calls, std::string id)
      : WatchStream(calls, rpc::Making::kBlocks),
        matches_(matches),
        clock_(clock),
        match_id_(std::move(id)) {}

 protected:
  absl::Status Open(const core::Identity& viewer) override;
  absl::StatusOr<rpc::Next> MakeNext(v1::WatchMatchResponse& message) override;
  bool MakeHeartbeat(v1::WatchMatchResponse& message) override;

 private:
  core::Matches& matches_;
  const base::Clock& clock_;
  const std::string match_id_;  // as the client wrote it
  std::shared_ptr<core::MatchWatch> watch_;
  bool last_sent_ = false;  // the match is over and the client knows
};

}  // namespace astragal::match

#endif  // ASTRAGAL_SERVICES_MATCH_MATCH_STREAM_H_
