#include "services/lobby/lobby_service.h"

#include <utility>
#include <vector>

#include "services/base/status.h"
#include "services/lobby/batch.h"
#include "services/lobby/lobby_stream.h"
#include "services/lobby/nouns.h"
#include "services/rpc/nouns.h"
#include "services/rpc/proposals.h"

namespace astragal::lobby {
namespace {

using rpc::Calls;

template <typename Request>
absl::StatusOr<core::MutationStamp> StampOf(std::string_view method, const Request& request,
                                            base::PlayerId account) {
  const absl::StatusOr<base::RequestId> id = rpc::ReadRequestId(request.request_id());
  if (!id.ok()) return id.status();
  return core::MutationStamp{account, *id, rpc::BodyHash(method, request)};
}

}  // namespace

absl::Status LobbyService::FillProposal(const core::Proposal& proposal, v1::Proposal& out) {
  std::vector<base::PlayerId> players;
  rpc::AddPlayers(proposal, players);
  const auto names = calls_.accounts().Names(players);
  if (!names.ok()) return names.status();
  out = rpc::ToProto(proposal, *names);
  return absl::OkStatus();
}

absl::Status LobbyService::FillGame(const core::GameState& state, v1::Game& game) {
  std::vector<base::PlayerId> players;
  for (const storage::SeatRecord& seat : state.seats) players.push_back(seat.player);
  const auto names = calls_.accounts().Names(players);
  if (!names.ok()) return names.status();
  game = rpc::ToProto(state, *names);
  return absl::OkStatus();
}

// ---- Proposing and closing

template <typename Request, typename Response>
grpc::ServerUnaryReactor* LobbyService::Propose(grpc::CallbackServerContext* context,
                                                std::string_view method, const Request* request,
                                                Response* response) {
  return calls_.Identified(
      context, *request,
      [this, method, request, response](const core::Identity& caller) -> absl::Status {
        const auto stamp = StampOf(method, *request, caller.player);
        if (!stamp.ok()) return stamp.status();
        absl::StatusOr<core::NewProposal> asked = Read(*request);
        if (!asked.ok()) return asked.status();
        if (asked->kind == storage::ProposalKind::kChallenge) {
          const auto opponent = calls_.accounts().GetPlayer(asked->opponent);
          if (!opponent.ok()) return opponent.status();
        }
        const absl::StatusOr<core::Proposal> made = lobby_.Propose(*std::move(asked), *stamp);
        return made.ok() ? FillProposal(*made, *response->mutable_proposal()) : made.status();
      },
      Calls::Purpose::kChange);
}

grpc::ServerUnaryReactor* LobbyService::CreateSeek(grpc::CallbackServerContext* context,
                                                   const v1::CreateSeekRequest* request,
                                                   v1::CreateSeekResponse* response) {
  return Propose(context, "CreateSeek", request, response);
}

grpc::ServerUnaryReactor* LobbyService::CreateChallenge(grpc::CallbackServerContext* context,
                                                        const v1::CreateChallengeRequest* request,
                                                        v1::CreateChallengeResponse* response) {
  return Propose(context, "CreateChallenge", request, response);
}

grpc::ServerUnaryReactor* LobbyService::CreateTicket(grpc::CallbackServerContext* context,
                                                     const v1::CreateTicketRequest* request,
                                                     v1::CreateTicketResponse* response) {
  return Propose(context, "CreateTicket", request, response);
}

template <typename Request, typename Response>
grpc::ServerUnaryReactor* LobbyService::Close(grpc::CallbackServerContext* context,
                                              std::string_view method, storage::ProposalState state,
                                              const Request* request, Response* response) {
  return calls_.Identified(
      context, *request,
      [this, method, state, request, response](const core::Identity& caller) -> absl::Status {
        const auto stamp = StampOf(method, *request, caller.player);
        if (!stamp.ok()) return stamp.status();
        const auto id = rpc::ReadId<base::ProposalId>(request->proposal_id(), "proposal");
        if (!id.ok()) return id.status();
        const absl::StatusOr<core::Proposal> closed = lobby_.Close(*id, state, *stamp);
        return closed.ok() ? FillProposal(*closed, *response->mutable_proposal()) : closed.status();
      },
      Calls::Purpose::kChange);
}

grpc::ServerUnaryReactor* LobbyService::DeclineChallenge(grpc::CallbackServerContext* context,
                                                         const v1::DeclineChallengeRequest* request,
                                                         v1::DeclineChallengeResponse* response) {
  return Close(context, "DeclineChallenge", storage::ProposalState::kDeclined, request, response);
}

grpc::ServerUnaryReactor* LobbyService::WithdrawProposal(grpc::CallbackServerContext* context,
                                                         const v1::WithdrawProposalRequest* request,
                                                         v1::WithdrawProposalResponse* response) {
  return Close(context, "WithdrawProposal", storage::ProposalState::kWithdrawn, request, response);
}

// ---- Reading

grpc::ServerUnaryReactor* LobbyService::GetProposal(grpc::CallbackServerContext* context,
                                                    const v1::GetProposalRequest* request,
                                                    v1::GetProposalResponse* response) {
  return calls_.Viewed(
      context, *request, [this, request, response](base::PlayerId viewer) -> absl::Status {
        const auto id = rpc::ReadId<base::ProposalId>(request->proposal_id(), "proposal");
        if (!id.ok()) return id.status();
        const absl::StatusOr<core::Proposal> proposal = lobby_.Get(*id, viewer);
        if (!proposal.ok()) return proposal.status();
        return FillProposal(*proposal, *response->mutable_proposal());
      });
}

template <typename Request, typename Response, typename List>
absl::Status LobbyService::FillList(const Request& request, const std::string& scope, List list,
                                    Response& response) {
  const absl::StatusOr<size_t> size = base::PageSize(request.page_size());
  if (!size.ok()) return size.status();
  const absl::StatusOr<std::string> token = calls_.pages().Read(scope, request.page_token());
  if (!token.ok()) return token.status();
  const auto before = base::ProposalId::Parse(*token).value_or(base::ProposalId());
  absl::StatusOr<std::vector<storage::ProposalRecord>> records = list(before, *size);
  if (!records.ok()) return records.status();
  if (records->size() == *size) {
    response.set_next_page_token(calls_.pages().Make(scope, records->back().id.ToText()));
  }
  std::vector<core::Proposal> proposals;
  std::vector<base::PlayerId> players;
  for (storage::ProposalRecord& record : *records) {
    absl::StatusOr<core::Proposal> proposal = core::ReadProposal(std::move(record));
    if (!proposal.ok()) return proposal.status();
    rpc::AddPlayers(*proposal, players);
    proposals.push_back(*std::move(proposal));
  }
  const auto names = calls_.accounts().Names(players);
  if (!names.ok()) return names.status();
  for (const core::Proposal& proposal : proposals) {
    *response.add_proposals() = rpc::ToProto(proposal, *names);
  }
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* LobbyService::ListSeeks(grpc::CallbackServerContext* context,
                                                  const v1::ListSeeksRequest* request,
                                                  v1::ListSeeksResponse* response) {
  return calls_.Viewed(context, *request, [this, request, response](base::PlayerId) {
    const auto list = [this](base::ProposalId before, size_t size) {
      return lobby_.store().ListSeeks(before, size);
    };
    return FillList(*request, "ListSeeks", list, *response);
  });
}

grpc::ServerUnaryReactor* LobbyService::ListMyProposals(grpc::CallbackServerContext* context,
                                                        const v1::ListMyProposalsRequest* request,
                                                        v1::ListMyProposalsResponse* response) {
  return calls_.Identified(
      context, *request, [this, request, response](const core::Identity& caller) {
        const auto list = [this, &caller](base::ProposalId before, size_t size) {
          return lobby_.store().ListOf(caller.player, before, size);
        };
        return FillList(*request, "ListMyProposals " + caller.player.ToText(), list, *response);
      });
}

// ---- Games

template <typename Response>
absl::Status LobbyService::FillAcceptance(const core::Acceptance& acceptance, base::PlayerId caller,
                                          Response& response) {
  const absl::Status filled = FillProposal(acceptance.proposal, *response.mutable_proposal());
  if (!filled.ok() || !acceptance.game) return filled;
  const core::GameState& state = *acceptance.game->after;
  if constexpr (requires { response.set_seat(0); }) {
    response.set_seat(state.SeatOf(caller).value_or(-1));
  }
  return FillGame(state, *response.mutable_game());
}

template <typename Response>
core::Lobby::Done LobbyService::AnswerWith(base::PlayerId caller, Response* response,
                                           const Calls::Finish& finish) {
  return [this, caller, response, finish](const absl::StatusOr<core::Acceptance>& acceptance) {
    finish(acceptance.ok() ? FillAcceptance(*acceptance, caller, *response) : acceptance.status());
  };
}

grpc::ServerUnaryReactor* LobbyService::AcceptProposal(grpc::CallbackServerContext* context,
                                                       const v1::AcceptProposalRequest* request,
                                                       v1::AcceptProposalResponse* response) {
  return calls_.Mutation(
      context, *request,
      [this, request, response](const core::Identity& caller, const Calls::Finish& finish) {
        const auto stamp = StampOf("AcceptProposal", *request, caller.player);
        if (!stamp.ok()) return finish(stamp.status());
        const auto id = rpc::ReadId<base::ProposalId>(request->proposal_id(), "proposal");
        if (!id.ok()) return finish(id.status());
        lobby_.Accept(*id, *stamp, AnswerWith(caller.player, response, finish));
      });
}

grpc::ServerUnaryReactor* LobbyService::RequestRematch(grpc::CallbackServerContext* context,
                                                       const v1::RequestRematchRequest* request,
                                                       v1::RequestRematchResponse* response) {
  return calls_.Mutation(
      context, *request,
      [this, request, response](const core::Identity& caller, const Calls::Finish& finish) {
        const auto stamp = StampOf("RequestRematch", *request, caller.player);
        if (!stamp.ok()) return finish(stamp.status());
        const auto id = rpc::ReadId<base::GameId>(request->game_id(), "game");
        if (!id.ok()) return finish(id.status());
        lobby_.Rematch(*id, *stamp, AnswerWith(caller.player, response, finish));
      });
}

grpc::ServerUnaryReactor* LobbyService::CreateGames(grpc::CallbackServerContext* context,
                                                    const v1::CreateGamesRequest* request,
                                                    v1::CreateGamesResponse* response) {
  return calls_.SlowMutation(
      context, *request,
      [this, request, response](const core::Identity& /*operator*/, const Calls::Finish& finish) {
        CreateBatch(lobby_.games(), calls_.accounts(), *request, *response, finish);
      });
}

grpc::ServerWriteReactor<v1::WatchLobbyResponse>* LobbyService::WatchLobby(
    grpc::CallbackServerContext* context, const v1::WatchLobbyRequest* request) {
  return std::make_shared<LobbyStream>(board_, lobby_.games().world().clock, calls_)
      ->Begin(*context, *request);
}

}  // namespace astragal::lobby
