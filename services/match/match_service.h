// MatchService: series of games. Maps requests to core::Matches and its answers to protos.
#ifndef ASTRAGAL_SERVICES_MATCH_MATCH_SERVICE_H_
#define ASTRAGAL_SERVICES_MATCH_MATCH_SERVICE_H_

#include <string>
#include <utility>

#include "astragal/v1/match_service.grpc.pb.h"
#include "services/core/matches.h"
#include "services/rpc/call.h"

namespace astragal::match {

// Owns nothing; the references must outlive it. Thread-safe.
class MatchService : public v1::MatchService::CallbackService {
 public:
  // Matches of a page: each comes with its games.
  static constexpr size_t kMaxPage = 100;

  MatchService(core::Matches& matches, const base::Clock& clock, rpc::Calls& calls)
      : matches_(matches), clock_(clock), calls_(calls) {}

  grpc::ServerUnaryReactor* CreateMatch(grpc::CallbackServerContext* context,
                                        const v1::CreateMatchRequest* request,
                                        v1::CreateMatchResponse* response) override;
  grpc::ServerUnaryReactor* GetMatch(grpc::CallbackServerContext* context,
                                     const v1::GetMatchRequest* request,
                                     v1::GetMatchResponse* response) override;
  grpc::ServerUnaryReactor* ListMatches(grpc::CallbackServerContext* context,
                                        const v1::ListMatchesRequest* request,
                                        v1::ListMatchesResponse* response) override;
  grpc::ServerUnaryReactor* StartNextGame(grpc::CallbackServerContext* context,
                                          const v1::StartNextGameRequest* request,
                                          v1::StartNextGameResponse* response) override;
  grpc::ServerWriteReactor<v1::WatchMatchResponse>* WatchMatch(
      grpc::CallbackServerContext* context, const v1::WatchMatchRequest* request) override;

 private:
  absl::Status CheckPlayers(const std::vector<base::PlayerId>& players);
  absl::Status FillMatch(const core::MatchState& match, v1::Match& out);
  void StartNext(const v1::StartNextGameRequest& request, base::PlayerId player,
                 v1::StartNextGameResponse& response, const rpc::Calls::Finish& finish);
  absl::Status FillPage(const v1::ListMatchesRequest& request, base::PlayerId viewer,
                        v1::ListMatchesResponse& response);

  core::Matches& matches_;
  const base::Clock& clock_;
  rpc::Calls& calls_;
};

}  // namespace astragal::match

#endif  // ASTRAGAL_SERVICES_MATCH_MATCH_SERVICE_H_
