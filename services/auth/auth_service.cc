#include "services/auth/auth_service.h"

#include "services/base/status.h"
#include "services/rpc/keys.h"
#include "services/rpc/nouns.h"

namespace astragal::auth {

grpc::ServerUnaryReactor* AuthService::CreateApiKey(grpc::CallbackServerContext* context,
                                                    const v1::CreateApiKeyRequest* request,
                                                    v1::CreateApiKeyResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& caller) -> absl::Status {
        const absl::StatusOr<base::RequestId> id = rpc::ReadRequestId(request->request_id());
        if (!id.ok()) return id.status();
        std::optional<base::Instant> expires_at;
        if (request->has_expire_time()) {
          const auto time = rpc::ReadTime(request->expire_time(), "expire_time");
          if (!time.ok()) return time.status();
          expires_at = *time;
        }
        const absl::StatusOr<core::Scopes> scopes = rpc::ReadScopes(request->scopes());
        if (!scopes.ok()) return scopes.status();
        const core::Scopes wanted = request->scopes().empty() ? caller.scopes : *scopes;
        if (!caller.scopes.Includes(wanted)) {
          return base::Error(base::Reason::kScopeMissing,
                             "a key gives no scopes that it does not have")
              .With("field", "scopes");
        }
        const core::MutationStamp stamp{caller.player, *id,
                                        rpc::BodyHash("CreateApiKey", *request)};
        const auto created = calls_.accounts().CreateKey(
            {caller.player, request->label(), expires_at, wanted}, stamp);
        if (!created.ok()) return created.status();
        *response->mutable_key() = rpc::ToProto(created->key);
        response->set_api_key(created->api_key);
        response->set_secret_already_shown(created->api_key.empty());
        return absl::OkStatus();
      },
      rpc::Calls::Purpose::kChange);
}

grpc::ServerUnaryReactor* AuthService::ListApiKeys(grpc::CallbackServerContext* context,
                                                   const v1::ListApiKeysRequest* request,
                                                   v1::ListApiKeysResponse* response) {
  return calls_.Identified(
      context, *request, [this, request, response](const core::Identity& caller) {
        const absl::StatusOr<size_t> size = base::PageSize(request->page_size());
        if (!size.ok()) return size.status();
        const std::string scope = "ListApiKeys " + caller.player.ToText();
        const absl::StatusOr<std::string> token = calls_.pages().Read(scope, request->page_token());
        if (!token.ok()) return token.status();
        const base::KeyId before = base::KeyId::Parse(*token).value_or(base::KeyId());
        const auto keys = calls_.accounts().ListKeys(caller.player, before, *size);
        if (!keys.ok()) return keys.status();
        for (const storage::KeyRecord& key : *keys) *response->add_keys() = rpc::ToProto(key);
        if (keys->size() == *size) {
          response->set_next_page_token(calls_.pages().Make(scope, keys->back().id.ToText()));
        }
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* AuthService::RevokeApiKey(grpc::CallbackServerContext* context,
                                                    const v1::RevokeApiKeyRequest* request,
                                                    v1::RevokeApiKeyResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& caller) {
        const absl::StatusOr<base::RequestId> id = rpc::ReadRequestId(request->request_id());
        if (!id.ok()) return id.status();
        const absl::StatusOr<base::KeyId> key = rpc::ReadId<base::KeyId>(request->key_id(), "key");
        if (!key.ok()) return key.status();
        const core::MutationStamp stamp{caller.player, *id,
                                        rpc::BodyHash("RevokeApiKey", *request)};
        const auto revoked = calls_.accounts().RevokeKey(caller.player, *key, stamp);
        if (!revoked.ok()) return revoked.status();
        *response->mutable_key() = rpc::ToProto(*revoked);
        return absl::OkStatus();
      },
      rpc::Calls::Purpose::kChange);
}

grpc::ServerUnaryReactor* AuthService::WhoAmI(grpc::CallbackServerContext* context,
                                              const v1::WhoAmIRequest* request,
                                              v1::WhoAmIResponse* response) {
  (void)request;
  const std::string token = rpc::BearerToken(*context);
  return calls_.Identified(context, *request,
                           [this, token, response](const core::Identity& caller) {
                             const auto key = calls_.accounts().FindKey(token);
                             if (!key.ok()) return key.status();
                             const auto player = calls_.accounts().GetPlayer(caller.player);
                             if (!player.ok()) return player.status();
                             *response->mutable_key() = rpc::ToProto(*key);
                             *response->mutable_player() = rpc::ToProto(*player);
                             return absl::OkStatus();
                           });
}

}  // namespace astragal::auth
