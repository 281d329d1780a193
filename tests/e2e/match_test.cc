// Matches over the wire: an organiser creates one, the players resign their way through it, and
// whoever watches sees each game begin and end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

#include "tests/e2e/game.h"

namespace astragal::e2e {
namespace {

using testing::ElementsAre;

constexpr int kGames = 6;

std::string OperatorKey(const Service& service) {
  std::ifstream file(service.data_dir() + "/operator.key");
  std::string key;
  std::getline(file, key);
  return key;
}

// A WatchMatch call and the matches it got. Reads in a thread of its own.
class MatchWatcher {
 public:
  MatchWatcher(const Client& client, const std::string& match_id) {
    v1::WatchMatchRequest request;
    request.set_match_id(match_id);
    Client unlimited(client.channel(), client.token());
    unlimited.set_deadline_ms(0);
    unlimited.Prepare(context_);
    reader_ = client.stub<Match>().WatchMatch(&context_, request);
    thread_ = std::thread([this] { Run(); });
  }
  ~MatchWatcher() {
    context_.TryCancel();
    thread_.join();
  }
  // Waits until so many games have started; false after 20 s.
  bool AwaitGames(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20),
                             [&] { return !seen_.empty() && seen_.back().games_size() >= count; });
  }
  std::optional<grpc::Status> AwaitEnd() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return end_.has_value(); });
    return end_;
  }
  v1::Match last() {
    const std::lock_guard lock(mutex_);
    return seen_.empty() ? v1::Match() : seen_.back();
  }

 private:
  void Run() {
    v1::WatchMatchResponse message;
    while (reader_->Read(&message)) {
      const std::lock_guard lock(mutex_);
      if (message.has_match()) seen_.push_back(message.match());
      changed_.notify_all();
    }
    const grpc::Status status = reader_->Finish();
    const std::lock_guard lock(mutex_);
    end_ = status;
    changed_.notify_all();
  }

  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchMatchResponse>> reader_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<v1::Match> seen_;
  std::optional<grpc::Status> end_;
  std::thread thread_;
};

class MatchCalls : public testing::Test {
 protected:
  v1::CreateMatchRequest ToPoints(int points) {
    v1::CreateMatchRequest request;
    request.set_request_id(NewRequestId());
    request.set_ruleset_id("long_narde");
    request.add_player_ids(first_.id);
    request.add_player_ids(second_.id);
    request.mutable_terms()->set_kind(v1::MATCH_KIND_POINTS);
    request.mutable_terms()->set_length(points);
    return request;
  }
  v1::Match Created(const v1::CreateMatchRequest& request) {
    const auto created = operator_.Call(&Match::CreateMatch, request);
    EXPECT_TRUE(created.ok()) << created.status.error_message();
    return created->match();
  }
  v1::Match Get(const Client& client, const std::string& match_id) {
    v1::GetMatchRequest request;
    request.set_match_id(match_id);
    const auto match = client.Call(&Match::GetMatch, request);
    EXPECT_TRUE(match.ok()) << match.status.error_message();
    return match->match();
  }
  void Resign(const Person& person, const std::string& game_id) {
    v1::ResignGameRequest request;
    request.set_request_id(NewRequestId());
    request.set_game_id(game_id);
    const auto resigned = person.client.Call(&Game::ResignGame, request);
    EXPECT_TRUE(resigned.ok()) << resigned.status.error_message();
  }
  Problem StartNext(const Client& client, const std::string& match_id, uint32_t number) {
    v1::StartNextGameRequest request;
    request.set_request_id(NewRequestId());
    request.set_match_id(match_id);
    request.set_number(number);
    return ProblemOf(client.Call(&Match::StartNextGame, request).status);
  }

  Service& service_ = SharedService();
  Person first_ = NewPerson(service_, "first");
  Person second_ = NewPerson(service_, "second");
  Person stranger_ = NewPerson(service_, "stranger");
  Client operator_{service_.Connect(), OperatorKey(service_)};
};

TEST_F(MatchCalls, ToThreePointsIsPlayedAndWatched) {
  const v1::CreateMatchRequest request = ToPoints(3);
  const v1::Match match = Created(request);
  EXPECT_EQ(match.status(), v1::MATCH_STATUS_RUNNING);
  ASSERT_EQ(match.games_size(), 1);
  EXPECT_EQ(match.players(0).player_name(), first_.name);
  const v1::Game game = GetGame(first_.client, match.games(0).game_id());
  EXPECT_EQ(game.match_id(), match.match_id());
  EXPECT_EQ(game.match_game(), 1U);
  EXPECT_EQ(game.status(), v1::GAME_STATUS_RUNNING);

  MatchWatcher watcher(second_.client, match.match_id());
  ASSERT_TRUE(watcher.AwaitGames(1));
  // Black wins a mars and begins, as the option of the rules says.
  Resign(first_, match.games(0).game_id());
  ASSERT_TRUE(watcher.AwaitGames(2)) << "the next game did not start by itself";
  const v1::Match after_first = watcher.last();
  EXPECT_EQ(after_first.players(1).points(), 2);
  EXPECT_THAT(after_first.games(0).points(), ElementsAre(0, 2));
  const v1::Game second = GetGame(first_.client, after_first.games(1).game_id());
  EXPECT_EQ(second.options().at("first_player"), "black");
  EXPECT_THAT(second.seats_to_act(), ElementsAre(1));
  EXPECT_EQ(StartNext(first_.client, match.match_id(), 3).reason, "GAME_STILL_RUNNING");
  EXPECT_EQ(StartNext(first_.client, match.match_id(), 2).code, grpc::OK) << "it has started";
  EXPECT_EQ(StartNext(stranger_.client, match.match_id(), 2).reason, "NOT_SEATED");

  Resign(first_, second.game_id());
  const auto ended = watcher.AwaitEnd();
  ASSERT_TRUE(ended.has_value());
  EXPECT_TRUE(ended->ok()) << ended->error_message();
  const v1::Match over = watcher.last();
  EXPECT_EQ(over.status(), v1::MATCH_STATUS_OVER);
  EXPECT_EQ(over.winner(), 1);
  EXPECT_EQ(over.players(1).points(), 3) << "points over the length do not count";
  EXPECT_EQ(over.games_size(), 2);
  EXPECT_EQ(TextOf(Get(first_.client, match.match_id())), TextOf(over));
  EXPECT_EQ(StartNext(first_.client, match.match_id(), 3).reason, "MATCH_OVER");
  // The same request is the same match, also now.
  EXPECT_EQ(TextOf(Created(request)), TextOf(over));

  v1::ListMatchesRequest list;
  list.set_player_id(first_.id);
  const auto page = stranger_.client.Call(&Match::ListMatches, list);
  ASSERT_EQ(page->matches_size(), 1);
  EXPECT_EQ(TextOf(page->matches(0)), TextOf(over));
}

TEST_F(MatchCalls, AreCreatedByOrganisersOnlyAndOfKnownPlayers) {
  EXPECT_EQ(ProblemOf(first_.client.Call(&Match::CreateMatch, ToPoints(3)).status).reason,
            "SCOPE_MISSING");
  v1::CreateMatchRequest request = ToPoints(0);
  Problem problem = ProblemOf(operator_.Call(&Match::CreateMatch, request).status);
  EXPECT_THAT(problem.bad_fields, ElementsAre("terms.length"));
  request = ToPoints(3);
  request.set_player_ids(1,
                         GetGame(first_.client, NewGame(first_.client, second_.client)).game_id());
  problem = ProblemOf(operator_.Call(&Match::CreateMatch, request).status);
  EXPECT_THAT(problem.bad_fields, ElementsAre("player_ids"));
  request = ToPoints(3);
  request.mutable_terms()->set_match_clock(true);
  problem = ProblemOf(operator_.Call(&Match::CreateMatch, request).status);
  EXPECT_THAT(problem.bad_fields, ElementsAre("terms.match_clock"));
}

TEST_F(MatchCalls, APrivateOneIsThereForItsPlayersAndSurvivesACrash) {
  Service service;
  service.Start();
  const Person white = NewPerson(service, "white");
  const Person black = NewPerson(service, "black");
  const Person other = NewPerson(service, "other");
  v1::CreateMatchRequest request = ToPoints(5);
  request.set_player_ids(0, white.id);
  request.set_player_ids(1, black.id);
  request.set_visibility(v1::GAME_VISIBILITY_PRIVATE);
  request.mutable_clock_policy()->set_kind(v1::CLOCK_KIND_DELAY);
  request.mutable_clock_policy()->set_reserve_ms(600'000);
  request.mutable_clock_policy()->set_increment_ms(1'000);
  request.mutable_terms()->set_match_clock(true);
  const Client organiser(service.Connect(), OperatorKey(service));
  const auto created = organiser.Call(&Match::CreateMatch, request);
  ASSERT_TRUE(created.ok()) << created.status.error_message();
  const std::string id = created->match().match_id();
  v1::GetMatchRequest get;
  get.set_match_id(id);
  EXPECT_EQ(ProblemOf(other.client.Call(&Match::GetMatch, get).status).reason, "NOT_FOUND");
  // The answer to the resignation may come before the next game is there, and then nobody is.
  Resign(white, created->match().games(0).game_id());
  service.Kill();
  service.Start();
  const v1::Match match = Get(black.client, id);
  ASSERT_EQ(match.games_size(), 2);
  EXPECT_EQ(match.games(1).status(), v1::GAME_STATUS_RUNNING);
  const v1::Game second = GetGame(black.client, match.games(1).game_id());
  ASSERT_EQ(second.starting_reserves_ms_size(), 2);
  EXPECT_LE(second.starting_reserves_ms(0), 600'000);
}

// Alice's server and Bob's, on one database: whoever asks, each game is started once.
TEST_F(MatchCalls, ByChallengeOverTwoServersEachGameIsOne) {
  Service second(service_.database_url(), service_.key_file());
  second.Start();
  const Client there = ThroughOther(second, second_);
  v1::CreateChallengeRequest challenge;
  challenge.set_request_id(NewRequestId());
  challenge.set_opponent_id(second_.id);
  challenge.mutable_terms()->set_ruleset_id("long_narde");
  challenge.mutable_terms()->set_seat(0);
  challenge.mutable_terms()->mutable_match()->set_kind(v1::MATCH_KIND_GAMES);
  challenge.mutable_terms()->mutable_match()->set_length(kGames);
  const auto made = first_.client.Call(&Lobby::CreateChallenge, challenge);
  ASSERT_TRUE(made.ok()) << made.status.error_message();
  EXPECT_EQ(made->proposal().terms().match().first_mover(), v1::MATCH_FIRST_MOVER_ALTERNATE);
  v1::AcceptProposalRequest accept;
  accept.set_request_id(NewRequestId());
  accept.set_proposal_id(made->proposal().proposal_id());
  const auto accepted = there.Call(&Lobby::AcceptProposal, accept);
  ASSERT_TRUE(accepted.ok()) << accepted.status.error_message();
  const std::string id = accepted->game().match_id();
  MatchWatcher watcher(there, id);
  for (int number = 1; number <= kGames; ++number) {
    ASSERT_TRUE(watcher.AwaitGames(number)) << "game " << number;
    const v1::Match match = watcher.last();
    Resign(number % 3 == 0 ? first_ : second_, match.games(number - 1).game_id());
    if (number == kGames) break;
    const auto next = static_cast<uint32_t>(number) + 1;
    std::thread other([&] { EXPECT_EQ(StartNext(there, id, next).code, grpc::OK); });
    EXPECT_EQ(StartNext(first_.client, id, next).code, grpc::OK);
    other.join();
  }
  ASSERT_TRUE(watcher.AwaitEnd()) << "the other server's watcher is told of the end";
  const v1::Match over = watcher.last();
  EXPECT_EQ(over.status(), v1::MATCH_STATUS_OVER);
  EXPECT_EQ(over.games_size(), kGames);
  EXPECT_EQ(over.players(0).wins(), kGames - kGames / 3);
  EXPECT_EQ(TextOf(Get(first_.client, id)), TextOf(over));
  EXPECT_EQ(second.Terminate(), 0) << second.log();
}

// Requests of what the server starts by itself have a form that nobody else may use.
TEST_F(MatchCalls, RequestsOfVersionEightAreTheServersOwn) {
  constexpr char kDerived[] = "e3b0c442-98fc-8c14-9afb-f4c8996fb924";
  v1::CreateGameRequest create;
  create.set_ruleset_id("long_narde");
  create.set_request_id(kDerived);
  v1::CreateMatchRequest match = ToPoints(3);
  match.set_request_id(kDerived);
  for (const grpc::Status& refused : {first_.client.Call(&Game::CreateGame, create).status,
                                      operator_.Call(&Match::CreateMatch, match).status}) {
    const Problem problem = ProblemOf(refused);
    EXPECT_EQ(problem.code, grpc::INVALID_ARGUMENT);
    EXPECT_EQ(problem.reason, "BAD_FIELD");
    EXPECT_THAT(problem.bad_fields, ElementsAre("request_id"));
    EXPECT_THAT(problem.message, testing::HasSubstr("version 8"));
  }
}

}  // namespace
}  // namespace astragal::e2e
