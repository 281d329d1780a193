// AuthService: the caller's API keys.
#ifndef ASTRAGAL_SERVICES_AUTH_AUTH_SERVICE_H_
#define ASTRAGAL_SERVICES_AUTH_AUTH_SERVICE_H_

#include "astragal/v1/auth_service.grpc.pb.h"
#include "services/rpc/call.h"

namespace astragal::auth {

// Owns nothing; the reference must outlive it. Thread-safe.
class AuthService : public v1::AuthService::CallbackService {
 public:
  explicit AuthService(rpc::Calls& calls) : calls_(calls) {}

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

 private:
  rpc::Calls& calls_;
};

}  // namespace astragal::auth

#endif  // ASTRAGAL_SERVICES_AUTH_AUTH_SERVICE_H_
