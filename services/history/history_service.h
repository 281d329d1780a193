// HistoryService: stored games, replayed on their own rules.
#ifndef ASTRAGAL_SERVICES_HISTORY_HISTORY_SERVICE_H_
#define ASTRAGAL_SERVICES_HISTORY_HISTORY_SERVICE_H_

#include "astragal/v1/history_service.grpc.pb.h"
#include "services/core/world.h"
#include "services/rpc/call.h"

namespace astragal::history {

// Owns nothing; the references must outlive it. Thread-safe.
class HistoryService : public v1::HistoryService::CallbackService {
 public:
  HistoryService(const core::World& world, rpc::Calls& calls) : world_(world), calls_(calls) {}

  grpc::ServerUnaryReactor* ListEvents(grpc::CallbackServerContext* context,
                                       const v1::ListEventsRequest* request,
                                       v1::ListEventsResponse* response) override;
  grpc::ServerUnaryReactor* GetPosition(grpc::CallbackServerContext* context,
                                        const v1::GetPositionRequest* request,
                                        v1::GetPositionResponse* response) override;
  grpc::ServerWriteReactor<v1::StreamReplayResponse>* StreamReplay(
      grpc::CallbackServerContext* context, const v1::StreamReplayRequest* request) override;

 private:
  const core::World& world_;
  rpc::Calls& calls_;
};

}  // namespace astragal::history

#endif  // ASTRAGAL_SERVICES_HISTORY_HISTORY_SERVICE_H_
