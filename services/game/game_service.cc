#include "services/game/game_service.h"

#include <utility>

#include "services/base/status.h"
#include "services/game/requests.h"
#include "services/game/watch_stream.h"
#include "services/rpc/nouns.h"

namespace astragal::game {
namespace {

using rpc::Calls;

std::vector<base::PlayerId> PlayersOf(const std::vector<storage::SeatRecord>& seats) {
  std::vector<base::PlayerId> players;
  for (const storage::SeatRecord& seat : seats) players.push_back(seat.player);
  return players;
}

std::string ScopeOf(const v1::ListGamesRequest& request) {
  return "ListGames " + request.ruleset_id() + " " + std::to_string(request.status()) + " " +
         request.player_id();
}

absl::Status FillPlayed(const core::CommandResult& result, v1::PlayActionsResponse& response) {
  for (const core::EventPtr& event : result.events) {
    *response.add_events() = rpc::ToProto(*event);
  }
  response.set_sequence(result.after->sequence);
  response.set_status(static_cast<v1::GameStatus>(result.after->status));
  return rpc::Fill(*result.after->ruleset, result.after->position, *response.mutable_position());
}

}  // namespace

absl::Status GameService::FillGame(const core::GameState& state, v1::Game& game) {
  const auto names = calls_.accounts().Names(PlayersOf(state.seats));
  if (!names.ok()) return names.status();
  game = rpc::ToProto(state, *names);
  return absl::OkStatus();
}

// Where a command ends the next batch of commits waits: the answer is written elsewhere.
void GameService::AnswerLater(std::function<absl::Status()> fill, const Calls::Finish& finish) {
  const absl::Status posted =
      calls_.scheduler().Post([fill = std::move(fill), finish] { finish(fill()); });
  if (!posted.ok()) finish(posted);
}

void GameService::AnswerWithGame(core::StatePtr state, v1::Game* game,
                                 const Calls::Finish& finish) {
  AnswerLater([this, state = std::move(state), game] { return FillGame(*state, *game); }, finish);
}

grpc::ServerUnaryReactor* GameService::CreateGame(grpc::CallbackServerContext* context,
                                                  const v1::CreateGameRequest* request,
                                                  v1::CreateGameResponse* response) {
  return calls_.Mutation(
      context, *request,
      [this, request, response](const core::Identity& caller, const Calls::Finish& finish) {
        absl::StatusOr<core::CreateGame> create = Read(*request, caller.player);
        if (!create.ok()) return finish(create.status());
        games_.Create(*std::move(create),
                      [this, response, finish](const absl::StatusOr<core::CommandResult>& result) {
                        if (!result.ok()) return finish(result.status());
                        AnswerWithGame(result->after, response->mutable_game(), finish);
                      });
      });
}

grpc::ServerUnaryReactor* GameService::GetGame(grpc::CallbackServerContext* context,
                                               const v1::GetGameRequest* request,
                                               v1::GetGameResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const absl::StatusOr<base::GameId> id = rpc::ReadId<base::GameId>(request->game_id(), "game");
    if (!id.ok()) return id.status();
    const absl::StatusOr<core::StatePtr> state = games_.Get(*id);
    if (!state.ok()) return state.status();
    return FillGame(**state, *response->mutable_game());
  });
}

grpc::ServerUnaryReactor* GameService::ListGames(grpc::CallbackServerContext* context,
                                                 const v1::ListGamesRequest* request,
                                                 v1::ListGamesResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const absl::StatusOr<size_t> size = base::PageSize(request->page_size());
    if (!size.ok()) return size.status();
    const absl::StatusOr<storage::GameFilter> filter = Read(*request);
    if (!filter.ok()) return filter.status();
    const absl::StatusOr<std::string> token =
        calls_.pages().Read(ScopeOf(*request), request->page_token());
    if (!token.ok()) return token.status();
    const base::GameId before = base::GameId::Parse(*token).value_or(base::GameId());
    const auto games = games_.world().store.List(*filter, before, *size);
    if (!games.ok()) return games.status();
    std::vector<base::PlayerId> players;
    for (const storage::GameSummary& game : *games) {
      for (const storage::SeatRecord& seat : game.seats) players.push_back(seat.player);
    }
    const auto names = calls_.accounts().Names(players);
    if (!names.ok()) return names.status();
    for (const storage::GameSummary& game : *games) {
      *response->add_games() = rpc::ToProto(game, *names);
    }
    if (games->size() == *size) {
      response->set_next_page_token(
          calls_.pages().Make(ScopeOf(*request), games->back().id.ToText()));
    }
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* GameService::JoinGame(grpc::CallbackServerContext* context,
                                                const v1::JoinGameRequest* request,
                                                v1::JoinGameResponse* response) {
  return calls_.Mutation(
      context, *request,
      [this, request, response](const core::Identity& caller, const Calls::Finish& finish) {
        absl::StatusOr<Addressed> join = Read(*request, caller.player);
        if (!join.ok()) return finish(join.status());
        games_.Submit(join->game, std::move(join->command),
                      [this, response, finish,
                       player = caller.player](const absl::StatusOr<core::CommandResult>& result) {
                        if (!result.ok()) return finish(result.status());
                        response->set_seat(result->after->SeatOf(player).value_or(-1));
                        AnswerWithGame(result->after, response->mutable_game(), finish);
                      });
      });
}

grpc::ServerUnaryReactor* GameService::ListLegalActions(grpc::CallbackServerContext* context,
                                                        const v1::ListLegalActionsRequest* request,
                                                        v1::ListLegalActionsResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const absl::StatusOr<base::GameId> id = rpc::ReadId<base::GameId>(request->game_id(), "game");
    if (!id.ok()) return id.status();
    const absl::StatusOr<core::StatePtr> state = games_.Get(*id);
    if (!state.ok()) return state.status();
    const host::Ruleset& ruleset = *(*state)->ruleset;
    const host::Position& position = (*state)->position;
    response->set_sequence((*state)->sequence);
    if (const int actor = (*state)->Actor(); actor >= 0) {
      const absl::StatusOr<std::vector<int64_t>> actions = ruleset.Actions(position);
      if (!actions.ok()) return actions.status();
      for (const int64_t action : *actions) {
        const absl::Status filled =
            rpc::Fill(ruleset, position, actor, action, true, *response->add_actions());
        if (!filled.ok()) return filled;
      }
    }
    return rpc::Fill(ruleset, position, *response->mutable_position());
  });
}

grpc::ServerUnaryReactor* GameService::PlayActions(grpc::CallbackServerContext* context,
                                                   const v1::PlayActionsRequest* request,
                                                   v1::PlayActionsResponse* response) {
  return calls_.Mutation(
      context, *request,
      [this, request, response](const core::Identity& caller, const Calls::Finish& finish) {
        absl::StatusOr<Addressed> play = Read(*request, caller.player);
        if (!play.ok()) return finish(play.status());
        games_.Submit(play->game, std::move(play->command),
                      [this, response, finish](const absl::StatusOr<core::CommandResult>& result) {
                        if (!result.ok()) return finish(result.status());
                        AnswerLater(
                            [result = *result, response] { return FillPlayed(result, *response); },
                            finish);
                      });
      });
}

grpc::ServerUnaryReactor* GameService::ResignGame(grpc::CallbackServerContext* context,
                                                  const v1::ResignGameRequest* request,
                                                  v1::ResignGameResponse* response) {
  return calls_.Mutation(
      context, *request,
      [this, request, response](const core::Identity& caller, const Calls::Finish& finish) {
        absl::StatusOr<Addressed> resign = Read(*request, caller.player);
        if (!resign.ok()) return finish(resign.status());
        games_.Submit(resign->game, std::move(resign->command),
                      [this, response, finish](const absl::StatusOr<core::CommandResult>& result) {
                        if (!result.ok()) return finish(result.status());
                        AnswerWithGame(result->after, response->mutable_game(), finish);
                      });
      });
}

grpc::ServerWriteReactor<v1::WatchGameResponse>* GameService::WatchGame(
    grpc::CallbackServerContext* context, const v1::WatchGameRequest* request) {
  (void)context;
  return WatchStream::Begin(games_, calls_, *request);
}

}  // namespace astragal::game
