// Finding somebody to play with, over two servers on one database: whatever races, a proposal
// becomes one game, and everybody concerned learns which.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <thread>

#include "tests/e2e/game.h"

namespace astragal::e2e {
namespace {

using grpc::StatusCode;

template <typename Request>
Request New() {
  Request request;
  request.set_request_id(NewRequestId());
  return request;
}

template <typename Request>
Request Terms(const std::string& ruleset = "long_narde") {
  Request request = New<Request>();
  request.mutable_terms()->set_ruleset_id(ruleset);
  return request;
}

bool Eventually(int timeout_ms, const std::function<bool()>& is_so) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > give_up) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

void Together(const std::function<void()>& one, const std::function<void()>& other) {
  std::thread thread(other);
  one();
  thread.join();
}

Answer<v1::AcceptProposalResponse> Accept(const Client& client, const std::string& id) {
  auto request = New<v1::AcceptProposalRequest>();
  request.set_proposal_id(id);
  return client.Call(&Lobby::AcceptProposal, request);
}

Answer<v1::WithdrawProposalResponse> Withdraw(const Client& client, const std::string& id) {
  auto request = New<v1::WithdrawProposalRequest>();
  request.set_proposal_id(id);
  return client.Call(&Lobby::WithdrawProposal, request);
}

v1::Proposal GetProposal(const Client& client, const std::string& id) {
  v1::GetProposalRequest request;
  request.set_proposal_id(id);
  const auto answer = client.Call(&Lobby::GetProposal, request);
  EXPECT_TRUE(answer.ok()) << answer.status.error_message();
  return answer->proposal();
}

std::string Seek(const Client& client) {
  const auto made = client.Call(&Lobby::CreateSeek, Terms<v1::CreateSeekRequest>());
  EXPECT_TRUE(made.ok()) << made.status.error_message();
  return made->proposal().proposal_id();
}

std::string Reason(const grpc::Status& status) { return ProblemOf(status).reason; }

// All public games of a player.
size_t CountGames(const Person& person) {
  v1::ListGamesRequest request;
  request.set_player_id(person.id);
  request.set_page_size(1'000);
  const auto games = person.client.Call(&Game::ListGames, request);
  EXPECT_TRUE(games.ok() && games->next_page_token().empty());
  return static_cast<size_t>(games->games_size());
}

class LobbyCalls : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    second_ = new Service(SharedService().database_url(), SharedService().key_file());
    second_->Start();
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(second_->Terminate(), 0) << second_->log();
    delete second_;
  }

  static inline Service* second_ = nullptr;
  Service& service_ = SharedService();
  const Person alice_ = NewPerson(service_, "Alice");
  const Person bob_ = NewPerson(service_, "Bob");
  const Person carol_ = NewPerson(service_, "Carol");
  const Client alice_there_ = ThroughOther(*second_, alice_);
  const Client bob_there_ = ThroughOther(*second_, bob_);
  const Client carol_there_ = ThroughOther(*second_, carol_);
};

TEST_F(LobbyCalls, RacingAcceptsGiveOneGameEachAndBothLearnWhich) {
  constexpr int kRounds = 200;
  int won_by_bob = 0;
  std::set<std::string> games;
  for (int round = 0; round < kRounds; ++round) {
    const std::string seek = Seek(round % 2 == 0 ? alice_.client : alice_there_);
    Answer<v1::AcceptProposalResponse> bobs, carols;
    Together([&] { bobs = Accept(bob_.client, seek); },
             [&] { carols = Accept(carol_there_, seek); });
    ASSERT_NE(bobs.ok(), carols.ok())
        << bobs.status.error_message() << " / " << carols.status.error_message();
    won_by_bob += bobs.ok() ? 1 : 0;
    const auto& winner = bobs.ok() ? bobs : carols;
    const Problem problem = ProblemOf(bobs.ok() ? carols.status : bobs.status);
    const std::string game = winner->game().game_id();
    EXPECT_TRUE(games.insert(game).second);
    EXPECT_EQ(winner->game().status(), v1::GAME_STATUS_RUNNING);
    EXPECT_EQ(winner->game().seats(winner->seat()).player_id(), bobs.ok() ? bob_.id : carol_.id);
    EXPECT_EQ(winner->game().seats(1 - winner->seat()).player_id(), alice_.id);
    ASSERT_EQ(problem.reason, "PROPOSAL_CLOSED") << problem.message;
    EXPECT_EQ(problem.metadata.at("game_id"), game);
    // Who proposed learns it too, at either server.
    EXPECT_EQ(GetProposal(alice_.client, seek).game_id(), game);
    EXPECT_EQ(GetProposal(alice_there_, seek).game_id(), game);
    EXPECT_EQ(Accept(bobs.ok() ? bob_there_ : carol_.client, seek)->game().game_id(), game);
  }
  std::cout << "bob won " << won_by_bob << " of " << kRounds << std::endl;
  EXPECT_EQ(games.size(), size_t{kRounds});
  EXPECT_EQ(CountGames(alice_), size_t{kRounds});
  EXPECT_EQ(CountGames(bob_) + CountGames(carol_), size_t{kRounds});
}

TEST_F(LobbyCalls, WithdrawingAgainstAccepting) {
  int withdrawn = 0;
  for (int round = 0; round < 50; ++round) {
    const std::string seek = Seek(alice_.client);
    Answer<v1::AcceptProposalResponse> accepted;
    Answer<v1::WithdrawProposalResponse> closed;
    Together([&] { accepted = Accept(bob_there_, seek); },
             [&] { closed = Withdraw(alice_.client, seek); });
    ASSERT_NE(accepted.ok(), closed.ok());
    EXPECT_EQ(Reason(accepted.ok() ? closed.status : accepted.status), "PROPOSAL_CLOSED");
    EXPECT_EQ(GetProposal(alice_there_, seek).state(),
              closed.ok() ? v1::PROPOSAL_STATE_WITHDRAWN : v1::PROPOSAL_STATE_TAKEN);
    withdrawn += closed.ok() ? 1 : 0;
  }
  std::cout << "withdrawn " << withdrawn << " of 50" << std::endl;
  EXPECT_EQ(CountGames(alice_), static_cast<size_t>(50 - withdrawn));
}

TEST_F(LobbyCalls, TicketsAtTwoServersArePairedOnce) {
  constexpr size_t kPlayers = 30;
  std::vector<Person> people;
  std::vector<std::string> tickets;
  for (size_t i = 0; i < kPlayers; ++i) {
    people.push_back(NewPerson(service_, "Waiting"));
    const Client there = ThroughOther(*second_, people[i]);
    const Client& client = i % 2 == 0 ? people[i].client : there;
    auto request = Terms<v1::CreateTicketRequest>();
    // A pool of this test alone; written in two ways.
    request.mutable_terms()->mutable_clock_policy()->set_kind(v1::CLOCK_KIND_FISCHER);
    request.mutable_terms()->mutable_clock_policy()->set_reserve_ms(1'234'000);
    if (i % 3 == 0) request.mutable_terms()->set_preset("standard");
    const auto made = client.Call(&Lobby::CreateTicket, request);
    ASSERT_TRUE(made.ok()) << made.status.error_message();
    tickets.push_back(made->proposal().proposal_id());
  }
  std::map<std::string, int> seats_of;  // by game
  for (size_t i = 0; i < kPlayers; ++i) {
    v1::Proposal ticket;
    ASSERT_TRUE(Eventually(20'000, [&] {
      ticket = GetProposal(people[i].client, tickets[i]);
      return ticket.state() == v1::PROPOSAL_STATE_TAKEN;
    })) << i;
    ++seats_of[ticket.game_id()];
    EXPECT_EQ(CountGames(people[i]), 1u);
  }
  EXPECT_EQ(seats_of.size(), kPlayers / 2);
  for (const auto& [game, seats] : seats_of) EXPECT_EQ(seats, 2) << game;
}

TEST_F(LobbyCalls, AnExpiredSeekIsClosed) {
  auto request = Terms<v1::CreateSeekRequest>();
  request.set_open_seconds(1);
  const auto made = alice_.client.Call(&Lobby::CreateSeek, request);
  ASSERT_TRUE(made.ok()) << made.status.error_message();
  std::this_thread::sleep_for(std::chrono::milliseconds(1'200));
  const Problem late = ProblemOf(Accept(bob_.client, made->proposal().proposal_id()).status);
  EXPECT_EQ(late.code, StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(late.reason, "PROPOSAL_CLOSED");
  EXPECT_EQ(late.metadata.at("state"), std::to_string(v1::PROPOSAL_STATE_EXPIRED));
  EXPECT_EQ(GetProposal(bob_.client, made->proposal().proposal_id()).state(),
            v1::PROPOSAL_STATE_EXPIRED);
  EXPECT_EQ(CountGames(alice_), 0u);
}

TEST_F(LobbyCalls, APrivateGameIsThereForItsPlayersOnly) {
  auto seek = Terms<v1::CreateSeekRequest>();
  seek.mutable_terms()->set_visibility(v1::GAME_VISIBILITY_PRIVATE);
  EXPECT_EQ(Reason(alice_.client.Call(&Lobby::CreateSeek, seek).status), "BAD_FIELD");

  auto challenge = Terms<v1::CreateChallengeRequest>();
  challenge.mutable_terms()->set_visibility(v1::GAME_VISIBILITY_PRIVATE);
  challenge.set_opponent_id(bob_.id);
  const auto made = alice_.client.Call(&Lobby::CreateChallenge, challenge);
  ASSERT_TRUE(made.ok()) << made.status.error_message();
  const std::string id = made->proposal().proposal_id();
  v1::GetProposalRequest get;
  get.set_proposal_id(id);
  const Client nobody(service_.Connect());
  for (const Client* stranger : {&carol_.client, &carol_there_, &nobody}) {
    EXPECT_EQ(Reason(stranger->Call(&Lobby::GetProposal, get).status), "NOT_FOUND");
  }
  EXPECT_EQ(Reason(Accept(carol_.client, id).status), "NOT_FOUND");
  v1::ListMyProposalsRequest mine;
  const auto bobs = bob_there_.Call(&Lobby::ListMyProposals, mine);
  ASSERT_EQ(bobs->proposals_size(), 1);
  EXPECT_EQ(bobs->proposals(0).player_name(), alice_.name);

  const auto accepted = Accept(bob_there_, id);
  ASSERT_TRUE(accepted.ok()) << accepted.status.error_message();
  v1::GetGameRequest game;
  game.set_game_id(accepted->game().game_id());
  EXPECT_TRUE(alice_.client.Call(&Game::GetGame, game).ok());
  EXPECT_TRUE(bob_there_.Call(&Game::GetGame, game).ok());
  for (const Client* stranger : {&carol_.client, &carol_there_, &nobody}) {
    EXPECT_EQ(Reason(stranger->Call(&Game::GetGame, game).status), "NOT_FOUND");
    v1::ListEventsRequest events;
    events.set_game_id(game.game_id());
    EXPECT_EQ(Reason(stranger->Call(&History::ListEvents, events).status), "NOT_FOUND");
    Watcher watcher(*stranger, game.game_id());
    const auto end = watcher.AwaitEnd();
    ASSERT_TRUE(end);
    EXPECT_EQ(Reason(*end), "NOT_FOUND");
  }
  v1::ListGamesRequest list;
  list.set_player_id(alice_.id);
  EXPECT_EQ(nobody.Call(&Game::ListGames, list)->games_size(), 0) << "it is in no list of others";
  EXPECT_EQ(CountGames(alice_), 1u) << "but in her own";
}

TEST_F(LobbyCalls, AnswersSayWhatIsWrong) {
  auto unknown = Terms<v1::CreateSeekRequest>("chess");
  EXPECT_EQ(Reason(alice_.client.Call(&Lobby::CreateSeek, unknown).status), "NOT_FOUND");
  auto option = Terms<v1::CreateSeekRequest>();
  (*option.mutable_terms()->mutable_options())["no_such"] = "1";
  const Problem bad = ProblemOf(alice_.client.Call(&Lobby::CreateSeek, option).status);
  EXPECT_EQ(bad.reason, "BAD_OPTION");
  EXPECT_THAT(bad.bad_fields, testing::ElementsAre("terms.options.no_such"));
  auto nobody = Terms<v1::CreateChallengeRequest>();
  nobody.set_opponent_id("00000000000000000000000000");
  EXPECT_EQ(Reason(alice_.client.Call(&Lobby::CreateChallenge, nobody).status), "NOT_FOUND");
  nobody.set_opponent_id(alice_.id);
  EXPECT_EQ(Reason(alice_.client.Call(&Lobby::CreateChallenge, nobody).status), "BAD_FIELD");
  EXPECT_EQ(Reason(Accept(alice_.client, "nonsense").status), "NOT_FOUND");
  EXPECT_EQ(Reason(Accept(alice_.client, Seek(alice_.client)).status), "BAD_FIELD");
  const Client stranger(service_.Connect());
  EXPECT_EQ(Reason(Accept(stranger, Seek(alice_.client)).status), "TOKEN_MISSING");
  v1::ListSeeksRequest list;
  list.set_page_token("made up");
  EXPECT_EQ(Reason(stranger.Call(&Lobby::ListSeeks, list).status), "PAGE_TOKEN_INVALID");
  for (int i = 2; i < 20; ++i) Seek(bob_.client);
  Seek(bob_.client);
  Seek(bob_.client);
  const Problem full =
      ProblemOf(bob_.client.Call(&Lobby::CreateSeek, Terms<v1::CreateSeekRequest>()).status);
  EXPECT_EQ(full.code, StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(full.reason, "RATE_LIMITED");
  EXPECT_EQ(full.quotas, 1);
}

TEST_F(LobbyCalls, ARematchSwapsSeats) {
  const auto accepted = Accept(bob_.client, Seek(alice_.client));
  ASSERT_TRUE(accepted.ok());
  auto rematch = New<v1::RequestRematchRequest>();
  rematch.set_game_id(accepted->game().game_id());
  EXPECT_EQ(Reason(alice_.client.Call(&Lobby::RequestRematch, rematch).status),
            "GAME_STILL_RUNNING");
  auto resign = New<v1::ResignGameRequest>();
  resign.set_game_id(accepted->game().game_id());
  ASSERT_TRUE(bob_.client.Call(&Game::ResignGame, resign).ok());
  std::this_thread::sleep_for(
      std::chrono::milliseconds(600));  // the other server's reads are fresh

  Answer<v1::RequestRematchResponse> alices, bobs;
  auto second = New<v1::RequestRematchRequest>();
  second.set_game_id(rematch.game_id());
  rematch.set_request_id(NewRequestId());
  Together([&] { alices = alice_.client.Call(&Lobby::RequestRematch, rematch); },
           [&] { bobs = bob_there_.Call(&Lobby::RequestRematch, second); });
  ASSERT_TRUE(alices.ok()) << alices.status.error_message();
  ASSERT_TRUE(bobs.ok()) << bobs.status.error_message();
  ASSERT_NE(alices->has_game(), bobs->has_game()) << "who came second accepted";
  const v1::Game& game = alices->has_game() ? alices->game() : bobs->game();
  for (int seat : {0, 1}) {
    EXPECT_EQ(game.seats(seat).player_id(), accepted->game().seats(1 - seat).player_id());
  }
  EXPECT_EQ(CountGames(alice_), 2u);
}

TEST_F(LobbyCalls, AnOrganiserCreatesManyGames) {
  std::string key;
  std::ifstream(service_.data_dir() + "/operator.key") >> key;
  const Client organiser(service_.Connect(), key);
  auto batch = Terms<v1::CreateGamesRequest>();
  batch.mutable_terms()->set_visibility(v1::GAME_VISIBILITY_UNLISTED);
  for (int i = 0; i < 500; ++i) {
    v1::NewGame& game = *batch.add_games();
    game.add_player_ids(alice_.id);
    game.add_player_ids(i == 7 ? alice_.id : i == 8 ? "00000000000000000000000001" : bob_.id);
    if (i == 9) game.add_player_ids(carol_.id);
  }
  EXPECT_EQ(Reason(alice_.client.Call(&Lobby::CreateGames, batch).status), "SCOPE_MISSING");
  EXPECT_EQ(Reason(Client(service_.Connect()).Call(&Lobby::CreateGames, batch).status),
            "TOKEN_MISSING");
  const auto made = organiser.Call(&Lobby::CreateGames, batch);
  ASSERT_TRUE(made.ok()) << made.status.error_message();
  ASSERT_EQ(made->games_size(), 500);
  std::set<std::string> ids;
  for (int i = 0; i < 500; ++i) {
    const char* reason = i == 7 || i == 9 ? "BAD_FIELD" : i == 8 ? "NOT_FOUND" : "";
    EXPECT_EQ(made->games(i).reason(), reason) << i << ": " << made->games(i).message();
    if (!made->games(i).game_id().empty()) ids.insert(made->games(i).game_id());
  }
  EXPECT_EQ(ids.size(), 497u);
  const v1::Game game = GetGame(bob_there_, made->games(499).game_id());
  EXPECT_EQ(game.status(), v1::GAME_STATUS_RUNNING);
  EXPECT_EQ(game.seats(0).player_id(), alice_.id);
  EXPECT_EQ(game.seats(1).player_id(), bob_.id);
  // Sent again, with one entry put right.
  batch.mutable_games(7)->set_player_ids(1, carol_.id);
  const auto again = organiser.Call(&Lobby::CreateGames, batch);
  ASSERT_TRUE(again.ok()) << again.status.error_message();
  for (int i = 0; i < 500; ++i) {
    if (i == 7) {
      EXPECT_NE(again->games(i).game_id(), "");
    } else {
      EXPECT_EQ(again->games(i).game_id(), made->games(i).game_id()) << i;
    }
  }
  batch.add_games();
  EXPECT_EQ(Reason(organiser.Call(&Lobby::CreateGames, batch).status), "BAD_FIELD");
}

// A WatchLobby call and what it got.
class LobbyWatcher {
 public:
  explicit LobbyWatcher(const Client& client) {
    Client unlimited(client.channel(), client.token());
    unlimited.set_deadline_ms(0);
    unlimited.Prepare(context_);
    reader_ = client.stub<Lobby>().WatchLobby(&context_, v1::WatchLobbyRequest());
    thread_ = std::thread([this] { Run(); });
  }
  ~LobbyWatcher() {
    context_.TryCancel();
    thread_.join();
  }

  bool Await(const std::function<bool(const LobbyWatcher&)>& is_so) {
    return Eventually(20'000, [&] {
      const std::lock_guard guard(mutex_);
      return is_so(*this);
    });
  }
  // Under Await only.
  std::map<std::string, v1::Proposal> open;
  std::map<std::string, v1::Proposal> closed;
  bool has_snapshot = false;
  std::string disorder;

 private:
  void Run() {
    v1::WatchLobbyResponse message;
    while (reader_->Read(&message)) {
      const std::lock_guard guard(mutex_);
      if (message.has_snapshot() == has_snapshot) disorder += "snapshot; ";
      has_snapshot = true;
      for (const v1::Proposal& seek : message.snapshot().seeks()) open[seek.proposal_id()] = seek;
      for (const v1::Proposal& seek : message.change().opened()) {
        if (!open.emplace(seek.proposal_id(), seek).second) disorder += "opened twice; ";
      }
      for (const v1::Proposal& seek : message.change().closed()) {
        if (open.erase(seek.proposal_id()) != 1) disorder += "closed before it was open; ";
        closed[seek.proposal_id()] = seek;
      }
    }
    (void)reader_->Finish();
  }

  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchLobbyResponse>> reader_;
  std::mutex mutex_;
  std::thread thread_;
};

TEST_F(LobbyCalls, WatchersSeeSeeksComeAndGo) {
  const std::string before = Seek(alice_.client);
  const Client stranger_there(second_->Connect());  // outlives its stream
  LobbyWatcher here(alice_.client), there(stranger_there);
  for (LobbyWatcher* watcher : {&here, &there}) {
    EXPECT_TRUE(watcher->Await([&](const LobbyWatcher& w) { return w.open.contains(before); }));
  }
  const std::string after = Seek(bob_there_);
  for (LobbyWatcher* watcher : {&here, &there}) {
    EXPECT_TRUE(watcher->Await([&](const LobbyWatcher& w) { return w.open.contains(after); }));
  }
  const auto accepted = Accept(carol_.client, before);
  ASSERT_TRUE(accepted.ok());
  ASSERT_TRUE(Withdraw(bob_.client, after).ok());
  for (LobbyWatcher* watcher : {&here, &there}) {
    EXPECT_TRUE(watcher->Await([&](const LobbyWatcher& w) {
      return w.closed.contains(before) && w.closed.contains(after);
    }));
    EXPECT_EQ(watcher->closed[before].game_id(), accepted->game().game_id());
    EXPECT_EQ(watcher->closed[after].state(), v1::PROPOSAL_STATE_WITHDRAWN);
    EXPECT_EQ(watcher->open.count(before) + watcher->open.count(after), 0u);
    EXPECT_EQ(watcher->disorder, "");
  }
}

TEST(LobbyRestart, ProposalsSurviveAKilledServer) {
  Service service;
  service.Start();
  const Person alice = NewPerson(service, "Alice");
  const Person bob = NewPerson(service, "Bob");
  const std::string seek = Seek(alice.client);
  auto challenge = Terms<v1::CreateChallengeRequest>();
  challenge.set_opponent_id(bob.id);
  const auto challenged = alice.client.Call(&Lobby::CreateChallenge, challenge);
  const auto ticket = Terms<v1::CreateTicketRequest>();
  const auto waiting = alice.client.Call(&Lobby::CreateTicket, ticket);
  ASSERT_TRUE(challenged.ok() && waiting.ok());
  service.Kill();
  service.Start();
  EXPECT_TRUE(Accept(bob.client, seek).ok());
  EXPECT_TRUE(Accept(bob.client, challenged->proposal().proposal_id()).ok());
  // The same request again is the same ticket.
  EXPECT_EQ(TextOf(alice.client.Call(&Lobby::CreateTicket, ticket).message),
            TextOf(waiting.message));
  // The two have just played: nobody else waits, so they play again.
  ASSERT_TRUE(bob.client.Call(&Lobby::CreateTicket, Terms<v1::CreateTicketRequest>()).ok());
  EXPECT_TRUE(Eventually(10'000, [&] {
    return GetProposal(alice.client, waiting->proposal().proposal_id()).state() ==
           v1::PROPOSAL_STATE_TAKEN;
  }));
  EXPECT_EQ(CountGames(alice), 3u);
  EXPECT_EQ(service.Terminate(), 0);
}

}  // namespace
}  // namespace astragal::e2e
