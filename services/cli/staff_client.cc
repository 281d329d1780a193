#include "services/cli/staff_client.h"

#include <string>
#include <utility>

#include "astragal/v1/admin_service.grpc.pb.h"
#include "astragal/v1/moderation_service.grpc.pb.h"
#include "services/cli/wire.h"

namespace astragal::cli {

struct StaffClient::Wire {
  explicit Wire(const std::shared_ptr<grpc::Channel>& channel)
      : admin(channel), moderation(channel) {}

  base::SystemRandom random;
  v1::AdminService::Stub admin;
  v1::ModerationService::Stub moderation;
};

StaffClient::StaffClient(Client::Options options)
    : options_(std::move(options)), wire_(std::make_unique<Wire>(Connect(options_.server))) {}

StaffClient::~StaffClient() = default;

#define ASTRAGAL_UNARY(member, Service, Method)                                                   \
  absl::StatusOr<v1::Method##Response> StaffClient::Call(const v1::Method##Request& request) {    \
    return CallUnary(options_, wire_->random, wire_->member, &v1::Service::Stub::Method, request, \
                     Client::kAttemptLimit);                                                      \
  }
ASTRAGAL_UNARY(admin, AdminService, GetServerInfo)
ASTRAGAL_UNARY(admin, AdminService, SetServerMode)
ASTRAGAL_UNARY(admin, AdminService, CreatePlayerApiKey)
ASTRAGAL_UNARY(admin, AdminService, ListPlayerApiKeys)
ASTRAGAL_UNARY(admin, AdminService, RevokePlayerApiKey)
ASTRAGAL_UNARY(moderation, ModerationService, RestrictPlayer)
ASTRAGAL_UNARY(moderation, ModerationService, AnnulGame)
ASTRAGAL_UNARY(moderation, ModerationService, AdjudicateGame)
ASTRAGAL_UNARY(moderation, ModerationService, ListAuditEntries)
ASTRAGAL_UNARY(moderation, ModerationService, ExportPlayer)
ASTRAGAL_UNARY(moderation, ModerationService, ErasePlayer)
#undef ASTRAGAL_UNARY

}  // namespace astragal::cli
