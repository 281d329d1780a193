// What the server is and does, and the keys of its players.
#include "services/admin/admin_service.h"
#include "services/base/log.h"
#include "services/rpc/keys.h"
#include "services/rpc/nouns.h"

namespace astragal::admin {
namespace {

void AddLimit(const char* name, double most, const char* description,
              v1::GetServerInfoResponse& out) {
  v1::ServerLimit& limit = *out.add_limits();
  limit.set_name(name);
  limit.set_most(most);
  limit.set_description(description);
}

absl::Status CheckMode(const v1::SetServerModeRequest& request) {
  const double capacity = request.capacity_per_second();
  if (request.has_capacity_per_second() && capacity != 0 && !(capacity >= 1 && capacity <= 1e6)) {
    return rpc::BadField("capacity_per_second", "is 0, or 1 to 1,000,000");
  }
  if (!v1::ServerMode_IsValid(request.mode())) return rpc::BadField("mode", "is no mode");
  return absl::OkStatus();
}

void SetMode(const v1::SetServerModeRequest& request, rpc::Gate& gate) {
  if (request.has_capacity_per_second()) gate.limits().set_capacity(request.capacity_per_second());
  if (request.mode() != v1::SERVER_MODE_UNSPECIFIED) {
    gate.set_mode(static_cast<rpc::Mode>(request.mode()));
  }
}

}  // namespace

grpc::ServerUnaryReactor* AdminService::GetServerInfo(grpc::CallbackServerContext* context,
                                                      const v1::GetServerInfoRequest* request,
                                                      v1::GetServerInfoResponse* response) {
  return calls_.Open(context, *request, [this, response]() -> absl::Status {
    rpc::Gate& gate = calls_.gate();
    response->set_version(about_.version);
    response->set_node(about_.node);
    response->set_restore_epoch(about_.restore_epoch);
    response->set_mode(static_cast<v1::ServerMode>(gate.mode()));
    response->set_limits_enforced(gate.limits().enforced());
    for (const rpc::Limits::Described& limit : gate.limits().Describe()) {
      AddLimit(limit.name.c_str(), limit.most, limit.description.c_str(), *response);
      response->mutable_limits()->rbegin()->set_per_second(limit.per_second);
    }
    AddLimit("request_bytes", rpc::Calls::kMaxRequestBytes, "bytes of a request", *response);
    AddLimit("running_calls", rpc::Calls::kMaxRunning, "calls worked on at a time", *response);
    AddLimit("streams", rpc::Calls::kMaxStreams, "open streams of everybody", *response);
    for (const About::Transport& limit : about_.transport) {
      AddLimit(limit.name, limit.most, limit.description, *response);
    }
    return absl::OkStatus();
  });
}

// A server in trouble must be switched even while its database is away: then the change is in the
// log only.
absl::Status AdminService::Switch(const core::Identity& caller,
                                  const v1::SetServerModeRequest& request,
                                  v1::SetServerModeResponse& response) {
  const absl::StatusOr<storage::AuditEntry> entry =
      audit_.Entry(caller, "AdminService.SetServerMode", request, about_.node);
  if (!entry.ok()) return entry.status();
  if (absl::Status bad = CheckMode(request); !bad.ok()) return bad;
  const absl::Status written = audit_.store().Append(*entry).status();
  if (absl::IsInvalidArgument(written)) return written;
  if (!written.ok()) {
    base::Log(base::Severity::kWarning, "a change of mode is in no audit",
              {{"reason", entry->reason}});
  }
  rpc::Gate& gate = calls_.gate();
  SetMode(request, gate);
  response.set_mode(static_cast<v1::ServerMode>(gate.mode()));
  response.set_capacity_per_second(gate.limits().capacity());
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* AdminService::SetServerMode(grpc::CallbackServerContext* context,
                                                      const v1::SetServerModeRequest* request,
                                                      v1::SetServerModeResponse* response) {
  return calls_.Identified(
      context, *request, [this, request, response](const core::Identity& caller) {
        return answers_.Once(caller, "SetServerMode", request->request_id(), *request, *response,
                             [&] { return Switch(caller, *request, *response); });
      });
}

grpc::ServerUnaryReactor* AdminService::CreatePlayerApiKey(
    grpc::CallbackServerContext* context, const v1::CreatePlayerApiKeyRequest* request,
    v1::CreatePlayerApiKeyResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& caller) -> absl::Status {
        const auto player = rpc::ReadId<base::PlayerId>(request->player_id(), "player");
        if (!player.ok()) return player.status();
        const absl::StatusOr<core::Scopes> scopes = rpc::ReadScopes(request->scopes());
        if (!scopes.ok()) return scopes.status();
        core::Accounts::KeyTerms terms{*player, request->label(), std::nullopt, *scopes};
        if (request->has_expire_time()) {
          const auto time = rpc::ReadTime(request->expire_time(), "expire_time");
          if (!time.ok()) return time.status();
          terms.expires_at = *time;
        }
        const auto known = calls_.accounts().GetPlayer(*player);
        if (!known.ok()) return known.status();
        const absl::Status written =
            audit_.Write(caller, "AdminService.CreatePlayerApiKey", *request, request->player_id());
        if (!written.ok()) return written;
        const core::MutationStamp stamp{caller.player,
                                        *base::RequestId::Parse(request->request_id()),
                                        rpc::BodyHash("CreatePlayerApiKey", *request)};
        const auto created = calls_.accounts().CreateKey(terms, stamp);
        if (!created.ok()) return created.status();
        *response->mutable_key() = rpc::ToProto(created->key);
        response->set_api_key(created->api_key);
        response->set_secret_already_shown(created->api_key.empty());
        return absl::OkStatus();
      },
      rpc::Calls::Purpose::kChange);
}

grpc::ServerUnaryReactor* AdminService::ListPlayerApiKeys(
    grpc::CallbackServerContext* context, const v1::ListPlayerApiKeysRequest* request,
    v1::ListPlayerApiKeysResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& /*operator*/) -> absl::Status {
        const auto player = rpc::ReadId<base::PlayerId>(request->player_id(), "player");
        if (!player.ok()) return player.status();
        const auto known = calls_.accounts().GetPlayer(*player);
        if (!known.ok()) return known.status();
        const absl::StatusOr<size_t> size = base::PageSize(request->page_size());
        if (!size.ok()) return size.status();
        const std::string scope = "ListPlayerApiKeys " + player->ToText();
        const absl::StatusOr<std::string> token = calls_.pages().Read(scope, request->page_token());
        if (!token.ok()) return token.status();
        const base::KeyId before = base::KeyId::Parse(*token).value_or(base::KeyId());
        const auto keys = calls_.accounts().ListKeys(*player, before, *size);
        if (!keys.ok()) return keys.status();
        for (const storage::KeyRecord& key : *keys) *response->add_keys() = rpc::ToProto(key);
        if (keys->size() == *size) {
          response->set_next_page_token(calls_.pages().Make(scope, keys->back().id.ToText()));
        }
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* AdminService::RevokePlayerApiKey(
    grpc::CallbackServerContext* context, const v1::RevokePlayerApiKeyRequest* request,
    v1::RevokePlayerApiKeyResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& caller) -> absl::Status {
        const auto player = rpc::ReadId<base::PlayerId>(request->player_id(), "player");
        if (!player.ok()) return player.status();
        const auto key = rpc::ReadId<base::KeyId>(request->key_id(), "key");
        if (!key.ok()) return key.status();
        const absl::Status written =
            audit_.Write(caller, "AdminService.RevokePlayerApiKey", *request, request->player_id());
        if (!written.ok()) return written;
        const core::MutationStamp stamp{caller.player,
                                        *base::RequestId::Parse(request->request_id()),
                                        rpc::BodyHash("RevokePlayerApiKey", *request)};
        const auto revoked = calls_.accounts().RevokeKey(*player, *key, stamp);
        if (!revoked.ok()) return revoked.status();
        *response->mutable_key() = rpc::ToProto(*revoked);
        return absl::OkStatus();
      },
      rpc::Calls::Purpose::kChange);
}

}  // namespace astragal::admin
