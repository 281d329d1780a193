// LobbyService: finding somebody to play with. Maps requests to core::Lobby and its answers to
// protos.
#ifndef ASTRAGAL_SERVICES_LOBBY_LOBBY_SERVICE_H_
#define ASTRAGAL_SERVICES_LOBBY_LOBBY_SERVICE_H_

#include <string>

#include "astragal/v1/lobby_service.grpc.pb.h"
#include "services/core/lobby.h"
#include "services/core/lobby_board.h"
#include "services/rpc/call.h"

namespace astragal::lobby {

// Owns nothing; the references must outlive it. Thread-safe.
class LobbyService : public v1::LobbyService::CallbackService {
 public:
  LobbyService(core::Lobby& lobby, core::LobbyBoard& board, rpc::Calls& calls)
      : lobby_(lobby), board_(board), calls_(calls) {}

  grpc::ServerUnaryReactor* CreateSeek(grpc::CallbackServerContext* context,
                                       const v1::CreateSeekRequest* request,
                                       v1::CreateSeekResponse* response) override;
  grpc::ServerUnaryReactor* CreateChallenge(grpc::CallbackServerContext* context,
                                            const v1::CreateChallengeRequest* request,
                                            v1::CreateChallengeResponse* response) override;
  grpc::ServerUnaryReactor* CreateTicket(grpc::CallbackServerContext* context,
                                         const v1::CreateTicketRequest* request,
                                         v1::CreateTicketResponse* response) override;
  grpc::ServerUnaryReactor* GetProposal(grpc::CallbackServerContext* context,
                                        const v1::GetProposalRequest* request,
                                        v1::GetProposalResponse* response) override;
  grpc::ServerUnaryReactor* ListSeeks(grpc::CallbackServerContext* context,
                                      const v1::ListSeeksRequest* request,
                                      v1::ListSeeksResponse* response) override;
  grpc::ServerUnaryReactor* ListMyProposals(grpc::CallbackServerContext* context,
                                            const v1::ListMyProposalsRequest* request,
                                            v1::ListMyProposalsResponse* response) override;
  grpc::ServerUnaryReactor* AcceptProposal(grpc::CallbackServerContext* context,
                                           const v1::AcceptProposalRequest* request,
                                           v1::AcceptProposalResponse* response) override;
  grpc::ServerUnaryReactor* DeclineChallenge(grpc::CallbackServerContext* context,
                                             const v1::DeclineChallengeRequest* request,
                                             v1::DeclineChallengeResponse* response) override;
  grpc::ServerUnaryReactor* WithdrawProposal(grpc::CallbackServerContext* context,
                                             const v1::WithdrawProposalRequest* request,
                                             v1::WithdrawProposalResponse* response) override;
  grpc::ServerUnaryReactor* RequestRematch(grpc::CallbackServerContext* context,
                                           const v1::RequestRematchRequest* request,
                                           v1::RequestRematchResponse* response) override;
  grpc::ServerUnaryReactor* CreateGames(grpc::CallbackServerContext* context,
                                        const v1::CreateGamesRequest* request,
                                        v1::CreateGamesResponse* response) override;
  grpc::ServerWriteReactor<v1::WatchLobbyResponse>* WatchLobby(
      grpc::CallbackServerContext* context, const v1::WatchLobbyRequest* request) override;

 private:
  // The three ways to propose, and the two to close, differ by their requests alone.
  template <typename Request, typename Response>
  grpc::ServerUnaryReactor* Propose(grpc::CallbackServerContext* context, std::string_view method,
                                    const Request* request, Response* response);
  template <typename Request, typename Response>
  grpc::ServerUnaryReactor* Close(grpc::CallbackServerContext* context, std::string_view method,
                                  storage::ProposalState state, const Request* request,
                                  Response* response);
  template <typename Request, typename Response, typename List>
  absl::Status FillList(const Request& request, const std::string& scope, List list,
                        Response& response);
  absl::Status FillProposal(const core::Proposal& proposal, v1::Proposal& out);
  absl::Status FillGame(const core::GameState& state, v1::Game& game);
  // Writes the answer on the scheduler; `done` may have to be quick.
  template <typename Response>
  core::Lobby::Done AnswerWith(base::PlayerId caller, Response* response,
                               const rpc::Calls::Finish& finish);
  template <typename Response>
  absl::Status FillAcceptance(const core::Acceptance& acceptance, base::PlayerId caller,
                              Response& response);

  core::Lobby& lobby_;
  core::LobbyBoard& board_;
  rpc::Calls& calls_;
};

}  // namespace astragal::lobby

#endif  // ASTRAGAL_SERVICES_LOBBY_LOBBY_SERVICE_H_
