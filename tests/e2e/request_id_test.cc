// A repeated request gets the first answer: at once, after a restart, after the end of the game,
// from many threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "tests/e2e/game.h"

namespace astragal::e2e {
namespace {

using grpc::StatusCode;

constexpr int kThreads = 8;

// Runs `call` in all threads at once; gives what they came to.
template <typename Result>
std::vector<Result> AtOnce(const std::function<Result()>& call) {
  std::vector<Result> results(kThreads);
  std::vector<std::thread> threads;
  for (Result& result : results) threads.emplace_back([&] { result = call(); });
  for (std::thread& thread : threads) thread.join();
  return results;
}

template <typename Response>
std::string TextOrError(const Answer<Response>& answer) {
  return answer.ok() ? TextOf(answer.message) : "failed: " + answer.status.error_message();
}

class RequestId : public testing::Test {
 protected:
  // A call with a fixed request, and its first answer.
  struct Repeatable {
    std::string name;
    std::function<std::string()> call;
    std::string first;
  };

  template <typename Stub, typename Request, typename Response>
  Answer<Response> CallFirst(const Client& client,
                             grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                          Response*),
                             const Request& request, const std::string& name) {
    const Answer<Response> answer = client.Call(method, request);
    EXPECT_TRUE(answer.ok()) << name << ": " << answer.status.error_message();
    done_.push_back(
        {name, [&client, method, request] { return TextOrError(client.Call(method, request)); },
         TextOrError(answer)});
    return answer;
  }

  void ExpectSameAnswers(const std::string& when) {
    const v1::Game before = GetGame(alice_.client, game_id_);
    for (const Repeatable& repeatable : done_) {
      EXPECT_EQ(repeatable.call(), repeatable.first) << repeatable.name << " " << when;
    }
    const v1::Game after = GetGame(alice_.client, game_id_);
    EXPECT_EQ(TextOf(after), TextOf(before)) << when;
  }

  v1::PlayActionsRequest FirstLegal() {
    v1::ListLegalActionsRequest list;
    list.set_game_id(game_id_);
    const auto legal = alice_.client.Call(&Game::ListLegalActions, list);
    actor_ = legal->position().actor();
    v1::PlayActionsRequest play;
    play.set_request_id(NewRequestId());
    play.set_game_id(game_id_);
    play.add_actions()->set_action(legal->actions(0).action());
    play.set_expected_sequence(legal->sequence());
    return play;
  }
  const Client& mover() const { return actor_ == 0 ? alice_.client : bob_.client; }

  Service& service_ = SharedService();
  const Person alice_ = NewPerson(service_, "Alice");
  const Person bob_ = NewPerson(service_, "Bob");
  std::vector<Repeatable> done_;
  std::string game_id_;
  int actor_ = 0;
};

TEST_F(RequestId, GetsTheFirstAnswerForEver) {
  v1::CreateGameRequest create;
  create.set_request_id(NewRequestId());
  create.set_ruleset_id("long_narde");
  create.set_seat(0);
  game_id_ = CallFirst(alice_.client, &Game::CreateGame, create, "create")->game().game_id();
  v1::JoinGameRequest join;
  join.set_request_id(NewRequestId());
  join.set_game_id(game_id_);
  CallFirst(bob_.client, &Game::JoinGame, join, "join");
  const v1::PlayActionsRequest play = FirstLegal();
  CallFirst(mover(), &Game::PlayActions, play, "play");
  ExpectSameAnswers("at once");
  v1::UpdatePlayerRequest rename;
  rename.set_request_id(NewRequestId());
  rename.set_etag("1");
  rename.set_name("Carola " + NewRequestId().substr(0, 8));
  const Person carol = NewPerson(service_, "Carol");
  CallFirst(carol.client, &Player::UpdatePlayer, rename, "rename");

  Table(game_id_, {&alice_.client, &bob_.client}, 3).Play(6);
  EXPECT_EQ(service_.Terminate(), 0);
  service_.Start();
  ExpectSameAnswers("after a restart");

  v1::ResignGameRequest resign;
  resign.set_request_id(NewRequestId());
  resign.set_game_id(game_id_);
  CallFirst(bob_.client, &Game::ResignGame, resign, "resign");
  ExpectSameAnswers("after the end");
  service_.Kill();
  service_.Start();
  ExpectSameAnswers("after a kill");

  v1::PlayActionsRequest other = play;
  other.add_actions()->set_action(1);
  const Problem reused = ProblemOf(mover().Call(&Game::PlayActions, other).status);
  EXPECT_EQ(reused.code, StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(reused.reason, "REQUEST_ID_REUSED");
  EXPECT_THAT(reused.bad_fields, testing::ElementsAre("request_id"));
  // An id is its player's: the same one of somebody else is another request.
  const Client& waiter = actor_ == 0 ? bob_.client : alice_.client;
  EXPECT_EQ(ProblemOf(waiter.Call(&Game::PlayActions, play).status).reason, "GAME_OVER");
}

TEST_F(RequestId, HasOneEffectFromManyThreads) {
  game_id_ = NewGame(alice_.client, bob_.client);
  const v1::PlayActionsRequest play = FirstLegal();
  const v1::Game before = GetGame(alice_.client, game_id_);
  const std::vector<std::string> answers =
      AtOnce<std::string>([&] { return TextOrError(mover().Call(&Game::PlayActions, play)); });
  EXPECT_THAT(answers, testing::Each(answers[0]));
  const auto answer = mover().Call(&Game::PlayActions, play);
  EXPECT_EQ(TextOrError(answer), answers[0]);
  EXPECT_EQ(answer->events_size(), static_cast<int>(answer->sequence() - before.sequence()));
  EXPECT_EQ(GetGame(alice_.client, game_id_).sequence(), answer->sequence());
}

TEST_F(RequestId, CreatesOneGameFromManyThreads) {
  v1::CreateGameRequest create;
  create.set_request_id(NewRequestId());
  create.set_ruleset_id("patolli");
  create.set_seat(1);
  const std::vector<std::string> answers = AtOnce<std::string>(
      [&] { return TextOrError(alice_.client.Call(&Game::CreateGame, create)); });
  EXPECT_THAT(answers, testing::Each(answers[0]));
  v1::ListGamesRequest list;
  list.set_player_id(alice_.id);
  const auto games = bob_.client.Call(&Game::ListGames, list);
  ASSERT_TRUE(games.ok()) << games.status.error_message();
  EXPECT_EQ(games->games_size(), 1);
  create.set_seat(0);
  EXPECT_EQ(ProblemOf(alice_.client.Call(&Game::CreateGame, create).status).reason,
            "REQUEST_ID_REUSED");
}

// Of several answers to one request exactly one holds the secret; the others say so.
template <typename Response>
void ExpectOneSecret(std::vector<Answer<Response>> answers) {
  std::set<std::string> rest;
  int secrets = 0;
  for (Answer<Response>& answer : answers) {
    ASSERT_TRUE(answer.ok()) << answer.status.error_message();
    const bool shown = !answer->api_key().empty();
    EXPECT_EQ(answer->secret_already_shown(), !shown);
    secrets += shown ? 1 : 0;
    answer.message.clear_api_key();
    answer.message.clear_secret_already_shown();
    rest.insert(TextOf(answer.message));
  }
  EXPECT_EQ(secrets, 1);
  EXPECT_EQ(rest.size(), 1U) << "two players or keys were made";
}

TEST_F(RequestId, ShowsASecretOnce) {
  v1::CreatePlayerRequest player;
  player.set_request_id(NewRequestId());
  player.set_name("Dora " + player.request_id().substr(0, 8));
  ExpectOneSecret(AtOnce<Answer<v1::CreatePlayerResponse>>(
      [&] { return alice_.client.Call(&Player::CreatePlayer, player); }));
  player.set_bot(true);
  EXPECT_EQ(ProblemOf(alice_.client.Call(&Player::CreatePlayer, player).status).reason,
            "REQUEST_ID_REUSED");

  v1::CreateApiKeyRequest key;
  key.set_request_id(NewRequestId());
  key.set_label("second");
  ExpectOneSecret(AtOnce<Answer<v1::CreateApiKeyResponse>>(
      [&] { return alice_.client.Call(&Auth::CreateApiKey, key); }));
  const auto keys = alice_.client.Call(&Auth::ListApiKeys, v1::ListApiKeysRequest());
  EXPECT_EQ(keys->keys_size(), 2);
  key.set_label("third");
  EXPECT_EQ(ProblemOf(alice_.client.Call(&Auth::CreateApiKey, key).status).reason,
            "REQUEST_ID_REUSED");
}

}  // namespace
}  // namespace astragal::e2e
