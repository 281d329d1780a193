#include "services/admin/moderation_service.h"

#include <optional>
#include <utility>

#include "services/base/status.h"
#include "services/rpc/keys.h"
#include "services/rpc/nouns.h"

namespace astragal::admin {
namespace {

using core::Identity;
using Finish = rpc::Calls::Finish;

constexpr auto kChange = rpc::Calls::Purpose::kChange;

v1::AuditEntry ToProto(const storage::AuditEntry& entry) {
  v1::AuditEntry out;
  out.set_entry_id(base::KeyId(entry.id).ToText());
  *out.mutable_time() = rpc::ToProto(entry.at);
  if (!entry.actor.is_nil()) out.set_actor_id(entry.actor.ToText());
  if (!entry.key.is_nil()) out.set_key_id(entry.key.ToText());
  out.set_action(entry.action);
  out.set_subject(entry.subject);
  out.set_reason(entry.reason);
  out.set_detail(entry.detail);
  return out;
}

// What a moderator's command is called by the game's log.
template <typename Request>
core::Command CommandFor(const Request& request, std::string_view method, base::PlayerId player) {
  core::Command command;
  command.player = player;
  command.request = *base::RequestId::Parse(request.request_id());
  command.body_hash = rpc::BodyHash(method, request);
  return command;
}

template <typename Response>
core::Games::Done AnswerWith(Response* response, const Finish& finish) {
  return [response, finish](const absl::StatusOr<core::CommandResult>& result) {
    if (result.ok()) response->set_sequence(result->after->sequence);
    finish(result.status());
  };
}

}  // namespace

void ModerationService::ForgetNow() {
  if (calls_.accounts().ForgetRevoked()) calls_.RecheckStreams();
}

absl::Status ModerationService::Restrict(const Identity& caller,
                                         const v1::RestrictPlayerRequest& request) {
  const auto player = rpc::ReadId<base::PlayerId>(request.player_id(), "player");
  if (!player.ok()) return player.status();
  const bool known_kind = v1::PlayerRestriction_IsValid(request.restriction()) &&
                          request.restriction() != v1::PLAYER_RESTRICTION_UNSPECIFIED;
  if (!known_kind) return rpc::BadField("restriction", "is required");
  std::optional<base::Instant> until;
  if (request.has_until_time()) {
    const auto time = rpc::ReadTime(request.until_time(), "until_time");
    if (!time.ok()) return time.status();
    if (*time <= audit_.clock().Now()) return rpc::BadField("until_time", "is over");
    until = *time;
  }
  const auto known = calls_.accounts().GetPlayer(*player);
  if (!known.ok()) return known.status();
  const auto entry =
      audit_.Entry(caller, "ModerationService.RestrictPlayer", request, request.player_id());
  if (!entry.ok()) return entry.status();
  const auto kind = static_cast<uint8_t>(request.restriction() - v1::PLAYER_RESTRICTION_NONE);
  const absl::Status done = audit_.store().Restrict(*player, kind, until, *entry);
  if (done.ok()) ForgetNow();
  return done;
}

grpc::ServerUnaryReactor* ModerationService::RestrictPlayer(
    grpc::CallbackServerContext* context, const v1::RestrictPlayerRequest* request,
    v1::RestrictPlayerResponse* /*response*/) {
  return calls_.Identified(
      context, *request,
      [this, request](const Identity& caller) { return Restrict(caller, *request); }, kChange);
}

grpc::ServerUnaryReactor* ModerationService::AnnulGame(grpc::CallbackServerContext* context,
                                                       const v1::AnnulGameRequest* request,
                                                       v1::AnnulGameResponse* response) {
  return calls_.SlowMutation(
      context, *request, [this, request, response](const Identity& caller, const Finish& finish) {
        const auto id = rpc::ReadId<base::GameId>(request->game_id(), "game");
        if (!id.ok()) return finish(id.status());
        if (const auto found = games_.Find(*id); !found.ok()) return finish(found.status());
        const absl::Status written =
            audit_.Write(caller, "ModerationService.AnnulGame", *request, request->game_id());
        if (!written.ok()) return finish(written);
        core::Command command = CommandFor(*request, "AnnulGame", {});
        command.what = core::Abort{};
        games_.Submit(*id, std::move(command), AnswerWith(response, finish));
      });
}

grpc::ServerUnaryReactor* ModerationService::AdjudicateGame(
    grpc::CallbackServerContext* context, const v1::AdjudicateGameRequest* request,
    v1::AdjudicateGameResponse* response) {
  return calls_.SlowMutation(
      context, *request, [this, request, response](const Identity& caller, const Finish& finish) {
        const auto id = rpc::ReadId<base::GameId>(request->game_id(), "game");
        if (!id.ok()) return finish(id.status());
        const auto loser = rpc::ReadId<base::PlayerId>(request->player_id(), "player");
        if (!loser.ok()) return finish(loser.status());
        if (const auto found = games_.Find(*id); !found.ok()) return finish(found.status());
        const absl::Status written =
            audit_.Write(caller, "ModerationService.AdjudicateGame", *request, request->game_id());
        if (!written.ok()) return finish(written);
        core::Command command = CommandFor(*request, "AdjudicateGame", *loser);
        command.what = core::Resign{};
        games_.Submit(*id, std::move(command), AnswerWith(response, finish));
      });
}

grpc::ServerUnaryReactor* ModerationService::ListAuditEntries(
    grpc::CallbackServerContext* context, const v1::ListAuditEntriesRequest* request,
    v1::ListAuditEntriesResponse* response) {
  return calls_.Identified(
      context, *request, [this, request, response](const Identity& /*staff*/) -> absl::Status {
        const absl::StatusOr<size_t> size = base::PageSize(request->page_size());
        if (!size.ok()) return size.status();
        const std::string scope = "ListAuditEntries " + request->subject();
        const absl::StatusOr<std::string> token = calls_.pages().Read(scope, request->page_token());
        if (!token.ok()) return token.status();
        const base::KeyId before = base::KeyId::Parse(*token).value_or(base::KeyId());
        const auto entries = audit_.store().List(request->subject(), before.bytes(), *size);
        if (!entries.ok()) return entries.status();
        for (const storage::AuditEntry& entry : *entries) *response->add_entries() = ToProto(entry);
        if (entries->size() == *size) {
          response->set_next_page_token(
              calls_.pages().Make(scope, base::KeyId(entries->back().id).ToText()));
        }
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* ModerationService::ExportPlayer(grpc::CallbackServerContext* context,
                                                          const v1::ExportPlayerRequest* request,
                                                          v1::ExportPlayerResponse* response) {
  return calls_.Identified(
      context, *request, [this, request, response](const Identity& /*staff*/) -> absl::Status {
        const auto player = rpc::ReadId<base::PlayerId>(request->player_id(), "player");
        if (!player.ok()) return player.status();
        absl::StatusOr<std::string> json = data_.Export(*player);
        if (json.ok()) response->set_json(*std::move(json));
        return json.status();
      });
}

grpc::ServerUnaryReactor* ModerationService::ExportAccount(grpc::CallbackServerContext* context,
                                                           const v1::ExportAccountRequest* request,
                                                           v1::ExportAccountResponse* response) {
  return calls_.Identified(context, *request,
                           [this, response](const Identity& caller) -> absl::Status {
                             absl::StatusOr<std::string> json = data_.Export(caller.player);
                             if (json.ok()) response->set_json(*std::move(json));
                             return json.status();
                           });
}

absl::Status ModerationService::Erase(base::PlayerId player) {
  const absl::Status done = data_.Erase(player, audit_.clock().Now());
  if (done.ok()) ForgetNow();
  return done;
}

grpc::ServerUnaryReactor* ModerationService::ErasePlayer(grpc::CallbackServerContext* context,
                                                         const v1::ErasePlayerRequest* request,
                                                         v1::ErasePlayerResponse* /*response*/) {
  return calls_.Identified(
      context, *request,
      [this, request](const Identity& caller) -> absl::Status {
        const auto player = rpc::ReadId<base::PlayerId>(request->player_id(), "player");
        if (!player.ok()) return player.status();
        const auto known = calls_.accounts().GetPlayer(*player);
        if (!known.ok()) return known.status();
        const absl::Status written =
            audit_.Write(caller, "ModerationService.ErasePlayer", *request, request->player_id());
        return written.ok() ? Erase(*player) : written;
      },
      kChange);
}

grpc::ServerUnaryReactor* ModerationService::EraseAccount(grpc::CallbackServerContext* context,
                                                          const v1::EraseAccountRequest* request,
                                                          v1::EraseAccountResponse* /*response*/) {
  return calls_.Identified(
      context, *request,
      [this, request](const Identity& caller) -> absl::Status {
        if (const auto id = rpc::ReadRequestId(request->request_id()); !id.ok()) return id.status();
        const auto player = calls_.accounts().GetPlayer(caller.player);
        if (!player.ok()) return player.status();
        if (request->confirm_name() != player->name) {
          return rpc::BadField("confirm_name", "is not the account's name");
        }
        return Erase(caller.player);
      },
      kChange);
}

}  // namespace astragal::admin
