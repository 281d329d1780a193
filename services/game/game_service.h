// GameService: playing. Maps requests to commands of core::Games and its answers to protos.
#ifndef ASTRAGAL_SERVICES_GAME_GAME_SERVICE_H_
#define ASTRAGAL_SERVICES_GAME_GAME_SERVICE_H_

#include "astragal/v1/game_service.grpc.pb.h"
#include "services/core/games.h"
#include "services/rpc/call.h"

namespace astragal::game {

// Owns nothing; the references must outlive it. Thread-safe.
class GameService : public v1::GameService::CallbackService {
 public:
  GameService(core::Games& games, rpc::Calls& calls) : games_(games), calls_(calls) {}

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
  grpc::ServerUnaryReactor* ListLegalActions(grpc::CallbackServerContext* context,
                                             const v1::ListLegalActionsRequest* request,
                                             v1::ListLegalActionsResponse* response) override;
  grpc::ServerUnaryReactor* PlayActions(grpc::CallbackServerContext* context,
                                        const v1::PlayActionsRequest* request,
                                        v1::PlayActionsResponse* response) override;
  grpc::ServerUnaryReactor* ResignGame(grpc::CallbackServerContext* context,
                                       const v1::ResignGameRequest* request,
                                       v1::ResignGameResponse* response) override;
  grpc::ServerWriteReactor<v1::WatchGameResponse>* WatchGame(
      grpc::CallbackServerContext* context, const v1::WatchGameRequest* request) override;

 private:
  // Ends a call with what `fill` comes to, on the scheduler.
  void AnswerLater(std::function<absl::Status()> fill, const rpc::Calls::Finish& finish);
  // Ends a call with the game after it.
  void AnswerWithGame(core::StatePtr state, v1::Game* game, const rpc::Calls::Finish& finish);
  absl::Status FillGame(const core::GameState& state, v1::Game& game);

  core::Games& games_;
  rpc::Calls& calls_;
};

}  // namespace astragal::game

#endif  // ASTRAGAL_SERVICES_GAME_GAME_SERVICE_H_
