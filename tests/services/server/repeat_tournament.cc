// A Swiss that a director leads by hand from its draft to its cancellation, a ladder, and one that
// is imported: every command once.
#include <string>
#include <vector>

#include "astragal/v1/tournament_director_service.pb.h"
#include "astragal/v1/tournament_service.pb.h"
#include "tests/services/server/repeat.h"

namespace astragal::server {
namespace {

constexpr int kEntrants = 6;

class Tournament {
 public:
  explicit Tournament(Repeater& once)
      : once_(once),
        director_(once.hall().NewPlayer("Director")),
        deputy_(once.hall().NewPlayer("Deputy")) {
    for (int i = 0; i < kEntrants; ++i) {
      entrants_.push_back(once.hall().NewPlayer("Entrant " + std::to_string(i + 1)));
    }
  }

  void Run() {
    Register();
    Begin();
    LeadRound();
    MovePlayers();
    End();
    Import();
    Climb();
  }

 private:
  static v1::TournamentTerms Terms(v1::TournamentFormat format, const char* name) {
    v1::TournamentTerms terms;
    terms.set_name(name);
    terms.set_format(format);
    terms.set_manual(true);
    terms.mutable_play()->set_ruleset_id("long_narde");
    return terms;
  }

  template <typename Request>
  Request Directed() const {
    Request request;
    v1::DirectorHeader& header = *request.mutable_header();
    header.set_tournament_id(id_);
    header.set_request_id(NewRequestId());
    header.set_reason("a test");
    for (const char* known :
         {"MATCHES_VOID", "STANDINGS_OPEN_AGAIN", "ENDS_WITHOUT_STANDINGS", "OUT_OF_STANDINGS",
          "ROUNDS_CHANGED", "RESULTS_MISSING", "ROUNDS_LEFT", "REPEAT", "SECOND_BYE",
          "LATE_HALF_BYE", "TIE_BREAKS_CHANGED"}) {
      header.add_accept_warnings(known);
    }
    return request;
  }
  // A director's command, again, and with another reason.
  template <typename Response, typename Request>
  void Direct(const std::string& name, const Request& request) {
    once_.Once<Response, Request>(
        "TournamentDirectorService." + name, director_.key, request,
        [](Request& other) { other.mutable_header()->set_reason("another one"); });
  }
  template <typename Response, typename Request>
  void DirectPlayer(const std::string& name, const Hall::Person& player) {
    auto request = Directed<Request>();
    request.set_player_id(player.id);
    Direct<Response>(name, request);
  }
  template <typename Request>
  Request OwnCall() const {
    auto request = WithId<Request>();
    request.set_tournament_id(id_);
    return request;
  }
  // A command without anything to choose: the same id for another one is refused.
  template <typename Response, typename Request>
  void Own(const std::string& name, const Hall::Person& player) {
    const auto request = OwnCall<Request>();
    once_.Twice<Response>("TournamentService." + name, player.key, request);
    auto bye = OwnCall<v1::RequestByeRequest>();
    bye.set_request_id(request.request_id());
    bye.set_round(3);
    once_.ExpectReused("TournamentService.RequestBye", player.key, bye);
  }

  void Register() {
    auto create = WithId<v1::CreateTournamentRequest>();
    *create.mutable_terms() = Terms(v1::TOURNAMENT_FORMAT_SWISS, "By hand");
    create.mutable_terms()->set_rounds(3);
    create.set_draft(true);
    id_ = once_
              .Once<v1::CreateTournamentResponse, v1::CreateTournamentRequest>(
                  "TournamentService.CreateTournament", director_.key, create,
                  [](auto& other) { other.mutable_terms()->set_rounds(4); })
              .tournament()
              .tournament_id();
    Direct<v1::OpenRegistrationResponse>("OpenRegistration",
                                         Directed<v1::OpenRegistrationRequest>());
    auto enter = OwnCall<v1::RegisterRequest>();
    enter.set_rating(2'000);
    once_.Once<v1::RegisterResponse, v1::RegisterRequest>(
        "TournamentService.Register", entrants_[0].key, enter,
        [](auto& other) { other.set_rating(2'100); });
    for (int i = 1; i < kEntrants; ++i) {
      auto add = Directed<v1::AddPlayerRequest>();
      add.set_player_id(entrants_[static_cast<size_t>(i)].id);
      add.set_rating(2'000 - i);
      Direct<v1::AddPlayerResponse>("AddPlayer", add);
    }
    auto forbid = Directed<v1::ForbidPairingRequest>();
    forbid.set_player_id(entrants_[0].id);
    forbid.set_other_player_id(entrants_[1].id);
    Direct<v1::ForbidPairingResponse>("ForbidPairing", forbid);
    auto role = Directed<v1::GiveRoleRequest>();
    role.set_player_id(deputy_.id);
    role.set_role(v1::TOURNAMENT_ROLE_DEPUTY);
    Direct<v1::GiveRoleResponse>("GiveRole", role);
  }

  void Begin() {
    Direct<v1::OpenCheckInResponse>("OpenCheckIn", Directed<v1::OpenCheckInRequest>());
    for (const Hall::Person& entrant : entrants_) {
      Own<v1::CheckInResponse, v1::CheckInRequest>("CheckIn", entrant);
    }
    Direct<v1::StartTournamentResponse>("StartTournament", Directed<v1::StartTournamentRequest>());
    auto rounds = Directed<v1::ChangeRoundsRequest>();
    rounds.set_rounds(4);
    Direct<v1::ChangeRoundsResponse>("ChangeRounds", rounds);
    auto order = Directed<v1::ChangeTieBreaksRequest>();
    order.add_tie_breaks("BH");
    order.add_tie_breaks("SB");
    Direct<v1::ChangeTieBreaksResponse>("ChangeTieBreaks", order);
    auto bye = OwnCall<v1::RequestByeRequest>();
    bye.set_round(4);
    once_.Once<v1::RequestByeResponse, v1::RequestByeRequest>(
        "TournamentService.RequestBye", entrants_[0].key, bye,
        [](auto& other) { other.set_half_point(true); });
  }

  void LeadRound() {
    Direct<v1::DraftRoundResponse>("DraftRound", Directed<v1::DraftRoundRequest>());
    auto edit = Directed<v1::EditPairingRequest>();
    edit.add_pairings()->set_first(1);
    edit.mutable_pairings(0)->set_second(5);
    Direct<v1::EditPairingResponse>("EditPairing", edit);
    Direct<v1::PublishRoundResponse>("PublishRound", Directed<v1::PublishRoundRequest>());
    Direct<v1::UnpublishRoundResponse>("UnpublishRound", Directed<v1::UnpublishRoundRequest>());
    Direct<v1::PublishRoundResponse>("PublishRound", Directed<v1::PublishRoundRequest>());
    auto replay = Directed<v1::ReplayMatchRequest>();
    replay.set_round(1);
    replay.set_board(1);
    Direct<v1::ReplayMatchResponse>("ReplayMatch", replay);
    for (uint32_t board = 1; board <= kEntrants / 2; ++board) {
      auto result = Directed<v1::OverrideResultRequest>();
      result.set_round(1);
      result.set_board(board);
      result.set_first(v1::PAIRING_RESULT_WIN);
      result.set_second(v1::PAIRING_RESULT_LOSS);
      Direct<v1::OverrideResultResponse>("OverrideResult", result);
    }
    Direct<v1::CloseRoundResponse>("CloseRound", Directed<v1::CloseRoundRequest>());
  }

  void MovePlayers() {
    auto points = Directed<v1::AdjustPointsRequest>();
    points.set_player_id(entrants_[0].id);
    points.set_tenths(5);
    Direct<v1::AdjustPointsResponse>("AdjustPoints", points);
    auto bye = Directed<v1::GiveByeRequest>();
    bye.set_player_id(entrants_[1].id);
    bye.set_round(3);
    bye.set_value(v1::PAIRING_RESULT_HALF_BYE);
    Direct<v1::GiveByeResponse>("GiveBye", bye);
    DirectPlayer<v1::PausePlayerResponse, v1::PausePlayerRequest>("PausePlayer", entrants_[2]);
    DirectPlayer<v1::ReturnPlayerResponse, v1::ReturnPlayerRequest>("ReturnPlayer", entrants_[2]);
    DirectPlayer<v1::PausePlayerResponse, v1::PausePlayerRequest>("PausePlayer", entrants_[2]);
    Own<v1::ReturnToTournamentResponse, v1::ReturnToTournamentRequest>("ReturnToTournament",
                                                                       entrants_[2]);
    Own<v1::WithdrawFromTournamentResponse, v1::WithdrawFromTournamentRequest>(
        "WithdrawFromTournament", entrants_[3]);
    DirectPlayer<v1::WithdrawPlayerResponse, v1::WithdrawPlayerRequest>("WithdrawPlayer",
                                                                        entrants_[4]);
    DirectPlayer<v1::ExpelPlayerResponse, v1::ExpelPlayerRequest>("ExpelPlayer", entrants_[5]);
  }

  void End() {
    Direct<v1::PauseTournamentResponse>("PauseTournament", Directed<v1::PauseTournamentRequest>());
    Direct<v1::ResumeTournamentResponse>("ResumeTournament",
                                         Directed<v1::ResumeTournamentRequest>());
    Direct<v1::FinishTournamentResponse>("FinishTournament",
                                         Directed<v1::FinishTournamentRequest>());
    Direct<v1::ReopenTournamentResponse>("ReopenTournament",
                                         Directed<v1::ReopenTournamentRequest>());
  }

  void Import() {
    v1::ExportTournamentRequest out;
    out.set_tournament_id(id_);
    out.set_content(v1::TOURNAMENT_EXPORT_TRF);
    auto import = WithId<v1::ImportTournamentRequest>();
    *import.mutable_terms() = Terms(v1::TOURNAMENT_FORMAT_SWISS, "Brought in");
    import.set_file(once_
                        .Call<v1::ExportTournamentResponse>("TournamentService.ExportTournament",
                                                            director_.key, out)
                        .text());
    once_.Once<v1::ImportTournamentResponse, v1::ImportTournamentRequest>(
        "TournamentService.ImportTournament", director_.key, import,
        [](auto& other) { other.mutable_terms()->set_name("Brought in again"); });
    Direct<v1::CancelTournamentResponse>("CancelTournament",
                                         Directed<v1::CancelTournamentRequest>());
  }

  void Climb() {
    auto create = WithId<v1::CreateTournamentRequest>();
    *create.mutable_terms() = Terms(v1::TOURNAMENT_FORMAT_LADDER, "Rungs");
    create.mutable_terms()->set_manual(false);
    id_ = once_
              .Call<v1::CreateTournamentResponse>("TournamentService.CreateTournament",
                                                  director_.key, create)
              .tournament()
              .tournament_id();
    for (size_t i = 0; i < 3; ++i) {
      auto enter = OwnCall<v1::RegisterRequest>();
      enter.set_rating(2'000 - static_cast<int>(i));
      once_.Call<v1::RegisterResponse>("TournamentService.Register", entrants_[i].key, enter);
    }
    once_.Call<v1::StartTournamentResponse>("TournamentDirectorService.StartTournament",
                                            director_.key, Directed<v1::StartTournamentRequest>());
    auto challenge = OwnCall<v1::ChallengeRequest>();
    challenge.set_player_id(entrants_[0].id);
    once_.Once<v1::ChallengeResponse, v1::ChallengeRequest>(
        "TournamentService.Challenge", entrants_[2].key, challenge,
        [this](auto& other) { other.set_player_id(entrants_[1].id); });
  }

  Repeater& once_;
  const Hall::Person director_, deputy_;
  std::vector<Hall::Person> entrants_;
  std::string id_;
};

}  // namespace

void RepeatTournaments(Repeater& repeater) { Tournament(repeater).Run(); }

}  // namespace astragal::server
