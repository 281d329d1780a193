// RulesetService: what can be played, and position tools that need no game.
#ifndef ASTRAGAL_SERVICES_RULESET_RULESET_SERVICE_H_
#define ASTRAGAL_SERVICES_RULESET_RULESET_SERVICE_H_

#include "astragal/v1/ruleset_service.grpc.pb.h"
#include "plugins/host/catalog.h"
#include "services/rpc/call.h"

namespace astragal::ruleset {

// Owns nothing; the references must outlive it. Thread-safe.
class RulesetService : public v1::RulesetService::CallbackService {
 public:
  RulesetService(const host::Catalog& catalog, rpc::Calls& calls)
      : catalog_(catalog), calls_(calls) {}

  grpc::ServerUnaryReactor* ListRulesets(grpc::CallbackServerContext* context,
                                         const v1::ListRulesetsRequest* request,
                                         v1::ListRulesetsResponse* response) override;
  grpc::ServerUnaryReactor* GetRuleset(grpc::CallbackServerContext* context,
                                       const v1::GetRulesetRequest* request,
                                       v1::GetRulesetResponse* response) override;
  grpc::ServerUnaryReactor* GetGeometry(grpc::CallbackServerContext* context,
                                        const v1::GetGeometryRequest* request,
                                        v1::GetGeometryResponse* response) override;
  grpc::ServerUnaryReactor* ParseAction(grpc::CallbackServerContext* context,
                                        const v1::ParseActionRequest* request,
                                        v1::ParseActionResponse* response) override;
  grpc::ServerUnaryReactor* AnalyzePosition(grpc::CallbackServerContext* context,
                                            const v1::AnalyzePositionRequest* request,
                                            v1::AnalyzePositionResponse* response) override;
  grpc::ServerUnaryReactor* ApplyActions(grpc::CallbackServerContext* context,
                                         const v1::ApplyActionsRequest* request,
                                         v1::ApplyActionsResponse* response) override;

 private:
  const host::Catalog& catalog_;
  rpc::Calls& calls_;
};

}  // namespace astragal::ruleset

#endif  // ASTRAGAL_SERVICES_RULESET_RULESET_SERVICE_H_
