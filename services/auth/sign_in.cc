// Sessions of people whom an outside issuer knows.
#include "services/auth/auth_service.h"
#include "services/base/status.h"
#include "services/rpc/nouns.h"

namespace astragal::auth {

absl::StatusOr<storage::PlayerRecord> AuthService::PlayerBehind(const OutsidePerson& person,
                                                                const std::string& name) {
  core::Accounts& accounts = calls_.accounts();
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto known = outside_.people->Find(person.issuer, person.subject);
    if (!known.ok()) return known.status();
    if (*known) return accounts.GetPlayer(**known);
    const auto fresh = accounts.MakePlayer(name, false);
    if (!fresh.ok()) return fresh.status();
    const auto made = outside_.people->Create(person.issuer, person.subject, *fresh);
    if (!made.ok()) return made.status();
    if (*made) return *fresh;  // else the same person came twice at once
  }
  return base::Error(base::Reason::kInternal, "a person who signed in vanished");
}

grpc::ServerUnaryReactor* AuthService::SignIn(grpc::CallbackServerContext* context,
                                              const v1::SignInRequest* request,
                                              v1::SignInResponse* response) {
  return calls_.Open(
      context, *request,
      [this, request, response]() -> absl::Status {
        if (outside_.issuer == nullptr) {
          return base::Error(base::Reason::kNotFound, "this server has no issuer of identities");
        }
        const absl::StatusOr<base::RequestId> id = rpc::ReadRequestId(request->request_id());
        if (!id.ok()) return id.status();
        const base::Instant now = outside_.clock->Now();
        const auto person = outside_.issuer->Verify(request->id_token(), now);
        if (!person.ok()) return person.status();
        const auto player = PlayerBehind(*person, request->name());
        if (!player.ok()) return player.status();
        const core::MutationStamp stamp{player->id, *id, rpc::BodyHash("SignIn", *request)};
        const base::Instant ends{now.micros + kSessionMs * 1'000};
        const auto session =
            calls_.accounts().CreateKey({player->id, "session", ends, core::kPlayerScopes}, stamp);
        if (!session.ok()) return session.status();
        *response->mutable_player() = rpc::ToProto(*player);
        *response->mutable_key() = rpc::ToProto(session->key);
        response->set_api_key(session->api_key);
        response->set_secret_already_shown(session->api_key.empty());
        return absl::OkStatus();
      },
      rpc::Calls::Purpose::kChange);
}

}  // namespace astragal::auth
