// AuthService: the caller's API keys, and sessions of people whom an outside issuer knows.
#ifndef ASTRAGAL_SERVICES_AUTH_AUTH_SERVICE_H_
#define ASTRAGAL_SERVICES_AUTH_AUTH_SERVICE_H_

#include "astragal/v1/auth_service.grpc.pb.h"
#include "services/auth/id_token.h"
#include "services/rpc/call.h"
#include "storage/sign_in_store.h"

namespace astragal::auth {

// What sign-in stands on; `issuer` null: this server has none.
struct Outside {
  Issuer* issuer = nullptr;
  storage::SignInStore* people = nullptr;
  const base::Clock* clock = nullptr;
};

// Owns nothing; the references must outlive it. Thread-safe.
class AuthService : public v1::AuthService::CallbackService {
 public:
  // How long a session's key is good.
  static constexpr int64_t kSessionMs = int64_t{12} * 60 * 60 * 1'000;

  AuthService(const Outside& outside, rpc::Calls& calls) : outside_(outside), calls_(calls) {}

  grpc::ServerUnaryReactor* CreateApiKey(grpc::CallbackServerContext* context,
                                         const v1::CreateApiKeyRequest* request,
                                         v1::CreateApiKeyResponse* response) override;
  grpc::ServerUnaryReactor* ListApiKeys(grpc::CallbackServerContext* context,
                                        const v1::ListApiKeysRequest* request,
                                        v1::ListApiKeysResponse* response) override;
  grpc::ServerUnaryReactor* RevokeApiKey(grpc::CallbackServerContext* context,
                                         const v1::RevokeApiKeyRequest* request,
                                         v1::RevokeApiKeyResponse* response) override;
  grpc::ServerUnaryReactor* WhoAmI(grpc::CallbackServerContext* context,
                                   const v1::WhoAmIRequest* request,
                                   v1::WhoAmIResponse* response) override;
  grpc::ServerUnaryReactor* SignIn(grpc::CallbackServerContext* context,
                                   const v1::SignInRequest* request,
                                   v1::SignInResponse* response) override;

 private:
  // The player of this person, a new one named `name` if there is none.
  absl::StatusOr<storage::PlayerRecord> PlayerBehind(const OutsidePerson& person,
                                                     const std::string& name);

  const Outside outside_;
  rpc::Calls& calls_;
};

}  // namespace astragal::auth

#endif  // ASTRAGAL_SERVICES_AUTH_AUTH_SERVICE_H_
