#include "services/match/match_service.h"

#include <algorithm>
#include <memory>

#include "services/base/status.h"
#include "services/match/match_stream.h"
#include "services/match/nouns.h"

namespace astragal::match {

using rpc::Calls;

absl::Status MatchService::CheckPlayers(const std::vector<base::PlayerId>& players) {
  const auto names = calls_.accounts().Names(players);
  if (!names.ok()) return names.status();
  for (const base::PlayerId& player : players) {
    if (!names->contains(player)) {
      return rpc::BadField("player_ids", "names a player who does not exist");
    }
  }
  return absl::OkStatus();
}

absl::Status MatchService::FillMatch(const core::MatchState& match, v1::Match& out) {
  const auto names = calls_.accounts().Names(match.match.record.players);
  if (!names.ok()) return names.status();
  out = ToProto(match, *names);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* MatchService::CreateMatch(grpc::CallbackServerContext* context,
                                                    const v1::CreateMatchRequest* request,
                                                    v1::CreateMatchResponse* response) {
  return calls_.SlowMutation(
      context, *request,
      [this, request, response](const core::Identity& /*operator*/, const Calls::Finish& finish) {
        absl::StatusOr<NewMatch> match = Read(*request);
        if (!match.ok()) return finish(match.status());
        if (absl::Status known = CheckPlayers(match->first.players); !known.ok()) {
          return finish(known);
        }
        matches_.Create(std::move(match->first), match->terms,
                        [this, response, finish](const absl::StatusOr<core::MatchPtr>& made) {
                          if (!made.ok()) return finish(made.status());
                          finish(FillMatch(**made, *response->mutable_match()));
                        });
      });
}

grpc::ServerUnaryReactor* MatchService::GetMatch(grpc::CallbackServerContext* context,
                                                 const v1::GetMatchRequest* request,
                                                 v1::GetMatchResponse* response) {
  return calls_.ViewedLater(
      context, *request,
      [this, request, response](base::PlayerId viewer, const Calls::Finish& finish) {
        const auto id = rpc::ReadId<base::MatchId>(request->match_id(), "match");
        if (!id.ok()) return finish(id.status());
        matches_.Get(*id, viewer,
                     [this, response, finish](const absl::StatusOr<core::MatchPtr>& match) {
                       if (!match.ok()) return finish(match.status());
                       finish(FillMatch(**match, *response->mutable_match()));
                     });
      });
}

absl::Status MatchService::FillPage(const v1::ListMatchesRequest& request, base::PlayerId viewer,
                                    v1::ListMatchesResponse& response) {
  const absl::StatusOr<size_t> asked = base::PageSize(request.page_size());
  if (!asked.ok()) return asked.status();
  const size_t size = std::min(*asked, kMaxPage);
  const auto player = rpc::ReadId<base::PlayerId>(request.player_id(), "player");
  if (!player.ok()) return player.status();
  const std::string scope = "ListMatches " + player->ToText() + " " + viewer.ToText();
  const absl::StatusOr<std::string> token = calls_.pages().Read(scope, request.page_token());
  if (!token.ok()) return token.status();
  const base::MatchId before = base::MatchId::Parse(*token).value_or(base::MatchId());
  const auto matches = matches_.List(*player, viewer, before, size);
  if (!matches.ok()) return matches.status();
  std::vector<base::PlayerId> players;
  for (const core::MatchPtr& match : *matches) {
    const std::vector<base::PlayerId>& own = match->match.record.players;
    players.insert(players.end(), own.begin(), own.end());
  }
  const auto names = calls_.accounts().Names(players);
  if (!names.ok()) return names.status();
  for (const core::MatchPtr& match : *matches) *response.add_matches() = ToProto(*match, *names);
  if (matches->size() == size) {
    const base::MatchId last = matches->back()->match.record.id;
    response.set_next_page_token(calls_.pages().Make(scope, last.ToText()));
  }
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* MatchService::ListMatches(grpc::CallbackServerContext* context,
                                                    const v1::ListMatchesRequest* request,
                                                    v1::ListMatchesResponse* response) {
  return calls_.Viewed(context, *request, [this, request, response](base::PlayerId viewer) {
    return FillPage(*request, viewer, *response);
  });
}

void MatchService::StartNext(const v1::StartNextGameRequest& request, base::PlayerId player,
                             v1::StartNextGameResponse& response, const Calls::Finish& finish) {
  const absl::StatusOr<base::RequestId> request_id = rpc::ReadRequestId(request.request_id());
  if (!request_id.ok()) return finish(request_id.status());
  const auto id = rpc::ReadId<base::MatchId>(request.match_id(), "match");
  if (!id.ok()) return finish(id.status());
  const absl::StatusOr<core::MatchPtr> match = matches_.Read(*id, player);
  if (!match.ok()) return finish(match.status());
  const std::vector<base::PlayerId>& players = (*match)->match.record.players;
  if (std::ranges::find(players, player) == players.end()) {
    return finish(base::Error(base::Reason::kNotSeated, "you do not play in this match"));
  }
  // Which game was meant when it was asked for.
  const uint32_t number =
      request.number() == 0 ? static_cast<uint32_t>((*match)->games.size() + 1) : request.number();
  matches_.StartNext(
      *match, number,
      [this, number, &response, finish](const absl::StatusOr<core::MatchPtr>& started) {
        if (!started.ok()) return finish(started.status());
        for (const storage::MatchGame& game : (*started)->games) {
          if (game.number == number) response.set_game_id(game.game.id.ToText());
        }
        finish(FillMatch(**started, *response.mutable_match()));
      });
}

grpc::ServerUnaryReactor* MatchService::StartNextGame(grpc::CallbackServerContext* context,
                                                      const v1::StartNextGameRequest* request,
                                                      v1::StartNextGameResponse* response) {
  return calls_.Mutation(
      context, *request,
      [this, request, response](const core::Identity& caller, const Calls::Finish& finish) {
        const absl::Status posted =
            calls_.scheduler().Post([this, request, response, player = caller.player, finish] {
              StartNext(*request, player, *response, finish);
            });
        if (!posted.ok()) finish(posted);
      });
}

grpc::ServerWriteReactor<v1::WatchMatchResponse>* MatchService::WatchMatch(
    grpc::CallbackServerContext* context, const v1::WatchMatchRequest* request) {
  return std::make_shared<MatchStream>(matches_, clock_, calls_, request->match_id())
      ->Begin(*context, *request);
}

}  // namespace astragal::match
