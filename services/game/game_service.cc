#include "services/game/game_service.h"

#include <utility>

#include "services/base/status.h"
#include "services/game/game_stream.h"
#include "services/game/requests.h"
#include "services/rpc/nouns.h"

namespace astragal::game {
namespace {

using rpc::Calls;

std::vector<base::PlayerId> PlayersOf(const std::vector<storage::SeatRecord>& seats) {
  std::vector<base::PlayerId> players;
  for (const storage::SeatRecord& seat : seats) players.push_back(seat.player);
  return players;
}

std::string ScopeOf(const v1::ListGamesRequest& request, base::PlayerId viewer) {
  return "ListGames " + request.ruleset_id() + " " + std::to_string(request.status()) + " " +
         request.player_id() + " " + viewer.ToText();
}

// What the seat to act can do; nothing while it only keeps its turn open.
absl::Status FillLegal(const core::GameState& state, v1::ListLegalActionsResponse& response) {
  const int actor = state.Actor();
  if (actor < 0 || state.ruleset->Actor(state.position) != actor) return absl::OkStatus();
  const absl::StatusOr<std::vector<int64_t>> actions = state.ruleset->Actions(state.position);
  if (!actions.ok()) return actions.status();
  for (const int64_t action : *actions) {
    const absl::Status filled =
        rpc::Fill(*state.ruleset, state.position, actor, action, true, *response.add_actions());
    if (!filled.ok()) return filled;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status GameService::FillGame(const core::GameState& state, v1::Game& game) {
  const auto names = calls_.accounts().Names(PlayersOf(state.seats));
  if (!names.ok()) return names.status();
  game = rpc::ToProto(state, *names);
  return absl::OkStatus();
}

template <typename Response>
absl::Status GameService::WithGame(const core::CommandResult& result, const Asked&,
                                   Response& response) {
  return FillGame(*result.after, *response.mutable_game());
}

absl::Status GameService::WithSeat(const core::CommandResult& result, const Asked& asked,
                                   v1::JoinGameResponse& response) {
  response.set_seat(result.after->SeatOf(asked.caller).value_or(-1));
  return FillGame(*result.after, *response.mutable_game());
}

template <typename Response>
absl::Status GameService::WithEvents(const core::CommandResult& result, const Asked& asked,
                                     Response& response) {
  for (const core::EventPtr& event : result.events) {
    *response.add_events() = rpc::ToProto(*event);
  }
  response.set_sequence(result.after->sequence);
  if constexpr (requires { response.status(); }) {
    response.set_status(static_cast<v1::GameStatus>(result.after->status));
  }
  const host::Ruleset& ruleset = *result.after->ruleset;
  v1::Position& position = *response.mutable_position();
  if (asked.view != v1::POSITION_VIEW_BASIC) {
    return rpc::Fill(ruleset, result.after->position, position);
  }
  rpc::FillBasic(ruleset, result.after->position, position);
  return absl::OkStatus();
}

// Where a command ends the next batch of commits waits: the answer is written elsewhere.
template <typename Response>
core::Games::Done GameService::AnswerWith(const Asked& asked, Response* response,
                                          Fill<Response> fill, const Calls::Finish& finish) {
  return [this, asked, response, fill, finish](const absl::StatusOr<core::CommandResult>& result) {
    finish(result.ok() ? (this->*fill)(*result, asked, *response) : result.status());
  };
}

template <typename Request, typename Response>
grpc::ServerUnaryReactor* GameService::Run(grpc::CallbackServerContext* context,
                                           const Request* request, Response* response,
                                           Fill<Response> fill) {
  return calls_.Mutation(
      context, *request,
      [this, request, response, fill](const core::Identity& caller, const Calls::Finish& finish) {
        absl::StatusOr<Addressed> read = Read(*request, caller.player);
        if (!read.ok()) return finish(read.status());
        Asked asked{.caller = caller.player};
        if constexpr (requires { request->position_view(); }) asked.view = request->position_view();
        games_.Submit(read->game, std::move(read->command),
                      AnswerWith(asked, response, fill, finish));
      });
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
                      AnswerWith(Asked{.caller = caller.player}, response,
                                 &GameService::WithGame<v1::CreateGameResponse>, finish));
      });
}

// Methods that are nothing but a command.
#define ASTRAGAL_COMMAND(Method, Fill)                                                \
  grpc::ServerUnaryReactor* GameService::Method(grpc::CallbackServerContext* context, \
                                                const v1::Method##Request* request,   \
                                                v1::Method##Response* response) {     \
    return Run(context, request, response, &GameService::Fill);                       \
  }
ASTRAGAL_COMMAND(JoinGame, WithSeat)
ASTRAGAL_COMMAND(ContributeToDice, WithGame<v1::ContributeToDiceResponse>)
ASTRAGAL_COMMAND(LeaveGame, WithGame<v1::LeaveGameResponse>)
ASTRAGAL_COMMAND(AbortGame, WithGame<v1::AbortGameResponse>)
ASTRAGAL_COMMAND(PlayActions, WithEvents<v1::PlayActionsResponse>)
ASTRAGAL_COMMAND(UndoActions, WithEvents<v1::UndoActionsResponse>)
ASTRAGAL_COMMAND(EndTurn, WithEvents<v1::EndTurnResponse>)
ASTRAGAL_COMMAND(MakeOffer, WithGame<v1::MakeOfferResponse>)
ASTRAGAL_COMMAND(RespondToOffer, WithGame<v1::RespondToOfferResponse>)
ASTRAGAL_COMMAND(ResignGame, WithGame<v1::ResignGameResponse>)
ASTRAGAL_COMMAND(ClaimResult, WithGame<v1::ClaimResultResponse>)
#undef ASTRAGAL_COMMAND

grpc::ServerUnaryReactor* GameService::GetGame(grpc::CallbackServerContext* context,
                                               const v1::GetGameRequest* request,
                                               v1::GetGameResponse* response) {
  return calls_.Viewed(context, *request,
                       [this, request, response](base::PlayerId viewer) -> absl::Status {
                         const absl::StatusOr<base::GameId> id =
                             rpc::ReadId<base::GameId>(request->game_id(), "game");
                         if (!id.ok()) return id.status();
                         const absl::StatusOr<core::StatePtr> state = games_.Get(*id, viewer);
                         if (!state.ok()) return state.status();
                         const auto present = presence_.Of(*id);
                         if (!present.ok()) return present.status();
                         v1::Game& game = *response->mutable_game();
                         const absl::Status filled = FillGame(**state, game);
                         SetConnected(ConnectedSeats((*state)->seats, *present), game);
                         return filled;
                       });
}

absl::Status GameService::FillPage(const std::vector<storage::GameSummary>& games,
                                   v1::ListGamesResponse& response) {
  std::vector<base::PlayerId> players;
  for (const storage::GameSummary& game : games) {
    for (const storage::SeatRecord& seat : game.seats) players.push_back(seat.player);
  }
  const auto names = calls_.accounts().Names(players);
  if (!names.ok()) return names.status();
  for (const storage::GameSummary& game : games) {
    *response.add_games() = rpc::ToProto(game, *names);
  }
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* GameService::ListGames(grpc::CallbackServerContext* context,
                                                 const v1::ListGamesRequest* request,
                                                 v1::ListGamesResponse* response) {
  return calls_.Viewed(
      context, *request, [this, request, response](base::PlayerId viewer) -> absl::Status {
        const absl::StatusOr<size_t> size = base::PageSize(request->page_size());
        if (!size.ok()) return size.status();
        const absl::StatusOr<storage::GameFilter> filter = Read(*request, viewer);
        if (!filter.ok()) return filter.status();
        const std::string scope = ScopeOf(*request, viewer);
        const absl::StatusOr<std::string> token = calls_.pages().Read(scope, request->page_token());
        if (!token.ok()) return token.status();
        const base::GameId before = base::GameId::Parse(*token).value_or(base::GameId());
        const auto games = games_.world().store.List(*filter, before, *size);
        if (!games.ok()) return games.status();
        if (games->size() == *size) {
          response->set_next_page_token(calls_.pages().Make(scope, games->back().id.ToText()));
        }
        return FillPage(*games, *response);
      });
}

grpc::ServerUnaryReactor* GameService::ListLegalActions(grpc::CallbackServerContext* context,
                                                        const v1::ListLegalActionsRequest* request,
                                                        v1::ListLegalActionsResponse* response) {
  return calls_.Viewed(
      context, *request, [this, request, response](base::PlayerId viewer) -> absl::Status {
        const absl::StatusOr<base::GameId> id =
            rpc::ReadId<base::GameId>(request->game_id(), "game");
        if (!id.ok()) return id.status();
        const absl::StatusOr<core::StatePtr> state = games_.Get(*id, viewer);
        if (!state.ok()) return state.status();
        response->set_sequence((*state)->sequence);
        if (absl::Status filled = FillLegal(**state, *response); !filled.ok()) return filled;
        return rpc::Fill(*(*state)->ruleset, (*state)->position, *response->mutable_position());
      });
}

grpc::ServerWriteReactor<v1::WatchGameResponse>* GameService::WatchGame(
    grpc::CallbackServerContext* context, const v1::WatchGameRequest* request) {
  return std::make_shared<GameStream>(games_, presence_, lag_, receipts_, calls_, *request)
      ->Begin(*context, *request);
}

grpc::ServerUnaryReactor* GameService::AnswerPing(grpc::CallbackServerContext* context,
                                                  const v1::AnswerPingRequest* request,
                                                  v1::AnswerPingResponse* response) {
  // Now, before the call waits for anything of ours.
  const base::Instant came_at = games_.world().clock.Now();
  return calls_.Identified(
      context, *request, [=, this](const core::Identity& caller) -> absl::Status {
        if (request->ping_id().empty()) return rpc::BadField("ping_id", "is required");
        const auto took = lag_.Answer(caller.player, request->ping_id(), came_at);
        if (!took.ok()) return took.status();
        response->set_round_trip_us(*took);
        response->set_lag_us(lag_.Of(caller.player));
        return absl::OkStatus();
      });
}

}  // namespace astragal::game
