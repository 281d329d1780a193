// Every method whose request has an id, asked twice and then for something else with the same id.
// Which methods these are the protos say: one that nobody asks here fails the test.
#include "tests/services/server/repeat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "astragal/v1/admin_service.pb.h"
#include "astragal/v1/auth_service.pb.h"
#include "astragal/v1/game_service.pb.h"
#include "astragal/v1/lobby_service.pb.h"
#include "astragal/v1/match_service.pb.h"
#include "astragal/v1/moderation_service.pb.h"
#include "astragal/v1/player_service.pb.h"
#include "astragal/v1/rating_service.pb.h"
#include "services/base/crypto.h"
#include "services/rpc/access.h"

namespace astragal::server {
namespace {

constexpr char kRuleset[] = "long_narde";
constexpr int kMostActions = 4;                      // of a turn with a double
constexpr char kPool[] = "long_narde/2/days/human";  // without a clock

// Asked elsewhere: what needs an issuer of identities (sign_in_test.cc), and what needs a fortnight
// or a clock that has run out, which is refused here as an id of another call.
const std::set<std::string> kElsewhere = {"AuthService.SignIn"};

// Methods with an id in their request, or in a director's header.
std::set<std::string> MethodsWithIds() {
  std::set<std::string> methods;
  for (const rpc::Access& access : rpc::AccessTable()) {
    const auto& request = *Hall::Method(std::string(access.method))->input_type();
    const bool has_id = request.FindFieldByName("request_id") != nullptr ||
                        request.FindFieldByName("header") != nullptr;
    if (has_id && !kElsewhere.contains(std::string(access.method))) {
      methods.emplace(access.method);
    }
  }
  return methods;
}

class Repeats : public testing::Test {
 protected:
  template <typename Request>
  Request InGame(const std::string& game) const {
    auto request = WithId<Request>();
    request.set_game_id(game);
    return request;
  }
  v1::Game Game(const std::string& id) {
    v1::GetGameRequest get;
    get.set_game_id(id);
    return once_.Call<v1::GetGameResponse>("GameService.GetGame", "", get).game();
  }
  int SeatToAct(const std::string& id) {
    const v1::Game game = Game(id);
    if (!game.seats_to_act().empty()) return game.seats_to_act(0);
    ADD_FAILURE() << "nobody is awaited: " << game.DebugString();
    return 0;
  }
  const Hall::Person& ToAct(const std::string& id) { return SeatToAct(id) == 0 ? alice_ : bob_; }
  v1::PlayActionsRequest FirstLegal(const std::string& id) {
    v1::ListLegalActionsRequest list;
    list.set_game_id(id);
    const auto legal =
        once_.Call<v1::ListLegalActionsResponse>("GameService.ListLegalActions", "", list);
    auto play = InGame<v1::PlayActionsRequest>(id);
    EXPECT_FALSE(legal.actions().empty()) << id;
    if (!legal.actions().empty()) play.add_actions()->set_action(legal.actions(0).action());
    play.set_end_turn(false);
    return play;
  }
  // Plays until the turn could end.
  void PlayTurn(const std::string& id) {
    for (int i = 0; i < kMostActions && !Game(id).turn_kept_open(); ++i) {
      once_.Call<v1::PlayActionsResponse>("GameService.PlayActions", ToAct(id).key, FirstLegal(id));
    }
  }
  // Everybody's other call in the same game, with this id.
  void ExpectReusedInGame(const std::string& game, const std::string& token,
                          const std::string& id) {
    auto claim = InGame<v1::ClaimResultRequest>(game);
    claim.set_request_id(id);
    once_.ExpectReused("GameService.ClaimResult", token, claim);
  }

  void Accounts();
  void Seats();
  void Turns();
  void Endings();
  void Lobby();
  void Matches();
  void Server();
  void Ratings();
  void Moderation();

  Hall hall_;
  Repeater once_{hall_};
  const std::string operator_ = hall_.operator_key();
  const Hall::Person alice_ = hall_.NewPlayer("Alice");
  const Hall::Person bob_ = hall_.NewPlayer("Bob");
  const Hall::Person carol_ = hall_.NewPlayer("Carol");
};

void Repeats::Accounts() {
  auto player = WithId<v1::CreatePlayerRequest>();
  player.set_name("Dora");
  const auto dora = once_.Once<v1::CreatePlayerResponse, v1::CreatePlayerRequest>(
      "PlayerService.CreatePlayer", "", player, [](auto& other) { other.set_bot(true); });
  auto rename = WithId<v1::UpdatePlayerRequest>();
  rename.set_etag(dora.player().etag());
  rename.set_name("Theodora");
  once_.Once<v1::UpdatePlayerResponse, v1::UpdatePlayerRequest>(
      "PlayerService.UpdatePlayer", dora.api_key(), rename,
      [](auto& other) { other.set_name("Dorothea"); });
  auto key = WithId<v1::CreateApiKeyRequest>();
  key.set_label("second");
  const auto made = once_.Once<v1::CreateApiKeyResponse, v1::CreateApiKeyRequest>(
      "AuthService.CreateApiKey", dora.api_key(), key,
      [](auto& other) { other.set_label("third"); });
  v1::WhoAmIResponse me =
      once_.Call<v1::WhoAmIResponse>("AuthService.WhoAmI", dora.api_key(), v1::WhoAmIRequest());
  auto revoke = WithId<v1::RevokeApiKeyRequest>();
  revoke.set_key_id(made.key().key_id());
  once_.Once<v1::RevokeApiKeyResponse, v1::RevokeApiKeyRequest>(
      "AuthService.RevokeApiKey", dora.api_key(), revoke,
      [&](auto& other) { other.set_key_id(me.key().key_id()); });
}

void Repeats::Seats() {
  auto create = WithId<v1::CreateGameRequest>();
  create.set_ruleset_id(kRuleset);
  create.set_seat(0);
  create.set_invite_contributions(true);
  const std::string game =
      once_
          .Once<v1::CreateGameResponse, v1::CreateGameRequest>(
              "GameService.CreateGame", alice_.key, create, [](auto& other) { other.set_seat(1); })
          .game()
          .game_id();
  const auto join = InGame<v1::JoinGameRequest>(game);
  const auto other_seat = [](v1::JoinGameRequest& other) { other.set_seat(0); };
  once_.Once<v1::JoinGameResponse, v1::JoinGameRequest>("GameService.JoinGame", bob_.key, join,
                                                        other_seat);
  // Of a game that still waits for its players.
  create.set_request_id(NewRequestId());
  const std::string open =
      once_.Call<v1::CreateGameResponse>("GameService.CreateGame", alice_.key, create)
          .game()
          .game_id();
  auto pledge = InGame<v1::ContributeToDiceRequest>(open);
  const base::Bytes32 hash = base::Sha256("what alice adds");
  pledge.set_contribution_sha256(std::string(base::AsView(hash)));
  once_.Once<v1::ContributeToDiceResponse, v1::ContributeToDiceRequest>(
      "GameService.ContributeToDice", alice_.key, pledge,
      [](auto& other) { other.set_contribution_sha256(std::string(32, 'x')); });
  const auto leave = InGame<v1::LeaveGameRequest>(open);
  once_.Twice<v1::LeaveGameResponse>("GameService.LeaveGame", alice_.key, leave);
  ExpectReusedInGame(open, alice_.key, leave.request_id());

  const std::string called_off = hall_.NewGame(alice_, bob_);
  const auto abort = InGame<v1::AbortGameRequest>(called_off);
  once_.Twice<v1::AbortGameResponse>("GameService.AbortGame", bob_.key, abort);
  ExpectReusedInGame(called_off, bob_.key, abort.request_id());
}

void Repeats::Turns() {
  const std::string game = hall_.NewGame(alice_, bob_);
  const std::string mover = ToAct(game).key;
  once_.Once<v1::PlayActionsResponse, v1::PlayActionsRequest>(
      "GameService.PlayActions", mover, FirstLegal(game),
      [](auto& other) { other.set_expected_sequence(1); });
  PlayTurn(game);
  auto undo = InGame<v1::UndoActionsRequest>(game);
  undo.set_count(1);
  once_.Once<v1::UndoActionsResponse, v1::UndoActionsRequest>(
      "GameService.UndoActions", mover, undo, [](auto& other) { other.set_count(2); });
  PlayTurn(game);
  once_.Once<v1::EndTurnResponse, v1::EndTurnRequest>(
      "GameService.EndTurn", mover, InGame<v1::EndTurnRequest>(game),
      [](auto& other) { other.set_expected_sequence(1); });
}

void Repeats::Endings() {
  const std::string game = hall_.NewGame(alice_, bob_);
  auto offer = InGame<v1::MakeOfferRequest>(game);
  offer.set_kind(v1::OFFER_KIND_ABORT);
  once_.Once<v1::MakeOfferResponse, v1::MakeOfferRequest>(
      "GameService.MakeOffer", alice_.key, offer,
      [](auto& other) { other.set_kind(v1::OFFER_KIND_DRAW); });
  once_.Once<v1::RespondToOfferResponse, v1::RespondToOfferRequest>(
      "GameService.RespondToOffer", bob_.key, InGame<v1::RespondToOfferRequest>(game),
      [](auto& other) { other.set_accept(true); });
  const auto resign = InGame<v1::ResignGameRequest>(game);
  once_.Twice<v1::ResignGameResponse>("GameService.ResignGame", alice_.key, resign);
  ExpectReusedInGame(game, alice_.key, resign.request_id());
  auto rematch = InGame<v1::RequestRematchRequest>(game);
  once_.Twice<v1::RequestRematchResponse>("LobbyService.RequestRematch", alice_.key, rematch);
}

void Repeats::Lobby() {
  auto seek = WithId<v1::CreateSeekRequest>();
  seek.mutable_terms()->set_ruleset_id(kRuleset);
  const auto longer = [](auto& other) { other.set_open_seconds(other.open_seconds() + 60); };
  const std::string sought = once_
                                 .Once<v1::CreateSeekResponse, v1::CreateSeekRequest>(
                                     "LobbyService.CreateSeek", carol_.key, seek, longer)
                                 .proposal()
                                 .proposal_id();
  auto challenge = WithId<v1::CreateChallengeRequest>();
  challenge.mutable_terms()->set_ruleset_id(kRuleset);
  challenge.set_opponent_id(bob_.id);
  std::vector<std::string> challenges = {
      once_
          .Once<v1::CreateChallengeResponse, v1::CreateChallengeRequest>(
              "LobbyService.CreateChallenge", carol_.key, challenge, longer)
          .proposal()
          .proposal_id()};
  for (int i = 0; i < 2; ++i) {
    challenge.set_request_id(NewRequestId());
    challenge.set_open_seconds(600 + i);
    challenges.push_back(once_
                             .Call<v1::CreateChallengeResponse>("LobbyService.CreateChallenge",
                                                                carol_.key, challenge)
                             .proposal()
                             .proposal_id());
  }
  const auto third = [&](auto& other) { other.set_proposal_id(challenges[2]); };
  auto decline = WithId<v1::DeclineChallengeRequest>();
  decline.set_proposal_id(challenges[0]);
  once_.Once<v1::DeclineChallengeResponse, v1::DeclineChallengeRequest>(
      "LobbyService.DeclineChallenge", bob_.key, decline, third);
  auto accept = WithId<v1::AcceptProposalRequest>();
  accept.set_proposal_id(challenges[1]);
  once_.Once<v1::AcceptProposalResponse, v1::AcceptProposalRequest>("LobbyService.AcceptProposal",
                                                                    bob_.key, accept, third);
  auto withdraw = WithId<v1::WithdrawProposalRequest>();
  withdraw.set_proposal_id(sought);
  once_.Once<v1::WithdrawProposalResponse, v1::WithdrawProposalRequest>(
      "LobbyService.WithdrawProposal", carol_.key, withdraw, third);
  auto ticket = WithId<v1::CreateTicketRequest>();
  ticket.mutable_terms()->set_ruleset_id(kRuleset);
  once_.Once<v1::CreateTicketResponse, v1::CreateTicketRequest>("LobbyService.CreateTicket",
                                                                carol_.key, ticket, longer);
  auto games = WithId<v1::CreateGamesRequest>();
  games.mutable_terms()->set_ruleset_id(kRuleset);
  games.add_games()->add_player_ids(alice_.id);
  games.mutable_games(0)->add_player_ids(bob_.id);
  // The games of the first answer may be looked at by their states: each has its own request.
  once_.Twice<v1::CreateGamesResponse>("LobbyService.CreateGames", operator_, games);
}

void Repeats::Matches() {
  auto create = WithId<v1::CreateMatchRequest>();
  create.add_player_ids(alice_.id);
  create.add_player_ids(bob_.id);
  create.set_ruleset_id(kRuleset);
  create.mutable_terms()->set_kind(v1::MATCH_KIND_POINTS);
  create.mutable_terms()->set_length(3);
  const auto match = once_.Once<v1::CreateMatchResponse, v1::CreateMatchRequest>(
      "MatchService.CreateMatch", operator_, create,
      [](auto& other) { other.mutable_terms()->set_length(5); });
  // A number has one game, whoever asks and with whichever id: there is nothing else to ask for.
  auto next = WithId<v1::StartNextGameRequest>();
  next.set_match_id(match.match().match_id());
  next.set_number(1);
  once_.Twice<v1::StartNextGameResponse>("MatchService.StartNextGame", alice_.key, next);
}

void Repeats::Server() {
  auto mode = WithId<v1::SetServerModeRequest>();
  mode.set_mode(v1::SERVER_MODE_NORMAL);
  mode.set_reason("a test");
  once_.Once<v1::SetServerModeResponse, v1::SetServerModeRequest>(
      "AdminService.SetServerMode", operator_, mode,
      [](auto& other) { other.set_mode(v1::SERVER_MODE_READ_ONLY); });
  const auto builds = once_.Call<v1::ListRulesetBuildsResponse>(
      "AdminService.ListRulesetBuilds", operator_, v1::ListRulesetBuildsRequest());
  auto retire = WithId<v1::RetireRulesetBuildRequest>();
  for (const auto& build : builds.builds()) {
    if (build.ruleset_id() != kRuleset) retire.set_sha256(build.sha256());
  }
  once_.Once<v1::RetireRulesetBuildResponse, v1::RetireRulesetBuildRequest>(
      "AdminService.RetireRulesetBuild", operator_, retire,
      [](auto& other) { other.set_sha256(std::string(64, '0')); });
  const auto load = WithId<v1::LoadRulesetsRequest>();
  once_.Twice<v1::LoadRulesetsResponse>("AdminService.LoadRulesets", operator_, load);
  retire.set_request_id(load.request_id());
  once_.ExpectReused("AdminService.RetireRulesetBuild", operator_, retire);

  auto key = WithId<v1::CreatePlayerApiKeyRequest>();
  key.set_player_id(carol_.id);
  key.set_reason("a test");
  const auto made = once_.Once<v1::CreatePlayerApiKeyResponse, v1::CreatePlayerApiKeyRequest>(
      "AdminService.CreatePlayerApiKey", operator_, key,
      [](auto& other) { other.add_scopes(v1::KEY_SCOPE_OPERATE); });
  auto revoke = WithId<v1::RevokePlayerApiKeyRequest>();
  revoke.set_player_id(carol_.id);
  revoke.set_key_id(made.key().key_id());
  revoke.set_reason("a test");
  once_.Once<v1::RevokePlayerApiKeyResponse, v1::RevokePlayerApiKeyRequest>(
      "AdminService.RevokePlayerApiKey", operator_, revoke,
      [](auto& other) { other.set_reason("another one"); });
}

void Repeats::Ratings() {
  auto household = WithId<v1::SetHouseholdRequest>();
  household.add_player_ids(alice_.id);
  household.add_player_ids(bob_.id);
  once_.Once<v1::SetHouseholdResponse, v1::SetHouseholdRequest>(
      "RatingService.SetHousehold", operator_, household,
      [&](auto& other) { other.add_player_ids(carol_.id); });
  // A pool is there from its first rated result on.
  auto create = WithId<v1::CreateGameRequest>();
  create.set_ruleset_id(kRuleset);
  create.set_seat(0);
  create.set_rated(true);
  const std::string game =
      once_.Call<v1::CreateGameResponse>("GameService.CreateGame", carol_.key, create)
          .game()
          .game_id();
  const Hall::Person erika = hall_.NewPlayer("Erika");
  once_.Call<v1::JoinGameResponse>("GameService.JoinGame", erika.key,
                                   InGame<v1::JoinGameRequest>(game));
  for (int i = 0; i < 2; ++i) {
    const std::string actor = SeatToAct(game) == 0 ? carol_.key : erika.key;
    auto play = FirstLegal(game);
    play.clear_end_turn();
    once_.Call<v1::PlayActionsResponse>("GameService.PlayActions", actor, play);
  }
  once_.Call<v1::ResignGameResponse>("GameService.ResignGame", erika.key,
                                     InGame<v1::ResignGameRequest>(game));
  const auto has_pool = [this] {
    return once_
               .Call<v1::ListRatingPoolsResponse>("RatingService.ListRatingPools", "",
                                                  v1::ListRatingPoolsRequest())
               .pools_size() > 0;
  };
  const auto begun = std::chrono::steady_clock::now();
  while (!has_pool()) {
    ASSERT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(60)) << "no pool";
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  auto estimate = WithId<v1::EstimateOwnRatingRequest>();
  estimate.set_pool_id(kPool);
  estimate.set_estimate(v1::SELF_ESTIMATE_STRONG);
  once_.Once<v1::EstimateOwnRatingResponse, v1::EstimateOwnRatingRequest>(
      "RatingService.EstimateOwnRating", alice_.key, estimate,
      [](auto& other) { other.set_estimate(v1::SELF_ESTIMATE_BEGINNER); });
  auto recompute = WithId<v1::RecomputeRequest>();
  recompute.set_pool_id(kPool);
  once_.Once<v1::RecomputeResponse, v1::RecomputeRequest>(
      "RatingService.Recompute", operator_, recompute, [&](auto& other) {
        other.mutable_annulled_player()->set_player_id(erika.id);
        other.mutable_annulled_player()->set_reason("a test");
      });
  auto bot = WithId<v1::CreatePlayerRequest>();
  bot.set_name("Anchor");
  bot.set_bot(true);
  auto pin = WithId<v1::PinRatingRequest>();
  pin.set_player_id(once_.Call<v1::CreatePlayerResponse>("PlayerService.CreatePlayer", "", bot)
                        .player()
                        .player_id());
  pin.set_pool_id(kPool);
  pin.set_rating(1'600);
  once_.Once<v1::PinRatingResponse, v1::PinRatingRequest>(
      "RatingService.PinRating", operator_, pin, [](auto& other) { other.set_rating(1'700); });
}

void Repeats::Moderation() {
  const std::string moderator = hall_.NewKey(carol_, *core::ScopesOfRole("moderator"));
  auto restrict = WithId<v1::RestrictPlayerRequest>();
  restrict.set_player_id(bob_.id);
  restrict.set_restriction(v1::PLAYER_RESTRICTION_NONE);
  restrict.set_reason("a test");
  once_.Once<v1::RestrictPlayerResponse, v1::RestrictPlayerRequest>(
      "ModerationService.RestrictPlayer", moderator, restrict,
      [](auto& other) { other.set_restriction(v1::PLAYER_RESTRICTION_BANNED); });
  const std::string first = hall_.NewGame(alice_, bob_);
  const std::string second = hall_.NewGame(alice_, bob_);
  auto annul = InGame<v1::AnnulGameRequest>(first);
  annul.set_reason("a test");
  once_.Once<v1::AnnulGameResponse, v1::AnnulGameRequest>(
      "ModerationService.AnnulGame", moderator, annul,
      [&](auto& other) { other.set_game_id(second); });
  auto adjudicate = InGame<v1::AdjudicateGameRequest>(second);
  adjudicate.set_player_id(bob_.id);
  adjudicate.set_reason("a test");
  once_.Once<v1::AdjudicateGameResponse, v1::AdjudicateGameRequest>(
      "ModerationService.AdjudicateGame", moderator, adjudicate,
      [&](auto& other) { other.set_player_id(alice_.id); });
  const Hall::Person gone = hall_.NewPlayer("Gone");
  auto erase = WithId<v1::ErasePlayerRequest>();
  erase.set_player_id(gone.id);
  erase.set_reason("a test");
  once_.Once<v1::ErasePlayerResponse, v1::ErasePlayerRequest>(
      "ModerationService.ErasePlayer", moderator, erase,
      [&](auto& other) { other.set_player_id(alice_.id); });
}

TEST_F(Repeats, GetTheFirstAnswerAndNothingElse) {
  Accounts();
  Seats();
  Turns();
  Endings();
  Lobby();
  Matches();
  Server();
  Ratings();
  Moderation();
  RepeatTournaments(once_);
  std::set<std::string> asked = once_.seen();
  // The first was refused as an id of another call; the second ends the key that would ask again.
  asked.insert({"GameService.ClaimResult", "ModerationService.EraseAccount"});
  EXPECT_THAT(MethodsWithIds(), testing::ContainerEq(asked));
}

TEST_F(Repeats, WhoHasErasedHimselfIsNobody) {
  const Hall::Person gone = hall_.NewPlayer("Gone");
  auto erase = WithId<v1::EraseAccountRequest>();
  erase.set_confirm_name("Gone");
  once_.Call<v1::EraseAccountResponse>("ModerationService.EraseAccount", gone.key, erase);
  EXPECT_EQ(hall_.Call("ModerationService.EraseAccount", gone.key, erase).reason, "TOKEN_INVALID");
}

}  // namespace
}  // namespace astragal::server
