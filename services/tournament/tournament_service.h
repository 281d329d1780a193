// TournamentService: what players and whoever watches ask of tournaments. Maps requests to
// core::Tournaments and its answers to protos.
#ifndef ASTRAGAL_SERVICES_TOURNAMENT_TOURNAMENT_SERVICE_H_
#define ASTRAGAL_SERVICES_TOURNAMENT_TOURNAMENT_SERVICE_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "astragal/v1/tournament_service.grpc.pb.h"
#include "services/core/tournaments/tournaments.h"
#include "services/rpc/call.h"
#include "services/rpc/nouns.h"

namespace astragal::tournament {

// Owns nothing; the references must outlive it. Thread-safe.
class TournamentService : public v1::TournamentService::CallbackService {
 public:
  TournamentService(core::Tournaments& tournaments, const base::Clock& clock, rpc::Calls& calls)
      : tournaments_(tournaments), clock_(clock), calls_(calls) {}

// Declares the handler of a method.
#define ASTRAGAL_METHOD(Name)                                                                    \
  grpc::ServerUnaryReactor* Name(grpc::CallbackServerContext* context,                           \
                                 const v1::Name##Request* request, v1::Name##Response* response) \
      override
  ASTRAGAL_METHOD(CreateTournament);
  ASTRAGAL_METHOD(ImportTournament);
  ASTRAGAL_METHOD(GetTournament);
  ASTRAGAL_METHOD(ListTournaments);
  ASTRAGAL_METHOD(Register);
  ASTRAGAL_METHOD(CheckIn);
  ASTRAGAL_METHOD(WithdrawFromTournament);
  ASTRAGAL_METHOD(ReturnToTournament);
  ASTRAGAL_METHOD(RequestBye);
  ASTRAGAL_METHOD(Challenge);
  ASTRAGAL_METHOD(ListEntrants);
  ASTRAGAL_METHOD(GetRound);
  ASTRAGAL_METHOD(ListStandings);
  ASTRAGAL_METHOD(ExplainPairing);
  ASTRAGAL_METHOD(CheckPairing);
  ASTRAGAL_METHOD(ExportTournament);
  ASTRAGAL_METHOD(ListTournamentEvents);
#undef ASTRAGAL_METHOD
  grpc::ServerWriteReactor<v1::WatchTournamentResponse>* WatchTournament(
      grpc::CallbackServerContext* context, const v1::WatchTournamentRequest* request) override;

 private:
  // A part of a list: items `from` to `to`, and the token for what is behind them.
  struct Page {
    size_t from = 0;
    size_t to = 0;
    std::string next;
  };
  using Fill = std::function<absl::Status(core::TournamentCommand&)>;

  // Reads the tournament for `viewer`, then fills in the answer.
  template <typename Request, typename Response>
  grpc::ServerUnaryReactor* Show(
      grpc::CallbackServerContext* context, const Request* request, Response* response,
      absl::Status (TournamentService::*fill)(const core::TournamentState&, base::PlayerId,
                                              const Request&, Response&));
  // A command of a player about himself.
  template <typename Request, typename Response>
  grpc::ServerUnaryReactor* Command(grpc::CallbackServerContext* context, const Request* request,
                                    Response* response, core::TournamentEntryKind kind,
                                    Fill fill = nullptr);
  // The version and the place at which the page begins; the version is 0 on the first page.
  template <typename Request>
  absl::StatusOr<std::pair<uint32_t, size_t>> BeginOf(const Request& request) const;
  // `first`: where the first page begins.
  template <typename Request>
  absl::StatusOr<Page> PageOf(const core::TournamentState& state, const Request& request,
                              size_t count, size_t first = 0) const;
  absl::StatusOr<rpc::Names> NamesOf(const core::TournamentState& state) const;
  absl::Status FillTournament(const core::TournamentState& state, v1::Tournament& out) const;

  // Fills in what the file says; NOT_FOUND for a player whom nobody knows.
  absl::Status ReadFile(const std::string& file, core::NewTournament& tournament) const;
  absl::Status FillList(const v1::ListTournamentsRequest& request,
                        v1::ListTournamentsResponse& response);
  absl::Status FillGet(const core::TournamentState& state, base::PlayerId viewer,
                       const v1::GetTournamentRequest& request,
                       v1::GetTournamentResponse& response);
  absl::Status FillEntrants(const core::TournamentState& state, base::PlayerId viewer,
                            const v1::ListEntrantsRequest& request,
                            v1::ListEntrantsResponse& response);
  absl::Status FillRound(const core::TournamentState& state, base::PlayerId viewer,
                         const v1::GetRoundRequest& request, v1::GetRoundResponse& response);
  absl::Status FillStandings(const core::TournamentState& state, base::PlayerId viewer,
                             const v1::ListStandingsRequest& request,
                             v1::ListStandingsResponse& response);
  // The tournament as it was when a round (`number` from 1, 0 the last one) had just been paired;
  // `round` is its place. NOT_FOUND, also for a draft that `viewer` does not see.
  absl::StatusOr<core::TournamentPtr> AsPaired(const core::TournamentState& state,
                                               base::PlayerId viewer, int32_t number,
                                               size_t& round) const;
  absl::Status FillExplanation(const core::TournamentState& state, base::PlayerId viewer,
                               const v1::ExplainPairingRequest& request,
                               v1::ExplainPairingResponse& response);
  absl::Status FillCheck(const core::TournamentState& state, base::PlayerId viewer,
                         const v1::CheckPairingRequest& request,
                         v1::CheckPairingResponse& response);
  absl::Status FillExport(const core::TournamentState& state, base::PlayerId viewer,
                          const v1::ExportTournamentRequest& request,
                          v1::ExportTournamentResponse& response);
  absl::Status FillEvents(const core::TournamentState& state, base::PlayerId viewer,
                          const v1::ListTournamentEventsRequest& request,
                          v1::ListTournamentEventsResponse& response);

  core::Tournaments& tournaments_;
  const base::Clock& clock_;
  rpc::Calls& calls_;
};

}  // namespace astragal::tournament

#endif  // ASTRAGAL_SERVICES_TOURNAMENT_TOURNAMENT_SERVICE_H_
