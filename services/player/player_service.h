// PlayerService: creating and finding players.
#ifndef ASTRAGAL_SERVICES_PLAYER_PLAYER_SERVICE_H_
#define ASTRAGAL_SERVICES_PLAYER_PLAYER_SERVICE_H_

#include "astragal/v1/player_service.grpc.pb.h"
#include "services/rpc/call.h"

namespace astragal::player {

// Owns nothing; the reference must outlive it. Thread-safe.
class PlayerService : public v1::PlayerService::CallbackService {
 public:
  explicit PlayerService(rpc::Calls& calls) : calls_(calls) {}

  grpc::ServerUnaryReactor* CreatePlayer(grpc::CallbackServerContext* context,
                                         const v1::CreatePlayerRequest* request,
                                         v1::CreatePlayerResponse* response) override;
  grpc::ServerUnaryReactor* GetPlayer(grpc::CallbackServerContext* context,
                                      const v1::GetPlayerRequest* request,
                                      v1::GetPlayerResponse* response) override;
  grpc::ServerUnaryReactor* ListPlayers(grpc::CallbackServerContext* context,
                                        const v1::ListPlayersRequest* request,
                                        v1::ListPlayersResponse* response) override;
  grpc::ServerUnaryReactor* UpdatePlayer(grpc::CallbackServerContext* context,
                                         const v1::UpdatePlayerRequest* request,
                                         v1::UpdatePlayerResponse* response) override;

 private:
  rpc::Calls& calls_;
};

}  // namespace astragal::player

#endif  // ASTRAGAL_SERVICES_PLAYER_PLAYER_SERVICE_H_
