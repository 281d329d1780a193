// AdminService: what the operator does with a running server, its rulesets and its players' keys.
#ifndef ASTRAGAL_SERVICES_ADMIN_ADMIN_SERVICE_H_
#define ASTRAGAL_SERVICES_ADMIN_ADMIN_SERVICE_H_

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "astragal/v1/admin_service.grpc.pb.h"
#include "plugins/host/catalog.h"
#include "services/admin/audit.h"
#include "services/admin/first_answers.h"
#include "services/rpc/call.h"

namespace astragal::admin {

// Owns nothing; the references must outlive it. Thread-safe. Work runs on
// the scheduler; loading, which may take long, is one at a time. A failure leaves what is loaded as
// it was.
class AdminService : public v1::AdminService::CallbackService {
 public:
  // Files of one kind in an answer; more are counted only.
  static constexpr int kMaxFiles = 1'000;
  // When another load is under way: how long to wait before asking again.
  static constexpr int64_t kLoadAgainMs = 1'000;

  // What GetServerInfo says of this server besides what the gate knows.
  struct About {
    struct Transport {
      const char* name;
      double most;
      const char* description;
    };
    std::string version;
    std::string node;
    uint32_t restore_epoch = 0;
    std::vector<Transport> transport;  // limits that gRPC enforces
  };

  AdminService(host::Catalog& catalog, std::string plugins_folder, About about, Audit audit,
               rpc::Calls& calls)
      : catalog_(catalog),
        plugins_folder_(std::move(plugins_folder)),
        about_(std::move(about)),
        audit_(audit),
        calls_(calls) {}

  grpc::ServerUnaryReactor* GetServerInfo(grpc::CallbackServerContext* context,
                                          const v1::GetServerInfoRequest* request,
                                          v1::GetServerInfoResponse* response) override;
  grpc::ServerUnaryReactor* SetServerMode(grpc::CallbackServerContext* context,
                                          const v1::SetServerModeRequest* request,
                                          v1::SetServerModeResponse* response) override;
  grpc::ServerUnaryReactor* CreatePlayerApiKey(grpc::CallbackServerContext* context,
                                               const v1::CreatePlayerApiKeyRequest* request,
                                               v1::CreatePlayerApiKeyResponse* response) override;
  grpc::ServerUnaryReactor* ListPlayerApiKeys(grpc::CallbackServerContext* context,
                                              const v1::ListPlayerApiKeysRequest* request,
                                              v1::ListPlayerApiKeysResponse* response) override;
  grpc::ServerUnaryReactor* RevokePlayerApiKey(grpc::CallbackServerContext* context,
                                               const v1::RevokePlayerApiKeyRequest* request,
                                               v1::RevokePlayerApiKeyResponse* response) override;

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
  absl::Status LoadAlone(v1::LoadRulesetsResponse& response);
  absl::Status Retire(const std::string& sha256, v1::RetireRulesetBuildResponse& response);
  absl::Status Switch(const core::Identity& caller, const v1::SetServerModeRequest& request,
                      v1::SetServerModeResponse& response);
  v1::LoadedRulesetBuild Describe(const host::Ruleset& ruleset) const;

  host::Catalog& catalog_;
  const std::string plugins_folder_;
  const About about_;
  Audit audit_;
  rpc::Calls& calls_;
  FirstAnswers answers_;
  std::atomic<bool> loading_ = false;
};

}  // namespace astragal::admin

#endif  // ASTRAGAL_SERVICES_ADMIN_ADMIN_SERVICE_H_
