#include "services/event/event_service.h"

#include <memory>

#include "services/event/event_stream.h"

namespace astragal::event {

grpc::ServerWriteReactor<v1::WatchMyEventsResponse>* EventService::WatchMyEvents(
    grpc::CallbackServerContext* context, const v1::WatchMyEventsRequest* request) {
  return std::make_shared<EventStream>(affairs_, clock_, calls_)->Begin(*context, *request);
}

}  // namespace astragal::event
