// The program's way to the server: one channel, one player's key, and the manners of a good client.
//
// Every call has a deadline, every mutation a request id (a UUID of version 4, filled in when the
// request has none), and a call that failed for a reason that passes is repeated with the same id
// until it succeeds or the time is up. Failures come back with reason word and details (see
// call_status.h). Thread-safe: several threads may call at once. The only door to gRPC: nobody else
// includes its headers.
#ifndef ASTRAGAL_SERVICES_CLI_CLIENT_H_
#define ASTRAGAL_SERVICES_CLI_CLIENT_H_

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "astragal/v1/admin_service.pb.h"
#include "astragal/v1/auth_service.pb.h"
#include "astragal/v1/event_service.pb.h"
#include "astragal/v1/game_service.pb.h"
#include "astragal/v1/history_service.pb.h"
#include "astragal/v1/lobby_service.pb.h"
#include "astragal/v1/match_service.pb.h"
#include "astragal/v1/player_service.pb.h"
#include "astragal/v1/ruleset_service.pb.h"
#include "services/base/random.h"

namespace astragal::cli {

// A UUID of version 4 as text.
std::string NewRequestId(base::Random& random);

// Ends a stream from another thread, once and for ever. Thread-safe.
class StreamStop {
 public:
  void Stop();
  bool stopped() const;

 private:
  friend class Client;
  // False when stopped already; otherwise `cancel` runs on Stop until Detach.
  bool Attach(std::function<void()> cancel);
  void Detach();

  mutable std::mutex mutex_;
  bool stopped_ = false;
  std::function<void()> cancel_;
};

class Client {
 public:
  // One attempt of a call; then it is repeated if there is time.
  static constexpr absl::Duration kAttemptLimit = absl::Seconds(10);

  struct Options {
    std::string server;                                  // HOST:PORT
    std::string key;                                     // "": without credentials
    absl::Duration timeout = absl::Seconds(10);          // for a call with all its repeats
    std::function<void(const absl::Status&)> on_repeat;  // told before each repeat; may be empty
  };

  explicit Client(Options options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const Options& options() const { return options_; }

  // The standard health service. OK when the server serves, UNAVAILABLE otherwise.
  absl::Status CheckHealth();

  absl::StatusOr<v1::ListRulesetsResponse> Call(const v1::ListRulesetsRequest& request);
  absl::StatusOr<v1::GetRulesetResponse> Call(const v1::GetRulesetRequest& request);
  absl::StatusOr<v1::GetGeometryResponse> Call(const v1::GetGeometryRequest& request);

  absl::StatusOr<v1::CreatePlayerResponse> Call(const v1::CreatePlayerRequest& request);
  absl::StatusOr<v1::GetPlayerResponse> Call(const v1::GetPlayerRequest& request);
  absl::StatusOr<v1::ListPlayersResponse> Call(const v1::ListPlayersRequest& request);
  absl::StatusOr<v1::WhoAmIResponse> Call(const v1::WhoAmIRequest& request);

  absl::StatusOr<v1::CreateGameResponse> Call(const v1::CreateGameRequest& request);
  absl::StatusOr<v1::GetGameResponse> Call(const v1::GetGameRequest& request);
  absl::StatusOr<v1::ListGamesResponse> Call(const v1::ListGamesRequest& request);
  absl::StatusOr<v1::JoinGameResponse> Call(const v1::JoinGameRequest& request);
  absl::StatusOr<v1::ContributeToDiceResponse> Call(const v1::ContributeToDiceRequest& request);
  absl::StatusOr<v1::ListLegalActionsResponse> Call(const v1::ListLegalActionsRequest& request);
  absl::StatusOr<v1::PlayActionsResponse> Call(const v1::PlayActionsRequest& request);
  absl::StatusOr<v1::UndoActionsResponse> Call(const v1::UndoActionsRequest& request);
  absl::StatusOr<v1::EndTurnResponse> Call(const v1::EndTurnRequest& request);
  absl::StatusOr<v1::MakeOfferResponse> Call(const v1::MakeOfferRequest& request);
  absl::StatusOr<v1::RespondToOfferResponse> Call(const v1::RespondToOfferRequest& request);
  absl::StatusOr<v1::LeaveGameResponse> Call(const v1::LeaveGameRequest& request);
  absl::StatusOr<v1::AbortGameResponse> Call(const v1::AbortGameRequest& request);
  absl::StatusOr<v1::ResignGameResponse> Call(const v1::ResignGameRequest& request);
  absl::StatusOr<v1::ClaimResultResponse> Call(const v1::ClaimResultRequest& request);
  absl::StatusOr<v1::AnswerPingResponse> Call(const v1::AnswerPingRequest& request);

  absl::StatusOr<v1::ListEventsResponse> Call(const v1::ListEventsRequest& request);
  absl::StatusOr<v1::GetPositionResponse> Call(const v1::GetPositionRequest& request);

  absl::StatusOr<v1::CreateSeekResponse> Call(const v1::CreateSeekRequest& request);
  absl::StatusOr<v1::CreateChallengeResponse> Call(const v1::CreateChallengeRequest& request);
  absl::StatusOr<v1::CreateTicketResponse> Call(const v1::CreateTicketRequest& request);
  absl::StatusOr<v1::GetProposalResponse> Call(const v1::GetProposalRequest& request);
  absl::StatusOr<v1::ListSeeksResponse> Call(const v1::ListSeeksRequest& request);
  absl::StatusOr<v1::ListMyProposalsResponse> Call(const v1::ListMyProposalsRequest& request);
  absl::StatusOr<v1::AcceptProposalResponse> Call(const v1::AcceptProposalRequest& request);
  absl::StatusOr<v1::DeclineChallengeResponse> Call(const v1::DeclineChallengeRequest& request);
  absl::StatusOr<v1::WithdrawProposalResponse> Call(const v1::WithdrawProposalRequest& request);
  absl::StatusOr<v1::RequestRematchResponse> Call(const v1::RequestRematchRequest& request);
  absl::StatusOr<v1::GetMatchResponse> Call(const v1::GetMatchRequest& request);
  absl::StatusOr<v1::ListMatchesResponse> Call(const v1::ListMatchesRequest& request);
  absl::StatusOr<v1::StartNextGameResponse> Call(const v1::StartNextGameRequest& request);

  // With the operator's key.
  absl::StatusOr<v1::CreateMatchResponse> Call(const v1::CreateMatchRequest& request);
  absl::StatusOr<v1::LoadRulesetsResponse> Call(const v1::LoadRulesetsRequest& request);
  absl::StatusOr<v1::ListRulesetBuildsResponse> Call(const v1::ListRulesetBuildsRequest& request);
  absl::StatusOr<v1::RetireRulesetBuildResponse> Call(const v1::RetireRulesetBuildRequest& request);

  // Streams: `take` gets every message on the calling thread and returns false to end the stream
  // (the answer is then OK). Never repeated: whoever reads knows from where to go on. CANCELLED
  // after stop.Stop().
  absl::Status Stream(const v1::WatchGameRequest& request, StreamStop& stop,
                      const std::function<bool(const v1::WatchGameResponse&)>& take);
  absl::Status Stream(const v1::StreamReplayRequest& request, StreamStop& stop,
                      const std::function<bool(const v1::StreamReplayResponse&)>& take);
  absl::Status Stream(const v1::WatchMatchRequest& request, StreamStop& stop,
                      const std::function<bool(const v1::WatchMatchResponse&)>& take);
  absl::Status Stream(const v1::WatchLobbyRequest& request, StreamStop& stop,
                      const std::function<bool(const v1::WatchLobbyResponse&)>& take);
  absl::Status Stream(const v1::WatchMyEventsRequest& request, StreamStop& stop,
                      const std::function<bool(const v1::WatchMyEventsResponse&)>& take);

 private:
  struct Wire;  // channel, stubs, and how calls are made

  const Options options_;
  const std::unique_ptr<Wire> wire_;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_CLIENT_H_
