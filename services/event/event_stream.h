// One WatchMyEvents call: what the client has seen, and the way from there to the present picture.
// There is no buffer: a slow reader gets fewer, larger changes.
#ifndef ASTRAGAL_SERVICES_EVENT_EVENT_STREAM_H_
#define ASTRAGAL_SERVICES_EVENT_EVENT_STREAM_H_

#include <string>
#include <vector>

#include "astragal/v1/event_service.pb.h"
#include "services/base/clock.h"
#include "services/core/affairs.h"
#include "services/rpc/nouns.h"
#include "services/rpc/watch_stream.h"

namespace astragal::event {

// See rpc::WatchStream.
class EventStream : public rpc::WatchStream<v1::WatchMyEventsResponse>, public core::AffairViewer {
 public:
  EventStream(core::Affairs& affairs, const base::Clock& clock, rpc::Calls& calls)
      : WatchStream(calls, rpc::Making::kBlocks), affairs_(affairs), clock_(clock) {}

  void OnAffairs() override { Wake(); }

 protected:
  absl::Status Open(const core::Identity& viewer) override;
  absl::StatusOr<rpc::Next> MakeNext(v1::WatchMyEventsResponse& message) override;
  bool MakeHeartbeat(v1::WatchMyEventsResponse& message) override;

 private:
  absl::Status FillSnapshot(const core::AffairPicture& now, v1::AffairsSnapshot& out);
  absl::Status FillChange(const core::AffairDifference& difference, v1::AffairsChange& out);
  v1::GameAffair GameToProto(const core::GameAffair& game, const rpc::Names& names) const;

  core::Affairs& affairs_;
  const base::Clock& clock_;
  base::PlayerId player_;
  core::AffairPicturePtr seen_;  // by the client; null: nothing yet
};

}  // namespace astragal::event

#endif  // ASTRAGAL_SERVICES_EVENT_EVENT_STREAM_H_
