#include "services/cli/tournament_client.h"

#include <utility>

#include "astragal/v1/tournament_director_service.grpc.pb.h"
#include "astragal/v1/tournament_service.grpc.pb.h"
#include "services/cli/wire.h"

namespace astragal::cli {

struct TournamentClient::Wire {
  explicit Wire(const std::string& server)
      : channel(Connect(server)), tournaments(channel), directors(channel) {}

  base::SystemRandom random;
  std::shared_ptr<grpc::Channel> channel;
  v1::TournamentService::Stub tournaments;
  v1::TournamentDirectorService::Stub directors;
};

TournamentClient::TournamentClient(const Client& client)
    : options_(client.options()), wire_(std::make_unique<Wire>(options_.server)) {}

TournamentClient::~TournamentClient() = default;

#define ASTRAGAL_UNARY(Method)                                                         \
  absl::StatusOr<v1::Method##Response> TournamentClient::Call(                         \
      const v1::Method##Request& request) {                                            \
    return CallUnary(options_, wire_->random, wire_->tournaments,                      \
                     &v1::TournamentService::Stub::Method, request, options_.timeout); \
  }
ASTRAGAL_UNARY(CreateTournament)
ASTRAGAL_UNARY(ImportTournament)
ASTRAGAL_UNARY(GetTournament)
ASTRAGAL_UNARY(ListTournaments)
ASTRAGAL_UNARY(Register)
ASTRAGAL_UNARY(CheckIn)
ASTRAGAL_UNARY(WithdrawFromTournament)
ASTRAGAL_UNARY(ReturnToTournament)
ASTRAGAL_UNARY(RequestBye)
ASTRAGAL_UNARY(Challenge)
ASTRAGAL_UNARY(ListEntrants)
ASTRAGAL_UNARY(GetRound)
ASTRAGAL_UNARY(ListStandings)
ASTRAGAL_UNARY(ExplainPairing)
ASTRAGAL_UNARY(CheckPairing)
ASTRAGAL_UNARY(ExportTournament)
ASTRAGAL_UNARY(ListTournamentEvents)
#undef ASTRAGAL_UNARY

#define ASTRAGAL_UNARY(Method)                                                      \
  absl::StatusOr<v1::Method##Response> TournamentClient::Call(                      \
      const v1::Method##Request& request) {                                         \
    v1::Method##Request sent = request;                                             \
    if (sent.header().request_id().empty()) {                                       \
      sent.mutable_header()->set_request_id(NewRequestId(wire_->random));           \
    }                                                                               \
    return CallUnary(options_, wire_->random, wire_->directors,                     \
                     &v1::TournamentDirectorService::Stub::Method, std::move(sent), \
                     options_.timeout);                                             \
  }
ASTRAGAL_UNARY(OpenRegistration)
ASTRAGAL_UNARY(OpenCheckIn)
ASTRAGAL_UNARY(StartTournament)
ASTRAGAL_UNARY(DraftRound)
ASTRAGAL_UNARY(EditPairing)
ASTRAGAL_UNARY(PublishRound)
ASTRAGAL_UNARY(UnpublishRound)
ASTRAGAL_UNARY(CloseRound)
ASTRAGAL_UNARY(OverrideResult)
ASTRAGAL_UNARY(ReplayMatch)
ASTRAGAL_UNARY(AddPlayer)
ASTRAGAL_UNARY(WithdrawPlayer)
ASTRAGAL_UNARY(PausePlayer)
ASTRAGAL_UNARY(ReturnPlayer)
ASTRAGAL_UNARY(ExpelPlayer)
ASTRAGAL_UNARY(GiveBye)
ASTRAGAL_UNARY(ForbidPairing)
ASTRAGAL_UNARY(AdjustPoints)
ASTRAGAL_UNARY(ChangeRounds)
ASTRAGAL_UNARY(ChangeTieBreaks)
ASTRAGAL_UNARY(PauseTournament)
ASTRAGAL_UNARY(ResumeTournament)
ASTRAGAL_UNARY(FinishTournament)
ASTRAGAL_UNARY(ReopenTournament)
ASTRAGAL_UNARY(CancelTournament)
ASTRAGAL_UNARY(GiveRole)
#undef ASTRAGAL_UNARY

absl::Status TournamentClient::Watch(
    const v1::WatchTournamentRequest& request,
    const std::function<bool(const v1::WatchTournamentResponse&)>& take) {
  grpc::ClientContext context;
  Identify(context, options_.key);
  const auto reader = wire_->tournaments.WatchTournament(&context, request);
  bool enough = false;
  for (v1::WatchTournamentResponse message; !enough && reader->Read(&message); message.Clear()) {
    enough = !take(message);
  }
  if (enough) context.TryCancel();
  const absl::Status status = StatusFrom(reader->Finish(), options_.server);
  return enough ? absl::OkStatus() : status;
}

absl::StatusOr<v1::GetRoundResponse> TournamentClient::WholeRound(const std::string& tournament_id,
                                                                  int round) {
  v1::GetRoundRequest request;
  request.set_tournament_id(tournament_id);
  request.set_round(round);
  request.set_page_size(1'000);
  v1::GetRoundResponse whole;
  do {
    const auto page = Call(request);
    if (!page.ok()) return page.status();
    *whole.mutable_round() = page->round();
    whole.mutable_pairings()->MergeFrom(page->pairings());
    whole.set_version(page->version());
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  return whole;
}

}  // namespace astragal::cli
