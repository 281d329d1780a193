// Live play over the wire: clocks, offers, open turns, leaving, private and unlisted games. What
// each command does is core's test (tests/services/core/live_play_test.cc); this one shows that a
// client can do all of it with the protos alone, and that the public log proves it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/e2e/game.h"

namespace astragal::e2e {
namespace {

using testing::Contains;
using testing::Not;

template <typename Request>
Request To(const std::string& game_id) {
  Request request;
  request.set_request_id(NewRequestId());
  request.set_game_id(game_id);
  return request;
}

class LivePlay : public testing::Test {
 protected:
  std::string Create(v1::CreateGameRequest create = {}) {
    create.set_request_id(NewRequestId());
    if (create.ruleset_id().empty()) create.set_ruleset_id("long_narde");
    create.set_seat(0);
    const auto created = first_.client.Call(&Game::CreateGame, create);
    EXPECT_TRUE(created.ok()) << created.status.error_message();
    return created->game().game_id();
  }
  grpc::Status Join(const Person& person, const std::string& game_id) {
    return person.client.Call(&Game::JoinGame, To<v1::JoinGameRequest>(game_id)).status;
  }
  std::string Started(const v1::CreateGameRequest& create = {}) {
    const std::string id = Create(create);
    EXPECT_TRUE(Join(second_, id).ok());
    return id;
  }
  const Person& Holder(int seat) const { return seat == 0 ? first_ : second_; }
  const Person& ToAct(const std::string& id) {
    return Holder(GetGame(first_.client, id).seats_to_act(0));
  }
  v1::ListLegalActionsResponse Legal(const std::string& id) {
    v1::ListLegalActionsRequest list;
    list.set_game_id(id);
    return *first_.client.Call(&Game::ListLegalActions, list);
  }
  // Plays the first legal action of whoever is to act.
  Answer<v1::PlayActionsResponse> PlayFirst(const std::string& id, bool end_turn = true) {
    auto play = To<v1::PlayActionsRequest>(id);
    play.add_actions()->set_action(Legal(id).actions(0).action());
    play.set_end_turn(end_turn);
    return ToAct(id).client.Call(&Game::PlayActions, play);
  }
  // The log's hashes and throws are what the public answers say.
  void ExpectProvenLog(const std::string& id) {
    const v1::Game game = GetGame(first_.client, id);
    const v1::Ruleset ruleset = GetRuleset(first_.client, game.ruleset_id());
    const std::vector<v1::Event> events = ListEvents(first_.client, id);
    EXPECT_EQ(ChainProblem(game, ruleset, events), "");
    EXPECT_EQ(DiceProblem(game, ruleset, events), "");
  }

  Service& service_ = SharedService();
  Person first_ = NewPerson(service_, "first");
  Person second_ = NewPerson(service_, "second");
  Person stranger_ = NewPerson(service_, "stranger");
};

TEST_F(LivePlay, TheBasicViewOfAPositionLeavesOutWhatFollowsFromItsBytes) {
  const std::string id = Started();
  for (const v1::PositionView view : {v1::POSITION_VIEW_BASIC, v1::POSITION_VIEW_FULL}) {
    auto play = To<v1::PlayActionsRequest>(id);
    play.add_actions()->set_action(Legal(id).actions(0).action());
    play.set_position_view(view);
    const auto played = ToAct(id).client.Call(&Game::PlayActions, play);
    ASSERT_TRUE(played.ok()) << played.status.error_message();
    v1::Position whole = Legal(id).position();
    ASSERT_GT(whole.pieces_size(), 0);
    v1::Position basic;
    basic.set_data(whole.data());
    basic.set_actor(whole.actor());
    EXPECT_EQ(TextOf(played->position()), TextOf(view == v1::POSITION_VIEW_BASIC ? basic : whole));
  }
}

TEST_F(LivePlay, AKeptTurnIsTakenBackAndEnded) {
  const std::string id = Started();
  const Person& mover = ToAct(id);
  const std::string before = Legal(id).position().text();
  while (!GetGame(first_.client, id).turn_kept_open()) {
    ASSERT_TRUE(PlayFirst(id, false).ok());
  }
  const v1::Game kept = GetGame(first_.client, id);
  EXPECT_EQ(ToAct(id).id, mover.id);
  EXPECT_TRUE(Legal(id).actions().empty());
  auto undo = To<v1::UndoActionsRequest>(id);
  undo.set_count(kept.undoable_actions());
  const auto undone = mover.client.Call(&Game::UndoActions, undo);
  ASSERT_TRUE(undone.ok()) << undone.status.error_message();
  EXPECT_EQ(undone->position().text(), before);
  EXPECT_EQ(ProblemOf(mover.client.Call(&Game::EndTurn, To<v1::EndTurnRequest>(id)).status).reason,
            "TURN_NOT_OVER");
  while (!GetGame(first_.client, id).turn_kept_open()) {
    ASSERT_TRUE(PlayFirst(id, false).ok());
  }
  const auto ended = mover.client.Call(&Game::EndTurn, To<v1::EndTurnRequest>(id));
  ASSERT_TRUE(ended.ok()) << ended.status.error_message();
  EXPECT_TRUE(ended->events(0).has_turn_ended());
  EXPECT_TRUE(ended->events(1).has_throw_());
  ASSERT_TRUE(first_.client.Call(&Game::ResignGame, To<v1::ResignGameRequest>(id)).ok());
  ExpectProvenLog(id);
}

TEST_F(LivePlay, OffersAreMadeSeenAndAnswered) {
  const std::string id = Started();
  const Watcher watcher(second_.client, id);
  auto offer = To<v1::MakeOfferRequest>(id);
  offer.set_kind(v1::OFFER_KIND_RESIGN);
  offer.set_points(1);
  const auto made = first_.client.Call(&Game::MakeOffer, offer);
  ASSERT_TRUE(made.ok()) << made.status.error_message();
  EXPECT_EQ(made->game().offer().points(), 1);
  auto decline = To<v1::RespondToOfferRequest>(id);
  ASSERT_TRUE(second_.client.Call(&Game::RespondToOffer, decline).ok());
  offer.set_request_id(NewRequestId());
  ASSERT_TRUE(first_.client.Call(&Game::MakeOffer, offer).ok());
  auto accept = To<v1::RespondToOfferRequest>(id);
  accept.set_accept(true);
  EXPECT_EQ(ProblemOf(stranger_.client.Call(&Game::RespondToOffer, accept).status).reason,
            "NOT_SEATED");
  const auto accepted = second_.client.Call(&Game::RespondToOffer, accept);
  ASSERT_TRUE(accepted.ok()) << accepted.status.error_message();
  EXPECT_EQ(accepted->game().ending(), v1::GAME_ENDING_RESIGNED);
  EXPECT_EQ(accepted->game().seats(1).points(), 1);
  ExpectProvenLog(id);
}

TEST_F(LivePlay, ASeatIsGivenBackAndAGameCalledOff) {
  const std::string id = Create();
  ASSERT_TRUE(first_.client.Call(&Game::LeaveGame, To<v1::LeaveGameRequest>(id)).ok());
  ASSERT_TRUE(Join(second_, id).ok());
  ASSERT_TRUE(Join(stranger_, id).ok());
  const auto aborted = stranger_.client.Call(&Game::AbortGame, To<v1::AbortGameRequest>(id));
  ASSERT_TRUE(aborted.ok()) << aborted.status.error_message();
  EXPECT_EQ(aborted->game().status(), v1::GAME_STATUS_ABORTED);
  EXPECT_EQ(aborted->game().ending(), v1::GAME_ENDING_ABORTED);
  ExpectProvenLog(id);
}

v1::CreateGameRequest Timed(int64_t turn_ms) {
  v1::CreateGameRequest create;
  create.mutable_clock_policy()->set_kind(v1::CLOCK_KIND_PER_TURN);
  create.mutable_clock_policy()->set_increment_ms(turn_ms);
  return create;
}

TEST_F(LivePlay, TimeRunsOutByItselfAndTheWatcherSeesIt) {
  const std::string id = Started(Timed(1'500));
  Watcher watcher(second_.client, id);
  ASSERT_TRUE(watcher.AwaitEnd(10'000).has_value()) << "the game did not end";
  const v1::Game game = GetGame(first_.client, id);
  EXPECT_EQ(game.ending(), v1::GAME_ENDING_TIMED_OUT);
  const std::vector<v1::Event> events = ListEvents(first_.client, id);
  const v1::Event& started = events[2];
  const v1::Event& timed_out = events[events.size() - 2];
  ASSERT_TRUE(timed_out.has_timed_out());
  const auto ms = [](const v1::Event& event) {
    return event.event_time().seconds() * 1'000 + event.event_time().nanos() / 1'000'000;
  };
  EXPECT_GE(ms(timed_out) - ms(started), 1'500);
  EXPECT_LT(ms(timed_out) - ms(started), 4'000);
  ExpectProvenLog(id);
}

TEST_F(LivePlay, ABadClockIsRefused) {
  v1::CreateGameRequest create = Timed(10);
  create.set_request_id(NewRequestId());
  create.set_ruleset_id("long_narde");
  const Problem problem = ProblemOf(first_.client.Call(&Game::CreateGame, create).status);
  EXPECT_EQ(problem.reason, "BAD_FIELD");
  EXPECT_THAT(problem.bad_fields, Contains("clock_policy.increment_ms"));
}

TEST_F(LivePlay, NothingIsClaimedTooEarly) {
  const std::string id = Started();
  const Problem problem =
      ProblemOf(first_.client.Call(&Game::ClaimResult, To<v1::ClaimResultRequest>(id)).status);
  EXPECT_EQ(problem.reason, "NOTHING_TO_CLAIM");
  EXPECT_FALSE(problem.metadata.at("claim_time_ms").empty());
}

TEST_F(LivePlay, AnUnlistedGameIsFoundByItsIdAlone) {
  v1::CreateGameRequest create;
  create.set_visibility(v1::GAME_VISIBILITY_UNLISTED);
  const std::string id = Create(create);
  EXPECT_EQ(GetGame(stranger_.client, id).visibility(), v1::GAME_VISIBILITY_UNLISTED);
  const auto ids_for = [&](const Person& asker) {
    v1::ListGamesRequest list;
    list.set_player_id(first_.id);
    std::vector<std::string> ids;
    const auto page = asker.client.Call(&Game::ListGames, list);
    for (const v1::Game& game : page->games()) ids.push_back(game.game_id());
    return ids;
  };
  EXPECT_THAT(ids_for(stranger_), Not(Contains(id)));
  EXPECT_THAT(ids_for(first_), Contains(id));
}

// A service of its own: it is down while a clock runs.
TEST(LivePlayDown, TimeWithoutAServiceIsNobodys) {
  Service service;
  service.Start();
  const Person first = NewPerson(service, "first");
  const Person second = NewPerson(service, "second");
  v1::CreateGameRequest create = Timed(4'000);
  create.set_request_id(NewRequestId());
  create.set_ruleset_id("patolli");
  create.set_seat(0);
  const std::string id = first.client.Call(&Game::CreateGame, create)->game().game_id();
  ASSERT_TRUE(second.client.Call(&Game::JoinGame, To<v1::JoinGameRequest>(id)).ok());
  service.Kill();
  std::this_thread::sleep_for(std::chrono::milliseconds(6'000));
  service.Start();
  EXPECT_EQ(GetGame(first.client, id).status(), v1::GAME_STATUS_RUNNING)
      << "down over the deadline, and nobody lost by it";
  Watcher watcher(first.client, id);
  ASSERT_TRUE(watcher.AwaitEnd(12'000).has_value());
  EXPECT_EQ(GetGame(first.client, id).ending(), v1::GAME_ENDING_TIMED_OUT);
  const std::vector<v1::Event> events = ListEvents(first.client, id);
  EXPECT_TRUE(std::ranges::any_of(events, &v1::Event::has_time_credited));
}

}  // namespace
}  // namespace astragal::e2e
