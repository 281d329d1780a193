// GameService: playing. Maps requests to commands of core::Games and its answers to protos.
#ifndef ASTRAGAL_SERVICES_GAME_GAME_SERVICE_H_
#define ASTRAGAL_SERVICES_GAME_GAME_SERVICE_H_

#include "astragal/v1/game_service.grpc.pb.h"
#include "services/core/games.h"
#include "services/core/lag.h"
#include "services/core/presence.h"
#include "services/core/receipts.h"
#include "services/rpc/call.h"

namespace astragal::game {

// Owns nothing; the references must outlive it. Thread-safe.
class GameService : public v1::GameService::CallbackService {
 public:
  GameService(core::Games& games, core::Presence& presence, core::Lag& lag,
              const core::Receipts& receipts, rpc::Calls& calls)
      : games_(games), presence_(presence), lag_(lag), receipts_(receipts), calls_(calls) {}

  grpc::ServerUnaryReactor* CreateGame(grpc::CallbackServerContext* context,
                                       const v1::CreateGameRequest* request,
                                       v1::CreateGameResponse* response) override;
  grpc::ServerUnaryReactor* GetGame(grpc::CallbackServerContext* context,
                                    const v1::GetGameRequest* request,
                                    v1::GetGameResponse* response) override;
  grpc::ServerUnaryReactor* ListGames(grpc::CallbackServerContext* context,
                                      const v1::ListGamesRequest* request,
                                      v1::ListGamesResponse* response) override;
  grpc::ServerUnaryReactor* JoinGame(grpc::CallbackServerContext* context,
                                     const v1::JoinGameRequest* request,
                                     v1::JoinGameResponse* response) override;
  grpc::ServerUnaryReactor* ContributeToDice(grpc::CallbackServerContext* context,
                                             const v1::ContributeToDiceRequest* request,
                                             v1::ContributeToDiceResponse* response) override;
  grpc::ServerUnaryReactor* LeaveGame(grpc::CallbackServerContext* context,
                                      const v1::LeaveGameRequest* request,
                                      v1::LeaveGameResponse* response) override;
  grpc::ServerUnaryReactor* AbortGame(grpc::CallbackServerContext* context,
                                      const v1::AbortGameRequest* request,
                                      v1::AbortGameResponse* response) override;
  grpc::ServerUnaryReactor* ListLegalActions(grpc::CallbackServerContext* context,
                                             const v1::ListLegalActionsRequest* request,
                                             v1::ListLegalActionsResponse* response) override;
  grpc::ServerUnaryReactor* PlayActions(grpc::CallbackServerContext* context,
                                        const v1::PlayActionsRequest* request,
                                        v1::PlayActionsResponse* response) override;
  grpc::ServerUnaryReactor* UndoActions(grpc::CallbackServerContext* context,
                                        const v1::UndoActionsRequest* request,
                                        v1::UndoActionsResponse* response) override;
  grpc::ServerUnaryReactor* EndTurn(grpc::CallbackServerContext* context,
                                    const v1::EndTurnRequest* request,
                                    v1::EndTurnResponse* response) override;
  grpc::ServerUnaryReactor* MakeOffer(grpc::CallbackServerContext* context,
                                      const v1::MakeOfferRequest* request,
                                      v1::MakeOfferResponse* response) override;
  grpc::ServerUnaryReactor* RespondToOffer(grpc::CallbackServerContext* context,
                                           const v1::RespondToOfferRequest* request,
                                           v1::RespondToOfferResponse* response) override;
  grpc::ServerUnaryReactor* ResignGame(grpc::CallbackServerContext* context,
                                       const v1::ResignGameRequest* request,
                                       v1::ResignGameResponse* response) override;
  grpc::ServerUnaryReactor* ClaimResult(grpc::CallbackServerContext* context,
                                        const v1::ClaimResultRequest* request,
                                        v1::ClaimResultResponse* response) override;
  grpc::ServerWriteReactor<v1::WatchGameResponse>* WatchGame(
      grpc::CallbackServerContext* context, const v1::WatchGameRequest* request) override;
  grpc::ServerUnaryReactor* AnswerPing(grpc::CallbackServerContext* context,
                                       const v1::AnswerPingRequest* request,
                                       v1::AnswerPingResponse* response) override;

 private:
  // Who asked, and for how much.
  struct Asked {
    base::PlayerId caller;
    v1::PositionView view = v1::POSITION_VIEW_FULL;
  };
  template <typename Response>
  using Fill = absl::Status (GameService::*)(const core::CommandResult&, const Asked&, Response&);

  // A mutation: reads the request, has the command judged, fills the answer on the scheduler.
  template <typename Request, typename Response>
  grpc::ServerUnaryReactor* Run(grpc::CallbackServerContext* context, const Request* request,
                                Response* response, Fill<Response> fill);
  template <typename Response>
  core::Games::Done AnswerWith(const Asked& asked, Response* response, Fill<Response> fill,
                               const rpc::Calls::Finish& finish);
  // The ways to answer: the game, the caller's seat too, or the events and the position.
  template <typename Response>
  absl::Status WithGame(const core::CommandResult& result, const Asked& asked, Response& response);
  absl::Status WithSeat(const core::CommandResult& result, const Asked& asked,
                        v1::JoinGameResponse& response);
  template <typename Response>
  absl::Status WithEvents(const core::CommandResult& result, const Asked& asked,
                          Response& response);

  absl::Status FillGame(const core::GameState& state, v1::Game& game);
  absl::Status FillPage(const std::vector<storage::GameSummary>& games,
                        v1::ListGamesResponse& response);

  core::Games& games_;
  core::Presence& presence_;
  core::Lag& lag_;
  const core::Receipts& receipts_;
  rpc::Calls& calls_;
};

}  // namespace astragal::game

#endif  // ASTRAGAL_SERVICES_GAME_GAME_SERVICE_H_
