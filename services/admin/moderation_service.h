// ModerationService: what moderators do to accounts and games, the audit of it, and what an account
// takes with it when it goes.
#ifndef ASTRAGAL_SERVICES_ADMIN_MODERATION_SERVICE_H_
#define ASTRAGAL_SERVICES_ADMIN_MODERATION_SERVICE_H_

#include <string>

#include "astragal/v1/moderation_service.grpc.pb.h"
#include "services/admin/audit.h"
#include "services/core/games.h"
#include "services/rpc/call.h"
#include "storage/account_data.h"

namespace astragal::admin {

// Owns nothing; the references must outlive it. Thread-safe. Every act is in the audit before it is
// done.
class ModerationService : public v1::ModerationService::CallbackService {
 public:
  ModerationService(core::Games& games, storage::AccountData& data, Audit audit, rpc::Calls& calls)
      : games_(games), data_(data), audit_(audit), calls_(calls) {}

  grpc::ServerUnaryReactor* RestrictPlayer(grpc::CallbackServerContext* context,
                                           const v1::RestrictPlayerRequest* request,
                                           v1::RestrictPlayerResponse* response) override;
  grpc::ServerUnaryReactor* AnnulGame(grpc::CallbackServerContext* context,
                                      const v1::AnnulGameRequest* request,
                                      v1::AnnulGameResponse* response) override;
  grpc::ServerUnaryReactor* AdjudicateGame(grpc::CallbackServerContext* context,
                                           const v1::AdjudicateGameRequest* request,
                                           v1::AdjudicateGameResponse* response) override;
  grpc::ServerUnaryReactor* ListAuditEntries(grpc::CallbackServerContext* context,
                                             const v1::ListAuditEntriesRequest* request,
                                             v1::ListAuditEntriesResponse* response) override;
  grpc::ServerUnaryReactor* ExportPlayer(grpc::CallbackServerContext* context,
                                         const v1::ExportPlayerRequest* request,
                                         v1::ExportPlayerResponse* response) override;
  grpc::ServerUnaryReactor* ErasePlayer(grpc::CallbackServerContext* context,
                                        const v1::ErasePlayerRequest* request,
                                        v1::ErasePlayerResponse* response) override;
  grpc::ServerUnaryReactor* ExportAccount(grpc::CallbackServerContext* context,
                                          const v1::ExportAccountRequest* request,
                                          v1::ExportAccountResponse* response) override;
  grpc::ServerUnaryReactor* EraseAccount(grpc::CallbackServerContext* context,
                                         const v1::EraseAccountRequest* request,
                                         v1::EraseAccountResponse* response) override;

 private:
  absl::Status Restrict(const core::Identity& caller, const v1::RestrictPlayerRequest& request);
  absl::Status Erase(base::PlayerId player);
  // Rights changed: on this server at once, on others when they ask.
  void ForgetNow();

  core::Games& games_;
  storage::AccountData& data_;
  Audit audit_;
  rpc::Calls& calls_;
};

}  // namespace astragal::admin

#endif  // ASTRAGAL_SERVICES_ADMIN_MODERATION_SERVICE_H_
