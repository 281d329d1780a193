#include "services/player/player_service.h"

#include <algorithm>
#include <charconv>

#include "services/rpc/nouns.h"

namespace astragal::player {
namespace {

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

absl::StatusOr<uint32_t> ReadEtag(const std::string& etag) {
  uint32_t version = 0;
  const auto [end, error] = std::from_chars(etag.data(), etag.data() + etag.size(), version);
  if (error != std::errc() || end != etag.data() + etag.size()) {
    return rpc::BadField("etag", "must be the etag of the player");
  }
  return version;
}

absl::StatusOr<storage::PlayerRecord> FindPlayer(core::Accounts& accounts,
                                                 const v1::GetPlayerRequest& request) {
  if (request.has_name()) return accounts.GetPlayerByName(request.name());
  const absl::StatusOr<base::PlayerId> id =
      rpc::ReadId<base::PlayerId>(request.player_id(), "player");
  if (!id.ok()) return id.status();
  return accounts.GetPlayer(*id);
}

}  // namespace

grpc::ServerUnaryReactor* PlayerService::CreatePlayer(grpc::CallbackServerContext* context,
                                                      const v1::CreatePlayerRequest* request,
                                                      v1::CreatePlayerResponse* response) {
  return calls_.Open(
      context, *request,
      [this, request, response]() -> absl::Status {
        const absl::StatusOr<base::RequestId> id = rpc::ReadRequestId(request->request_id());
        if (!id.ok()) return id.status();
        const core::MutationStamp stamp{{}, *id, rpc::BodyHash("CreatePlayer", *request)};
        const auto created = calls_.accounts().CreatePlayer(request->name(), request->bot(), stamp);
        if (!created.ok()) return created.status();
        *response->mutable_player() = rpc::ToProto(created->player);
        response->set_api_key(created->api_key);
        response->set_secret_already_shown(created->api_key.empty());
        return absl::OkStatus();
      },
      rpc::Calls::Purpose::kChange);
}

grpc::ServerUnaryReactor* PlayerService::GetPlayer(grpc::CallbackServerContext* context,
                                                   const v1::GetPlayerRequest* request,
                                                   v1::GetPlayerResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const absl::StatusOr<storage::PlayerRecord> player = FindPlayer(calls_.accounts(), *request);
    if (!player.ok()) return player.status();
    *response->mutable_player() = rpc::ToProto(*player);
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* PlayerService::ListPlayers(grpc::CallbackServerContext* context,
                                                     const v1::ListPlayersRequest* request,
                                                     v1::ListPlayersResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const absl::StatusOr<size_t> size = base::PageSize(request->page_size());
    if (!size.ok()) return size.status();
    const absl::StatusOr<std::string> after =
        calls_.pages().Read("ListPlayers", request->page_token());
    if (!after.ok()) return after.status();
    const auto players = calls_.accounts().ListPlayers(*after, *size);
    if (!players.ok()) return players.status();
    for (const storage::PlayerRecord& player : *players) {
      *response->add_players() = rpc::ToProto(player);
    }
    if (players->size() == *size) {
      response->set_next_page_token(
          calls_.pages().Make("ListPlayers", Lower(players->back().name)));
    }
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* PlayerService::UpdatePlayer(grpc::CallbackServerContext* context,
                                                      const v1::UpdatePlayerRequest* request,
                                                      v1::UpdatePlayerResponse* response) {
  return calls_.Identified(
      context, *request,
      [this, request, response](const core::Identity& caller) {
        const absl::StatusOr<base::RequestId> id = rpc::ReadRequestId(request->request_id());
        if (!id.ok()) return id.status();
        const absl::StatusOr<uint32_t> version = ReadEtag(request->etag());
        if (!version.ok()) return version.status();
        const core::MutationStamp stamp{caller.player, *id,
                                        rpc::BodyHash("UpdatePlayer", *request)};
        const auto player = calls_.accounts().Rename(request->name(), *version, stamp);
        if (!player.ok()) return player.status();
        *response->mutable_player() = rpc::ToProto(*player);
        return absl::OkStatus();
      },
      rpc::Calls::Purpose::kChange);
}

}  // namespace astragal::player
