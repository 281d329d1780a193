// Calls of the service's TournamentService and TournamentDirectorService, as client.h makes those
// of the others; apart from it, because few commands need them. Same contract: a command of a
// director without a request id gets one, and is repeated with it. Owns its channel.
#ifndef ASTRAGAL_SERVICES_CLI_TOURNAMENT_CLIENT_H_
#define ASTRAGAL_SERVICES_CLI_TOURNAMENT_CLIENT_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "astragal/v1/tournament_director_service.pb.h"
#include "astragal/v1/tournament_service.pb.h"
#include "services/cli/client.h"

namespace astragal::cli {

class TournamentClient {
 public:
  // With the server, the key and the patience of `client`.
  explicit TournamentClient(const Client& client);
  ~TournamentClient();
  TournamentClient(const TournamentClient&) = delete;
  TournamentClient& operator=(const TournamentClient&) = delete;

// Declares the call of a method.
#define ASTRAGAL_CALL(Method) \
  absl::StatusOr<v1::Method##Response> Call(const v1::Method##Request& request)
  ASTRAGAL_CALL(CreateTournament);
  ASTRAGAL_CALL(ImportTournament);
  ASTRAGAL_CALL(GetTournament);
  ASTRAGAL_CALL(ListTournaments);
  ASTRAGAL_CALL(Register);
  ASTRAGAL_CALL(CheckIn);
  ASTRAGAL_CALL(WithdrawFromTournament);
  ASTRAGAL_CALL(ReturnToTournament);
  ASTRAGAL_CALL(RequestBye);
  ASTRAGAL_CALL(Challenge);
  ASTRAGAL_CALL(ListEntrants);
  ASTRAGAL_CALL(GetRound);
  ASTRAGAL_CALL(ListStandings);
  ASTRAGAL_CALL(ExplainPairing);
  ASTRAGAL_CALL(CheckPairing);
  ASTRAGAL_CALL(ExportTournament);
  ASTRAGAL_CALL(ListTournamentEvents);

  ASTRAGAL_CALL(OpenRegistration);
  ASTRAGAL_CALL(OpenCheckIn);
  ASTRAGAL_CALL(StartTournament);
  ASTRAGAL_CALL(DraftRound);
  ASTRAGAL_CALL(EditPairing);
  ASTRAGAL_CALL(PublishRound);
  ASTRAGAL_CALL(UnpublishRound);
  ASTRAGAL_CALL(CloseRound);
  ASTRAGAL_CALL(OverrideResult);
  ASTRAGAL_CALL(ReplayMatch);
  ASTRAGAL_CALL(AddPlayer);
  ASTRAGAL_CALL(WithdrawPlayer);
  ASTRAGAL_CALL(PausePlayer);
  ASTRAGAL_CALL(ReturnPlayer);
  ASTRAGAL_CALL(ExpelPlayer);
  ASTRAGAL_CALL(GiveBye);
  ASTRAGAL_CALL(ForbidPairing);
  ASTRAGAL_CALL(AdjustPoints);
  ASTRAGAL_CALL(ChangeRounds);
  ASTRAGAL_CALL(ChangeTieBreaks);
  ASTRAGAL_CALL(PauseTournament);
  ASTRAGAL_CALL(ResumeTournament);
  ASTRAGAL_CALL(FinishTournament);
  ASTRAGAL_CALL(ReopenTournament);
  ASTRAGAL_CALL(CancelTournament);
  ASTRAGAL_CALL(GiveRole);
#undef ASTRAGAL_CALL

  // `take` gets every message on the calling thread and returns false to end the stream (the answer
  // is then OK). Never repeated: whoever reads knows from where to go on.
  absl::Status Watch(const v1::WatchTournamentRequest& request,
                     const std::function<bool(const v1::WatchTournamentResponse&)>& take);

  // A whole round, whatever pages it has.
  absl::StatusOr<v1::GetRoundResponse> WholeRound(const std::string& tournament_id, int round);

 private:
  struct Wire;

  const Client::Options options_;
  const std::unique_ptr<Wire> wire_;
};

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_TOURNAMENT_CLIENT_H_
