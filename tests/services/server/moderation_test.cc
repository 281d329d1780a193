// What moderators and operators do: restrictions that act at once and on other servers, games that
// are ended, accounts that are exported and erased, and an audit that keeps all of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "astragal/v1/admin_service.pb.h"
#include "astragal/v1/auth_service.pb.h"
#include "astragal/v1/game_service.pb.h"
#include "astragal/v1/history_service.pb.h"
#include "astragal/v1/lobby_service.pb.h"
#include "astragal/v1/moderation_service.pb.h"
#include "astragal/v1/player_service.pb.h"
#include "tests/services/server/hall.h"

namespace astragal::server {
namespace {

using testing::HasSubstr;
using testing::Not;

class Moderation : public testing::Test {
 protected:
  Moderation() {
    game_ = hall_.NewGame(alice_, bob_);
    moderator_ = hall_.NewKey(carol_, *core::ScopesOfRole("moderator"));
  }

  Outcome Restrict(const Hall::Person& person, v1::PlayerRestriction restriction,
                   const std::string& reason = "two accounts",
                   const std::string& request_id = NewRequestId()) const {
    v1::RestrictPlayerRequest request;
    request.set_request_id(request_id);
    request.set_player_id(person.id);
    request.set_restriction(restriction);
    request.set_reason(reason);
    return hall_.Call("ModerationService.RestrictPlayer", moderator_, request);
  }

  static Outcome Create(const Hall& hall, const Hall::Person& person) {
    v1::CreateGameRequest create;
    create.set_request_id(NewRequestId());
    create.set_ruleset_id("long_narde");
    return hall.Call("GameService.CreateGame", person.key, create);
  }

  // The first legal action, by whoever is to act.
  Outcome Play(const Hall& hall) const {
    v1::ListLegalActionsRequest ask;
    ask.set_game_id(game_);
    v1::ListLegalActionsResponse legal;
    EXPECT_TRUE(hall.Call("GameService.ListLegalActions", "", ask, &legal).ok());
    v1::PlayActionsRequest play;
    play.set_request_id(NewRequestId());
    play.set_game_id(game_);
    play.add_actions()->set_action(legal.actions(0).action());
    const Hall::Person& actor = legal.position().actor() == 0 ? alice_ : bob_;
    return hall.Call("GameService.PlayActions", actor.key, play);
  }

  std::vector<v1::AuditEntry> Audit(const std::string& subject) const {
    v1::ListAuditEntriesRequest request;
    request.set_subject(subject);
    v1::ListAuditEntriesResponse response;
    EXPECT_TRUE(
        hall_.Call("ModerationService.ListAuditEntries", moderator_, request, &response).ok());
    return {response.entries().begin(), response.entries().end()};
  }

  v1::Game Game() const {
    v1::GetGameRequest request;
    request.set_game_id(game_);
    v1::GetGameResponse response;
    EXPECT_TRUE(hall_.Call("GameService.GetGame", "", request, &response).ok());
    return response.game();
  }

  Hall hall_;
  const Hall::Person alice_ = hall_.NewPlayer("Alice");
  const Hall::Person bob_ = hall_.NewPlayer("Bob");
  const Hall::Person carol_ = hall_.NewPlayer("Carol");
  std::string game_;
  std::string moderator_;
};

TEST_F(Moderation, WhoBeginsNothingNewPlaysOnAndWhoIsBannedDoesNot) {
  ASSERT_TRUE(Create(hall_, alice_).ok());
  ASSERT_TRUE(Restrict(alice_, v1::PLAYER_RESTRICTION_NO_NEW_GAMES).ok());
  ASSERT_TRUE(Restrict(bob_, v1::PLAYER_RESTRICTION_NO_NEW_GAMES).ok());
  const Outcome refused = Create(hall_, alice_);
  EXPECT_EQ(refused.reason, "RESTRICTED");
  EXPECT_EQ(refused.code, grpc::PERMISSION_DENIED);
  EXPECT_EQ(refused.details.at("restriction"), "no_new_games");
  EXPECT_TRUE(Play(hall_).ok()) << "a game that has begun";
  ASSERT_TRUE(Restrict(alice_, v1::PLAYER_RESTRICTION_BANNED).ok());
  ASSERT_TRUE(Restrict(bob_, v1::PLAYER_RESTRICTION_BANNED).ok());
  EXPECT_EQ(Play(hall_).reason, "RESTRICTED");
  v1::GetGameRequest get;
  get.set_game_id(game_);
  EXPECT_TRUE(hall_.Call("GameService.GetGame", alice_.key, get).ok()) << "looking";
  ASSERT_TRUE(Restrict(alice_, v1::PLAYER_RESTRICTION_NONE, "appeal").ok());
  EXPECT_TRUE(Create(hall_, alice_).ok());
}

TEST_F(Moderation, ARestrictionActsOnOtherServersWithinASecond) {
  const Hall other(hall_, Options());
  ASSERT_TRUE(Create(other, alice_).ok());
  ASSERT_TRUE(Restrict(alice_, v1::PLAYER_RESTRICTION_BANNED).ok());
  const auto begun = std::chrono::steady_clock::now();
  while (Create(other, alice_).ok()) {
    ASSERT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(30));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  std::cout << "banned on another server after " << took.count() << " s\n";
}

TEST_F(Moderation, EveryActHasAReasonAndOneEntryThatNobodyChanges) {
  EXPECT_EQ(Restrict(alice_, v1::PLAYER_RESTRICTION_BANNED, "").reason, "BAD_FIELD");
  EXPECT_EQ(Restrict(alice_, v1::PLAYER_RESTRICTION_BANNED, std::string(1'025, 'x')).reason,
            "BAD_FIELD");
  const size_t before = Audit(alice_.id).size();
  const std::string request_id = NewRequestId();
  ASSERT_TRUE(Restrict(alice_, v1::PLAYER_RESTRICTION_BANNED, "why not", request_id).ok());
  ASSERT_TRUE(Restrict(alice_, v1::PLAYER_RESTRICTION_BANNED, "why not", request_id).ok());
  const std::vector<v1::AuditEntry> entries = Audit(alice_.id);
  ASSERT_EQ(entries.size(), before + 1) << "a repeat makes no second entry";
  EXPECT_EQ(entries[0].action(), "ModerationService.RestrictPlayer");
  EXPECT_EQ(entries[0].actor_id(), carol_.id);
  EXPECT_EQ(entries[0].reason(), "why not");
  EXPECT_THAT(entries[0].detail(), HasSubstr("PLAYER_RESTRICTION_BANNED"));
  const std::vector<v1::AuditEntry> keys = Audit(carol_.id);
  ASSERT_EQ(keys.size(), 1U);
  EXPECT_EQ(keys[0].action(), "AdminService.CreatePlayerApiKey");
  EXPECT_EQ(keys[0].actor_id(), "") << "the operator";
  const auto connection = hall_.database().Connect();
  for (const char* sql :
       {"UPDATE audit SET reason = 'none'", "DELETE FROM audit", "TRUNCATE audit"}) {
    EXPECT_FALSE(connection->Script(sql).ok()) << sql;
  }
}

TEST_F(Moderation, GamesAreAnnulledAndAdjudicated) {
  v1::AnnulGameRequest annul;
  annul.set_request_id(NewRequestId());
  annul.set_game_id(game_);
  annul.set_reason("the wrong rules");
  ASSERT_TRUE(Play(hall_).ok());
  ASSERT_TRUE(hall_.Call("ModerationService.AnnulGame", moderator_, annul).ok());
  EXPECT_EQ(Game().status(), v1::GAME_STATUS_ABORTED);
  annul.set_request_id(NewRequestId());
  EXPECT_EQ(hall_.Call("ModerationService.AnnulGame", moderator_, annul).reason, "GAME_OVER");
  EXPECT_EQ(Audit(game_).size(), 2U) << "what was asked for is in the audit";

  game_ = hall_.NewGame(alice_, bob_);
  v1::AdjudicateGameRequest adjudicate;
  adjudicate.set_request_id(NewRequestId());
  adjudicate.set_game_id(game_);
  adjudicate.set_player_id(carol_.id);
  adjudicate.set_reason("help by a program");
  EXPECT_EQ(hall_.Call("ModerationService.AdjudicateGame", moderator_, adjudicate).reason,
            "NOT_SEATED");
  adjudicate.set_player_id(bob_.id);
  adjudicate.set_request_id(NewRequestId());
  ASSERT_TRUE(hall_.Call("ModerationService.AdjudicateGame", moderator_, adjudicate).ok());
  EXPECT_EQ(Game().status(), v1::GAME_STATUS_FINISHED);
  EXPECT_EQ(Game().seats(0).place(), 1);
  EXPECT_EQ(Game().seats(1).place(), 2);
}

TEST_F(Moderation, AnErasedAccountLeavesGamesThatReplay) {
  ASSERT_TRUE(Play(hall_).ok());
  v1::StreamReplayRequest replay;
  replay.set_game_id(game_);
  v1::ExportAccountResponse exported;
  ASSERT_TRUE(hall_
                  .Call("ModerationService.ExportAccount", alice_.key, v1::ExportAccountRequest(),
                        &exported)
                  .ok());
  const auto json = nlohmann::json::parse(exported.json());
  EXPECT_EQ(json["player"]["name"], "Alice");
  EXPECT_EQ(json["keys"].size(), 1U);
  EXPECT_EQ(json["game_count"], 1);
  EXPECT_THAT(exported.json(), Not(HasSubstr("hash")));
  EXPECT_THAT(exported.json(), Not(HasSubstr(alice_.key.substr(4))));
  v1::ListEventsRequest list;
  list.set_game_id(game_);
  v1::ListEventsResponse before;
  ASSERT_TRUE(hall_.Call("HistoryService.ListEvents", "", list, &before).ok());

  v1::EraseAccountRequest erase;
  erase.set_request_id(NewRequestId());
  erase.set_confirm_name("Bob");
  EXPECT_EQ(hall_.Call("ModerationService.EraseAccount", alice_.key, erase).reason, "BAD_FIELD");
  erase.set_confirm_name("Alice");
  ASSERT_TRUE(hall_.Call("ModerationService.EraseAccount", alice_.key, erase).ok());
  EXPECT_EQ(hall_.Call("AuthService.WhoAmI", alice_.key, v1::WhoAmIRequest()).reason,
            "TOKEN_INVALID");
  v1::GetPlayerRequest get;
  get.set_player_id(alice_.id);
  v1::GetPlayerResponse player;
  ASSERT_TRUE(hall_.Call("PlayerService.GetPlayer", "", get, &player).ok());
  EXPECT_THAT(player.player().name(), testing::StartsWith("erased-"));
  v1::ListEventsResponse after;
  ASSERT_TRUE(hall_.Call("HistoryService.ListEvents", "", list, &after).ok());
  EXPECT_EQ(after.SerializeAsString(), before.SerializeAsString());
  EXPECT_TRUE(hall_.Call("HistoryService.StreamReplay", "", replay).ok());
  EXPECT_NO_FATAL_FAILURE(hall_.NewPlayer("Alice")) << "the name is free";

  v1::ErasePlayerRequest by_staff;
  by_staff.set_request_id(NewRequestId());
  by_staff.set_player_id(bob_.id);
  by_staff.set_reason("asked by letter");
  ASSERT_TRUE(hall_.Call("ModerationService.ErasePlayer", moderator_, by_staff).ok());
  EXPECT_EQ(Audit(bob_.id).size(), 1U);
}

TEST_F(Moderation, ModesRefuseWhatTheySay) {
  v1::SetServerModeRequest request;
  const auto set = [&](v1::ServerMode mode) {
    request.set_request_id(NewRequestId());
    request.set_reason("a test");
    request.set_mode(mode);
    return hall_.Call("AdminService.SetServerMode", hall_.operator_key(), request).ok();
  };
  ASSERT_TRUE(set(v1::SERVER_MODE_DRAINING));
  EXPECT_EQ(Create(hall_, alice_).reason, "DRAINING");
  EXPECT_TRUE(Play(hall_).ok());
  ASSERT_TRUE(set(v1::SERVER_MODE_READ_ONLY));
  const Outcome refused = Play(hall_);
  EXPECT_EQ(refused.reason, "READ_ONLY");
  EXPECT_GT(refused.retry_after_ms, 0);
  EXPECT_EQ(Game().status(), v1::GAME_STATUS_RUNNING);
  ASSERT_TRUE(set(v1::SERVER_MODE_NORMAL));
  EXPECT_TRUE(Create(hall_, alice_).ok());
}

}  // namespace
}  // namespace astragal::server
