// EventService: a player's own affairs.
#ifndef ASTRAGAL_SERVICES_EVENT_EVENT_SERVICE_H_
#define ASTRAGAL_SERVICES_EVENT_EVENT_SERVICE_H_

#include "astragal/v1/event_service.grpc.pb.h"
#include "services/base/clock.h"
#include "services/core/affairs.h"
#include "services/rpc/call.h"

namespace astragal::event {

// Owns nothing; the references must outlive it. Thread-safe.
class EventService : public v1::EventService::CallbackService {
 public:
  EventService(core::Affairs& affairs, const base::Clock& clock, rpc::Calls& calls)
      : affairs_(affairs), clock_(clock), calls_(calls) {}

  grpc::ServerWriteReactor<v1::WatchMyEventsResponse>* WatchMyEvents(
      grpc::CallbackServerContext* context, const v1::WatchMyEventsRequest* request) override;

 private:
  core::Affairs& affairs_;
  const base::Clock& clock_;
  rpc::Calls& calls_;
};

}  // namespace astragal::event

#endif  // ASTRAGAL_SERVICES_EVENT_EVENT_SERVICE_H_
