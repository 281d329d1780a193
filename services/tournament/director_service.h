// TournamentDirectorService: one method for each command of a director. Every one of them becomes a
// core::TournamentCommand and goes to core::Tournaments::Do.
#ifndef ASTRAGAL_SERVICES_TOURNAMENT_DIRECTOR_SERVICE_H_
#define ASTRAGAL_SERVICES_TOURNAMENT_DIRECTOR_SERVICE_H_

#include <functional>

#include "astragal/v1/tournament_director_service.grpc.pb.h"
#include "services/core/tournaments/tournaments.h"
#include "services/rpc/call.h"

namespace astragal::tournament {

// Owns nothing; the references must outlive it. Thread-safe.
class DirectorService : public v1::TournamentDirectorService::CallbackService {
 public:
  DirectorService(core::Tournaments& tournaments, rpc::Calls& calls)
      : tournaments_(tournaments), calls_(calls) {}

// Declares the handler of a method.
#define ASTRAGAL_COMMAND(Name)                                                                   \
  grpc::ServerUnaryReactor* Name(grpc::CallbackServerContext* context,                           \
                                 const v1::Name##Request* request, v1::Name##Response* response) \
      override
  ASTRAGAL_COMMAND(OpenRegistration);
  ASTRAGAL_COMMAND(OpenCheckIn);
  ASTRAGAL_COMMAND(StartTournament);
  ASTRAGAL_COMMAND(DraftRound);
  ASTRAGAL_COMMAND(EditPairing);
  ASTRAGAL_COMMAND(PublishRound);
  ASTRAGAL_COMMAND(UnpublishRound);
  ASTRAGAL_COMMAND(CloseRound);
  ASTRAGAL_COMMAND(OverrideResult);
  ASTRAGAL_COMMAND(ReplayMatch);
  ASTRAGAL_COMMAND(AddPlayer);
  ASTRAGAL_COMMAND(WithdrawPlayer);
  ASTRAGAL_COMMAND(PausePlayer);
  ASTRAGAL_COMMAND(ReturnPlayer);
  ASTRAGAL_COMMAND(ExpelPlayer);
  ASTRAGAL_COMMAND(GiveBye);
  ASTRAGAL_COMMAND(ForbidPairing);
  ASTRAGAL_COMMAND(AdjustPoints);
  ASTRAGAL_COMMAND(ChangeRounds);
  ASTRAGAL_COMMAND(ChangeTieBreaks);
  ASTRAGAL_COMMAND(PauseTournament);
  ASTRAGAL_COMMAND(ResumeTournament);
  ASTRAGAL_COMMAND(FinishTournament);
  ASTRAGAL_COMMAND(ReopenTournament);
  ASTRAGAL_COMMAND(CancelTournament);
  ASTRAGAL_COMMAND(GiveRole);
#undef ASTRAGAL_COMMAND

 private:
  using Fill = std::function<absl::Status(core::TournamentCommand&)>;

  // `fill` sets what the method has beside the header.
  template <typename Request, typename Response>
  grpc::ServerUnaryReactor* Command(grpc::CallbackServerContext* context, const Request* request,
                                    Response* response, core::TournamentEntryKind kind,
                                    Fill fill = nullptr);
  absl::Status Carry(const v1::DirectorHeader& header, core::TournamentCommand command,
                     v1::DirectorAnswer& answer);

  absl::Status AddWouldHave(const core::TournamentAnswer& done, v1::DirectorAnswer& answer) const;

  core::Tournaments& tournaments_;
  rpc::Calls& calls_;
};

}  // namespace astragal::tournament

#endif  // ASTRAGAL_SERVICES_TOURNAMENT_DIRECTOR_SERVICE_H_
