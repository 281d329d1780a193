// A player's own affairs over two servers on one database: what happens at one is told at the other
// within a second, and a stream that begins anew has the whole picture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "tests/e2e/game.h"

namespace astragal::e2e {
namespace {

using Clock = std::chrono::steady_clock;

// A WatchMyEvents call and what it got.
class Follower {
 public:
  explicit Follower(const Client& client) {
    Client unlimited(client.channel(), client.token());
    unlimited.set_deadline_ms(0);
    unlimited.Prepare(context_);
    reader_ = client.stub<Events>().WatchMyEvents(&context_, v1::WatchMyEventsRequest());
    thread_ = std::thread([this] { Run(); });
  }
  ~Follower() {
    context_.TryCancel();
    thread_.join();
  }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  // Waits, at most 10 s.
  bool Await(const std::function<bool(const Follower&)>& is_so) {
    const auto give_up = Clock::now() + std::chrono::seconds(10);
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, give_up, [&] { return is_so(*this); });
  }
  bool AwaitNews(const std::string& game_id, v1::GameNews what) {
    return Await([&](const Follower& f) {
      const auto found = f.news.find(game_id);
      return found != f.news.end() && found->second.contains(what);
    });
  }
  bool AwaitProposal(const std::string& id, v1::ProposalState state) {
    return Await([&](const Follower& f) {
      const auto found = f.proposals.find(id);
      return found != f.proposals.end() && found->second.state() == state;
    });
  }
  bool AwaitEnd() {
    return Await([](const Follower& f) { return f.end.has_value(); });
  }
  void Forget(const std::string& game_id) {
    const std::lock_guard lock(mutex_);
    news.erase(game_id);
  }

  // Under Await, or once the stream has ended.
  bool has_snapshot = false;
  std::map<std::string, v1::GameAffair> games;
  std::map<std::string, std::set<v1::GameNews>> news;  // since they were forgotten
  std::map<std::string, v1::Proposal> proposals;
  std::optional<grpc::Status> end;
  std::string disorder;

 private:
  void Run() {
    v1::WatchMyEventsResponse message;
    while (reader_->Read(&message)) Take(message);
    const grpc::Status status = reader_->Finish();
    const std::lock_guard lock(mutex_);
    end = status;
    changed_.notify_all();
  }
  void Take(const v1::WatchMyEventsResponse& message) {
    const std::lock_guard lock(mutex_);
    if (message.has_snapshot() == has_snapshot) disorder += "a snapshot, and only one, is first; ";
    has_snapshot = true;
    for (const auto& affair : message.snapshot().games()) games[affair.game().game_id()] = affair;
    for (const auto& one : message.snapshot().proposals()) proposals[one.proposal_id()] = one;
    for (const auto& affair : message.change().games()) {
      const std::string& id = affair.game().game_id();
      if (affair.news().empty()) disorder += "a change without news; ";
      games[id] = affair;
      for (const int what : affair.news()) news[id].insert(static_cast<v1::GameNews>(what));
    }
    for (const auto& one : message.change().proposals()) proposals[one.proposal_id()] = one;
    changed_.notify_all();
  }

  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchMyEventsResponse>> reader_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

template <typename Request>
Request New() {
  Request request;
  request.set_request_id(NewRequestId());
  return request;
}

void Resign(const Client& client, const std::string& game_id) {
  auto request = New<v1::ResignGameRequest>();
  request.set_game_id(game_id);
  EXPECT_TRUE(client.Call(&Game::ResignGame, request).ok());
}

class MyEvents : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    second_ = new Service(SharedService().database_url(), SharedService().key_file());
    second_->Start();
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(second_->Terminate(), 0) << second_->log();
    delete second_;
  }
  std::string Challenge() {
    auto request = New<v1::CreateChallengeRequest>();
    request.mutable_terms()->set_ruleset_id("long_narde");
    request.set_opponent_id(bob_.id);
    const auto made = alice_.client.Call(&Lobby::CreateChallenge, request);
    EXPECT_TRUE(made.ok()) << made.status.error_message();
    return made->proposal().proposal_id();
  }
  std::string AcceptedBy(const Client& client, const std::string& id) {
    auto request = New<v1::AcceptProposalRequest>();
    request.set_proposal_id(id);
    const auto accepted = client.Call(&Lobby::AcceptProposal, request);
    EXPECT_TRUE(accepted.ok()) << accepted.status.error_message();
    return accepted->game().game_id();
  }

  static inline Service* second_ = nullptr;
  Service& service_ = SharedService();
  const Person alice_ = NewPerson(service_, "Alice");
  const Person bob_ = NewPerson(service_, "Bob");
  const Client bob_there_ = ThroughOther(*second_, bob_);
};

TEST_F(MyEvents, NeedsAKey) {
  Follower nobody(Client(service_.Connect()));
  ASSERT_TRUE(nobody.AwaitEnd());
  EXPECT_EQ(ProblemOf(*nobody.end).reason, "TOKEN_MISSING");
}

TEST_F(MyEvents, AChallengeIsToldAnsweredAndPlayedToItsEnd) {
  Follower alice(alice_.client), bob(bob_there_);
  ASSERT_TRUE(alice.Await([](const Follower& f) { return f.has_snapshot; }));
  ASSERT_TRUE(bob.Await([](const Follower& f) { return f.has_snapshot; }));

  const std::string declined = Challenge();
  EXPECT_TRUE(bob.AwaitProposal(declined, v1::PROPOSAL_STATE_OPEN));
  auto decline = New<v1::DeclineChallengeRequest>();
  decline.set_proposal_id(declined);
  ASSERT_TRUE(bob_there_.Call(&Lobby::DeclineChallenge, decline).ok());
  EXPECT_TRUE(alice.AwaitProposal(declined, v1::PROPOSAL_STATE_DECLINED));

  const std::string id = Challenge();
  EXPECT_TRUE(bob.AwaitProposal(id, v1::PROPOSAL_STATE_OPEN));
  const std::string game = AcceptedBy(bob_there_, id);
  EXPECT_TRUE(alice.AwaitProposal(id, v1::PROPOSAL_STATE_TAKEN));
  EXPECT_TRUE(alice.AwaitNews(game, v1::GAME_NEWS_STARTED));
  EXPECT_TRUE(bob.AwaitNews(game, v1::GAME_NEWS_STARTED));
  EXPECT_EQ(alice.proposals[id].game_id(), game);

  // Each turn is told to whose it is, wherever the other one plays.
  const auto alice_to_act = [&](const std::string& played) {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    const v1::Game now = GetGame(alice_.client, played);
    return now.seats(now.seats_to_act(0)).player_id() == alice_.id;
  };
  double slowest_ms = 0;
  for (int turn = 0; turn < 6; ++turn) {
    // Every question goes to the mover's own server: another one may trust what it knows for half a
    // second.
    const bool is_alices = alice_to_act(game);
    const Client& mover = is_alices ? alice_.client : bob_there_;
    EXPECT_TRUE((is_alices ? alice : bob).AwaitNews(game, v1::GAME_NEWS_YOUR_TURN));
    Follower& waits = is_alices ? bob : alice;
    waits.Forget(game);
    const int seat = GetGame(mover, game).seats_to_act(0);
    while (GetGame(mover, game).seats_to_act(0) == seat) {
      v1::ListLegalActionsRequest list;
      list.set_game_id(game);
      const auto legal = mover.Call(&Game::ListLegalActions, list);
      auto play = New<v1::PlayActionsRequest>();
      play.set_game_id(game);
      play.add_actions()->set_action(legal->actions(0).action());
      const auto done = mover.Call(&Game::PlayActions, play);
      ASSERT_TRUE(done.ok()) << done.status.error_message();
    }
    const auto played = Clock::now();
    ASSERT_TRUE(waits.AwaitNews(game, v1::GAME_NEWS_YOUR_TURN)) << turn;
    const std::chrono::duration<double, std::milli> took = Clock::now() - played;
    slowest_ms = std::max(slowest_ms, took.count());
  }
  std::cout << "slowest of 6 turns: " << slowest_ms << " ms" << std::endl;

  auto offer = New<v1::MakeOfferRequest>();
  offer.set_game_id(game);
  offer.set_kind(v1::OFFER_KIND_ABORT);
  ASSERT_TRUE(alice_.client.Call(&Game::MakeOffer, offer).ok());
  EXPECT_TRUE(bob.AwaitNews(game, v1::GAME_NEWS_OFFER_MADE));
  EXPECT_TRUE(bob.Await([&](const Follower& f) { return f.games.at(game).awaits_answer(); }));

  // Who comes back finds what awaits him.
  Follower again(bob_.client);
  ASSERT_TRUE(again.Await([](const Follower& f) { return f.has_snapshot; }));
  EXPECT_TRUE(again.Await([&](const Follower& f) {
    return f.games.size() == 1 && f.games.begin()->second.awaits_answer();
  }));

  auto answer = New<v1::RespondToOfferRequest>();
  answer.set_game_id(game);
  answer.set_accept(true);
  ASSERT_TRUE(bob_there_.Call(&Game::RespondToOffer, answer).ok());
  for (Follower* one : {&alice, &bob, &again}) {
    EXPECT_TRUE(one->AwaitNews(game, v1::GAME_NEWS_ENDED));
    EXPECT_TRUE(one->Await([&](const Follower& f) {
      return f.games.at(game).game().ending() == v1::GAME_ENDING_ABORT_AGREED;
    }));
    EXPECT_EQ(one->disorder, "");
  }
}

TEST_F(MyEvents, TheQueueTellsBothAtTheirServers) {
  Follower alice(alice_.client), bob(bob_there_);
  auto ticket = New<v1::CreateTicketRequest>();
  ticket.mutable_terms()->set_ruleset_id("long_narde");
  ticket.mutable_terms()->mutable_clock_policy()->set_kind(v1::CLOCK_KIND_FISCHER);
  // Terms that no other test has.
  ticket.mutable_terms()->mutable_clock_policy()->set_reserve_ms(777'000);
  const auto first = alice_.client.Call(&Lobby::CreateTicket, ticket);
  ticket.set_request_id(NewRequestId());
  const auto second = bob_there_.Call(&Lobby::CreateTicket, ticket);
  ASSERT_TRUE(first.ok() && second.ok());
  const std::string one = first->proposal().proposal_id();
  EXPECT_TRUE(alice.AwaitProposal(one, v1::PROPOSAL_STATE_TAKEN));
  EXPECT_TRUE(bob.AwaitProposal(second->proposal().proposal_id(), v1::PROPOSAL_STATE_TAKEN));
  const std::string game = alice.proposals[one].game_id();
  EXPECT_TRUE(alice.AwaitNews(game, v1::GAME_NEWS_STARTED));
  EXPECT_TRUE(bob.AwaitNews(game, v1::GAME_NEWS_STARTED));
  EXPECT_TRUE(bob.Await(
      [&](const Follower& f) { return f.games.at(game).game().clocks().has_deadline(); }));
  Resign(bob_there_, game);
}

TEST_F(MyEvents, ANinthStreamIsRefused) {
  std::vector<std::unique_ptr<Follower>> eight;
  for (int i = 0; i < 8; ++i) {
    eight.push_back(std::make_unique<Follower>(bob_.client));
    ASSERT_TRUE(eight.back()->Await([](const Follower& f) { return f.has_snapshot; }));
  }
  Follower ninth(bob_.client);
  ASSERT_TRUE(ninth.AwaitEnd());
  EXPECT_EQ(ProblemOf(*ninth.end).reason, "RATE_LIMITED");
  Follower elsewhere(bob_there_);
  EXPECT_TRUE(elsewhere.Await([](const Follower& f) { return f.has_snapshot; }));
}

TEST_F(MyEvents, AServerThatGoesDownHandsOver) {
  Service third(service_.database_url(), service_.key_file());
  third.Start();
  const Client there = ThroughOther(third, bob_);
  Follower bob(there);
  ASSERT_TRUE(bob.Await([](const Follower& f) { return f.has_snapshot; }));
  EXPECT_EQ(third.Terminate(), 0);
  ASSERT_TRUE(bob.AwaitEnd());
  EXPECT_EQ(ProblemOf(*bob.end).reason, "DRAINING");
}

}  // namespace
}  // namespace astragal::e2e
