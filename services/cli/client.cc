#include "services/cli/client.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <future>
#include <utility>

#include "absl/time/clock.h"
#include "astragal/v1/admin_service.grpc.pb.h"
#include "astragal/v1/auth_service.grpc.pb.h"
#include "astragal/v1/event_service.grpc.pb.h"
#include "astragal/v1/game_service.grpc.pb.h"
#include "astragal/v1/history_service.grpc.pb.h"
#include "astragal/v1/lobby_service.grpc.pb.h"
#include "astragal/v1/match_service.grpc.pb.h"
#include "astragal/v1/player_service.grpc.pb.h"
#include "astragal/v1/ruleset_service.grpc.pb.h"
#include "grpc/health/v1/health.pb.h"
#include "services/base/ids.h"
#include "services/cli/wire.h"

namespace astragal::cli {
namespace {

using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

}  // namespace

std::string NewRequestId(base::Random& random) {
  base::RequestId id;
  random.Fill(id.bytes);
  id.bytes[6] = static_cast<uint8_t>((id.bytes[6] & 0x0f) | 0x40);  // version 4
  id.bytes[8] = static_cast<uint8_t>((id.bytes[8] & 0x3f) | 0x80);  // the usual variant
  return id.ToText();
}

void StreamStop::Stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  if (cancel_) cancel_();
}

bool StreamStop::stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

bool StreamStop::Attach(std::function<void()> cancel) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return false;
  cancel_ = std::move(cancel);
  return true;
}

void StreamStop::Detach() {
  const std::lock_guard lock(mutex_);
  cancel_ = nullptr;
}

struct Client::Wire {
  Wire(const Options& with, std::shared_ptr<grpc::Channel> to)
      : options(with),
        health(to),
        rulesets(to),
        players(to),
        auth(to),
        events(to),
        games(to),
        history(to),
        lobby(to),
        matches(to),
        admin(to) {}

  absl::Status From(const grpc::Status& status) const { return StatusFrom(status, options.server); }

  template <typename Stub, typename Request, typename Response>
  absl::StatusOr<Response> Unary(Stub& stub,
                                 grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                              Response*),
                                 const Request& request) {
    return CallUnary(options, random, stub, method, request, kAttemptLimit);
  }

  template <typename Stub, typename Request, typename Message>
  absl::Status Read(Stub& stub,
                    std::unique_ptr<grpc::ClientReader<Message>> (Stub::*method)(
                        grpc::ClientContext*, const Request&),
                    const Request& request, StreamStop& stop,
                    const std::function<bool(const Message&)>& take) {
    grpc::ClientContext context;
    Identify(context, options.key);
    if (!stop.Attach([&context] { context.TryCancel(); })) return absl::CancelledError("stopped");
    const std::unique_ptr<grpc::ClientReader<Message>> reader = (stub.*method)(&context, request);
    bool enough = false;
    for (Message message; !enough && reader->Read(&message);) enough = !take(message);
    if (enough) context.TryCancel();
    const absl::Status status = From(reader->Finish());
    stop.Detach();
    return enough ? absl::OkStatus() : status;
  }

  const Options& options;
  base::SystemRandom random;
  grpc::TemplatedGenericStub<HealthCheckRequest, HealthCheckResponse> health;
  v1::RulesetService::Stub rulesets;
  v1::PlayerService::Stub players;
  v1::AuthService::Stub auth;
  v1::EventService::Stub events;
  v1::GameService::Stub games;
  v1::HistoryService::Stub history;
  v1::LobbyService::Stub lobby;
  v1::MatchService::Stub matches;
  v1::AdminService::Stub admin;
};

Client::Client(Options options)
    : options_(std::move(options)),
      wire_(std::make_unique<Wire>(options_, Connect(options_.server))) {}

Client::~Client() = default;

// Debian's gRPC has the health service's server but no stub of it.
absl::Status Client::CheckHealth() {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + std::min(options_.timeout, kAttemptLimit)));
  const HealthCheckRequest request;  // names no service: all of them
  HealthCheckResponse response;
  std::promise<grpc::Status> result;
  wire_->health.UnaryCall(&context, "/grpc.health.v1.Health/Check", {}, &request, &response,
                          [&](grpc::Status status) { result.set_value(std::move(status)); });
  const absl::Status status = wire_->From(result.get_future().get());
  if (!status.ok() || response.status() == HealthCheckResponse::SERVING) return status;
  return absl::UnavailableError("The server answers and says that it does not serve now.");
}

#define ASTRAGAL_UNARY(member, Service, Method)                                           \
  absl::StatusOr<v1::Method##Response> Client::Call(const v1::Method##Request& request) { \
    return wire_->Unary(wire_->member, &v1::Service::Stub::Method, request);              \
  }
ASTRAGAL_UNARY(rulesets, RulesetService, ListRulesets)
ASTRAGAL_UNARY(rulesets, RulesetService, GetRuleset)
ASTRAGAL_UNARY(rulesets, RulesetService, GetGeometry)
ASTRAGAL_UNARY(players, PlayerService, CreatePlayer)
ASTRAGAL_UNARY(players, PlayerService, GetPlayer)
ASTRAGAL_UNARY(players, PlayerService, ListPlayers)
ASTRAGAL_UNARY(auth, AuthService, WhoAmI)
ASTRAGAL_UNARY(games, GameService, CreateGame)
ASTRAGAL_UNARY(games, GameService, GetGame)
ASTRAGAL_UNARY(games, GameService, ListGames)
ASTRAGAL_UNARY(games, GameService, JoinGame)
ASTRAGAL_UNARY(games, GameService, ContributeToDice)
ASTRAGAL_UNARY(games, GameService, ListLegalActions)
ASTRAGAL_UNARY(games, GameService, PlayActions)
ASTRAGAL_UNARY(games, GameService, UndoActions)
ASTRAGAL_UNARY(games, GameService, EndTurn)
ASTRAGAL_UNARY(games, GameService, MakeOffer)
ASTRAGAL_UNARY(games, GameService, RespondToOffer)
ASTRAGAL_UNARY(games, GameService, LeaveGame)
ASTRAGAL_UNARY(games, GameService, AbortGame)
ASTRAGAL_UNARY(games, GameService, ResignGame)
ASTRAGAL_UNARY(games, GameService, ClaimResult)
ASTRAGAL_UNARY(games, GameService, AnswerPing)
ASTRAGAL_UNARY(history, HistoryService, ListEvents)
ASTRAGAL_UNARY(history, HistoryService, GetPosition)
ASTRAGAL_UNARY(lobby, LobbyService, CreateSeek)
ASTRAGAL_UNARY(lobby, LobbyService, CreateChallenge)
ASTRAGAL_UNARY(lobby, LobbyService, CreateTicket)
ASTRAGAL_UNARY(lobby, LobbyService, GetProposal)
ASTRAGAL_UNARY(lobby, LobbyService, ListSeeks)
ASTRAGAL_UNARY(lobby, LobbyService, ListMyProposals)
ASTRAGAL_UNARY(lobby, LobbyService, AcceptProposal)
ASTRAGAL_UNARY(lobby, LobbyService, DeclineChallenge)
ASTRAGAL_UNARY(lobby, LobbyService, WithdrawProposal)
ASTRAGAL_UNARY(lobby, LobbyService, RequestRematch)
ASTRAGAL_UNARY(admin, AdminService, LoadRulesets)
ASTRAGAL_UNARY(admin, AdminService, ListRulesetBuilds)
ASTRAGAL_UNARY(admin, AdminService, RetireRulesetBuild)
ASTRAGAL_UNARY(matches, MatchService, CreateMatch)
ASTRAGAL_UNARY(matches, MatchService, GetMatch)
ASTRAGAL_UNARY(matches, MatchService, ListMatches)
ASTRAGAL_UNARY(matches, MatchService, StartNextGame)
#undef ASTRAGAL_UNARY

absl::Status Client::Stream(const v1::WatchGameRequest& request, StreamStop& stop,
                            const std::function<bool(const v1::WatchGameResponse&)>& take) {
  return wire_->Read(wire_->games, &v1::GameService::Stub::WatchGame, request, stop, take);
}

absl::Status Client::Stream(const v1::StreamReplayRequest& request, StreamStop& stop,
                            const std::function<bool(const v1::StreamReplayResponse&)>& take) {
  return wire_->Read(wire_->history, &v1::HistoryService::Stub::StreamReplay, request, stop, take);
}

absl::Status Client::Stream(const v1::WatchLobbyRequest& request, StreamStop& stop,
                            const std::function<bool(const v1::WatchLobbyResponse&)>& take) {
  return wire_->Read(wire_->lobby, &v1::LobbyService::Stub::WatchLobby, request, stop, take);
}

absl::Status Client::Stream(const v1::WatchMatchRequest& request, StreamStop& stop,
                            const std::function<bool(const v1::WatchMatchResponse&)>& take) {
  return wire_->Read(wire_->matches, &v1::MatchService::Stub::WatchMatch, request, stop, take);
}

absl::Status Client::Stream(const v1::WatchMyEventsRequest& request, StreamStop& stop,
                            const std::function<bool(const v1::WatchMyEventsResponse&)>& take) {
  return wire_->Read(wire_->events, &v1::EventService::Stub::WatchMyEvents, request, stop, take);
}

}  // namespace astragal::cli
