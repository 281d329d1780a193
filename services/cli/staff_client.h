// Calls of operators and moderators about keys, accounts, games and the server, as client.h makes
// those of the others; apart from it, because few commands need them. Same contract. Owns its
// channel.
#ifndef ASTRAGAL_SERVICES_CLI_STAFF_CLIENT_H_
#define ASTRAGAL_SERVICES_CLI_STAFF_CLIENT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "astragal/v1/admin_service.pb.h"
#include "astragal/v1/moderation_service.pb.h"
#include "services/cli/client.h"

namespace astragal::cli {

class StaffClient {
 public:
  explicit StaffClient(Client::Options options);
  ~StaffClient();
  StaffClient(const StaffClient&) = delete;
  StaffClient& operator=(const StaffClient&) = delete;

  absl::StatusOr<v1::GetServerInfoResponse> Call(const v1::GetServerInfoRequest& request);
  absl::StatusOr<v1::SetServerModeResponse> Call(const v1::SetServerModeRequest& request);
  absl::StatusOr<v1::CreatePlayerApiKeyResponse> Call(const v1::CreatePlayerApiKeyRequest& request);
  absl::StatusOr<v1::ListPlayerApiKeysResponse> Call(const v1::ListPlayerApiKeysRequest& request);
  absl::StatusOr<v1::RevokePlayerApiKeyResponse> Call(const v1::RevokePlayerApiKeyRequest& request);
  absl::StatusOr<v1::RestrictPlayerResponse> Call(const v1::RestrictPlayerRequest& request);
  absl::StatusOr<v1::AnnulGameResponse> Call(const v1::AnnulGameRequest& request);
  absl::StatusOr<v1::AdjudicateGameResponse> Call(const v1::AdjudicateGameRequest& request);
  absl::StatusOr<v1::ListAuditEntriesResponse> Call(const v1::ListAuditEntriesRequest& request);
  absl::StatusOr<v1::ExportPlayerResponse> Call(const v1::ExportPlayerRequest& request);
  absl::StatusOr<v1::ErasePlayerResponse> Call(const v1::ErasePlayerRequest& request);

 private:
  struct Wire;

  const Client::Options options_;
  const std::unique_ptr<Wire> wire_;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_STAFF_CLIENT_H_
