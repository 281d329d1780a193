// AdminService: what the operator does with the rulesets of a running server.
#ifndef ASTRAGAL_SERVICES_ADMIN_ADMIN_SERVICE_H_
#define ASTRAGAL_SERVICES_ADMIN_ADMIN_SERVICE_H_

#include <atomic>
#include <functional>
#include <string>

#include "astragal/v1/admin_service.grpc.pb.h"
#include "plugins/host/catalog.h"
#include "services/rpc/call.h"

namespace astragal::admin {

// Owns nothing but the operator's key; the references must outlive it. Thread-safe. Work runs on
// the scheduler; loading, which may take long, is one at a time. A failure leaves what is loaded as
// it was.
class AdminService : public v1::AdminService::CallbackService {
 public:
  // Files of one kind in an answer; more are counted only.
  static constexpr int kMaxFiles = 1'000;
  // When another load is under way: how long to wait before asking again.
  static constexpr int64_t kLoadAgainMs = 1'000;

  AdminService(host::Catalog& catalog, std::string plugins_folder, std::string operator_key,
               rpc::Calls& calls)
      : catalog_(catalog),
        plugins_folder_(std::move(plugins_folder)),
        operator_key_(std::move(operator_key)),
        calls_(calls) {}

  grpc::ServerUnaryReactor* LoadRulesets(grpc::CallbackServerContext* context,
                                         const v1::LoadRulesetsRequest* request,
                                         v1::LoadRulesetsResponse* response) override;
  grpc::ServerUnaryReactor* ListRulesetBuilds(grpc::CallbackServerContext* context,
                                              const v1::ListRulesetBuildsRequest* request,
                                              v1::ListRulesetBuildsResponse* response) override;
  grpc::ServerUnaryReactor* RetireRulesetBuild(grpc::CallbackServerContext* context,
                                               const v1::RetireRulesetBuildRequest* request,
                                               v1::RetireRulesetBuildResponse* response) override;

 private:
  absl::Status Load(v1::LoadRulesetsResponse& response);
  v1::LoadedRulesetBuild Describe(const host::Ruleset& ruleset) const;

  host::Catalog& catalog_;
  const std::string plugins_folder_;
  const std::string operator_key_;
  rpc::Calls& calls_;
  std::atomic<bool> loading_ = false;
};

}  // namespace astragal::admin

#endif  // ASTRAGAL_SERVICES_ADMIN_ADMIN_SERVICE_H_
