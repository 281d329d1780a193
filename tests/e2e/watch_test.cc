// Watching: from any sequence, to the end, by slow readers, over two servers on one database.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/e2e/game.h"

namespace astragal::e2e {
namespace {

using grpc::StatusCode;
using testing::ElementsAreArray;

std::vector<std::string> TailOf(const std::vector<v1::Event>& log, size_t after) {
  return TextOf(
      std::vector<v1::Event>(log.begin() + static_cast<std::ptrdiff_t>(after), log.end()));
}

void Resign(const Client& client, const std::string& game_id) {
  v1::ResignGameRequest resign;
  resign.set_request_id(NewRequestId());
  resign.set_game_id(game_id);
  const auto resigned = client.Call(&Game::ResignGame, resign);
  EXPECT_TRUE(resigned.ok()) << resigned.status.error_message();
}

class Watching : public testing::Test {
 protected:
  Service& service_ = SharedService();
  const Person alice_ = NewPerson(service_, "Alice");
  const Person bob_ = NewPerson(service_, "Bob");
  const std::string game_id_ = NewGame(alice_.client, bob_.client);
  Table table_{game_id_, {&alice_.client, &bob_.client}, 21};
};

TEST_F(Watching, ResumesFromAnySequenceAndEndsWithTheGame) {
  ASSERT_TRUE(table_.Play(10));
  std::vector<std::unique_ptr<Watcher>> live;
  for (uint32_t after = 0; after <= table_.sequence(); after += 3) {
    live.push_back(std::make_unique<Watcher>(bob_.client, game_id_, after));
    ASSERT_TRUE(live.back()->AwaitSnapshot());
  }
  ASSERT_TRUE(table_.Play(5));
  Resign(alice_.client, game_id_);
  const std::vector<v1::Event> log = ListEvents(alice_.client, game_id_);
  for (size_t i = 0; i < live.size(); ++i) {
    const std::optional<grpc::Status> end = live[i]->AwaitEnd();
    ASSERT_TRUE(end && end->ok());
    EXPECT_EQ(live[i]->disorder(), "");
    EXPECT_THAT(TextOf(live[i]->events()), ElementsAreArray(TailOf(log, 3 * i)));
  }
  for (uint32_t after = 0; after <= log.size(); ++after) {
    Watcher late(alice_.client, game_id_, after);
    const std::optional<grpc::Status> end = late.AwaitEnd();
    ASSERT_TRUE(end && end->ok()) << after;
    EXPECT_EQ(late.disorder(), "");
    EXPECT_EQ(late.snapshot()->game().game_id(), game_id_);
    EXPECT_EQ(late.snapshot()->game().sequence(), after);
    ASSERT_THAT(TextOf(late.events()), ElementsAreArray(TailOf(log, after)));
  }
  Watcher unset(alice_.client, game_id_);
  ASSERT_TRUE(unset.AwaitEnd() && unset.AwaitEnd()->ok());
  EXPECT_EQ(TextOf(LoggedPart(unset.snapshot()->game())),
            TextOf(LoggedPart(GetGame(bob_.client, game_id_))));
  EXPECT_THAT(unset.events(), testing::IsEmpty());
}

// Nobody has to ask for it: who watched to the end, or looks later, has the server's word.
TEST_F(Watching, TheEndCarriesTheReceipt) {
  ASSERT_TRUE(table_.Play(4));
  Watcher live(bob_.client, game_id_);
  ASSERT_TRUE(live.AwaitSnapshot());
  EXPECT_THAT(live.receipts(), testing::IsEmpty()) << "the game goes on";
  Resign(alice_.client, game_id_);
  ASSERT_TRUE(live.AwaitEnd());
  Watcher late(alice_.client, game_id_);
  ASSERT_TRUE(late.AwaitEnd());
  Watcher from_the_start(alice_.client, game_id_, 0);
  ASSERT_TRUE(from_the_start.AwaitEnd());
  const v1::Event last = ListEvents(alice_.client, game_id_).back();
  for (const Watcher* watcher : {&live, &late, &from_the_start}) {
    const std::vector<v1::Receipt> receipts = watcher->receipts();
    ASSERT_THAT(receipts, testing::SizeIs(1));
    EXPECT_EQ(receipts[0].game_id(), game_id_);
    EXPECT_EQ(receipts[0].sequence(), last.sequence());
    EXPECT_EQ(receipts[0].log_hash(), last.log_hash());
    EXPECT_EQ(receipts[0].public_key().size(), 32U);
    EXPECT_EQ(receipts[0].signature().size(), 64U);
  }
}

TEST_F(Watching, IsRefusedWhatIsNotThere) {
  struct {
    const char* name;
    std::string game_id;
    std::optional<uint32_t> after;
    StatusCode code;
    const char* reason;
  } const cases[] = {
      {"beyond the log", game_id_, 1'000, StatusCode::FAILED_PRECONDITION, "SEQUENCE_UNKNOWN"},
      {"far beyond", game_id_, ~0U, StatusCode::FAILED_PRECONDITION, "SEQUENCE_UNKNOWN"},
      {"unknown game", "06c2pz0000000000000000zzzz", {}, StatusCode::NOT_FOUND, "NOT_FOUND"},
      {"malformed id", "?", {}, StatusCode::NOT_FOUND, "NOT_FOUND"},
      {"no id", "", {}, StatusCode::INVALID_ARGUMENT, "BAD_FIELD"},
      {"huge id",
       std::string(70'000, 'x'),
       {},
       StatusCode::RESOURCE_EXHAUSTED,
       "MESSAGE_TOO_LARGE"},
  };
  for (const auto& one : cases) {
    Watcher watcher(alice_.client, one.game_id, one.after);
    const std::optional<grpc::Status> end = watcher.AwaitEnd();
    ASSERT_TRUE(end) << one.name;
    const Problem problem = ProblemOf(*end);
    EXPECT_EQ(problem.code, one.code) << one.name;
    EXPECT_EQ(problem.reason, one.reason) << one.name;
    EXPECT_EQ(problem.error_infos, 1) << one.name;
    EXPECT_FALSE(watcher.snapshot()) << one.name;
  }
}

TEST_F(Watching, HeartbeatsComeWhileNothingHappens) {
  Watcher watcher(alice_.client, game_id_);
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(15);
  while (watcher.heartbeats() == 0 && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_GE(watcher.heartbeats(), 1);
  EXPECT_EQ(watcher.disorder(), "");
  ASSERT_TRUE(table_.Play(1));
  EXPECT_TRUE(watcher.AwaitEvent(table_.sequence()));
}

// Whatever a reader that does not read misses, it is told where to resume, and misses nothing.
TEST_F(Watching, ASlowReaderGetsEverythingInTheEnd) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 1'024);
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  const Client slow(
      grpc::CreateCustomChannel(service_.address(), grpc::InsecureChannelCredentials(), arguments));
  v1::WatchGameRequest request;
  request.set_game_id(game_id_);
  request.set_after_sequence(0);
  grpc::ClientContext context;
  const auto reader = slow.stub<Game>().WatchGame(&context, request);
  ASSERT_TRUE(table_.Play());

  std::vector<v1::Event> seen;
  v1::WatchGameResponse message;
  while (reader->Read(&message)) {
    if (message.has_event()) seen.push_back(message.event());
  }
  const grpc::Status end = reader->Finish();
  if (!end.ok()) {
    const Problem problem = ProblemOf(end);
    EXPECT_EQ(problem.reason, "WATCHER_TOO_SLOW");
    EXPECT_EQ(problem.metadata.at("resume_after_sequence"), std::to_string(seen.size()));
    Watcher resumed(slow, game_id_, static_cast<uint32_t>(seen.size()));
    ASSERT_TRUE(resumed.AwaitEnd() && resumed.AwaitEnd()->ok());
    for (const v1::Event& event : resumed.events()) seen.push_back(event);
  }
  std::cout << "the slow reader ended with: " << (end.ok() ? "OK" : end.error_message())
            << std::endl;
  EXPECT_THAT(TextOf(seen), ElementsAreArray(TextOf(ListEvents(alice_.client, game_id_))));
}

TEST_F(Watching, TwoServersOnOneDatabasePlayOneGame) {
  Service second(service_.database_url(), service_.key_file());
  second.Start();
  const Client bob_there = ThroughOther(second, bob_);
  Watcher here(alice_.client, game_id_, 0);
  Watcher there(bob_there, game_id_, 0);
  ASSERT_TRUE(here.AwaitSnapshot() && there.AwaitSnapshot());

  Table table(game_id_, {&alice_.client, &bob_there}, 22);
  ASSERT_TRUE(table.Play(24));
  // Both servers race for one and the same turn: one wins, the other one's caller is told.
  ASSERT_TRUE(here.AwaitEvent(table.sequence()));
  v1::ListLegalActionsRequest list;
  list.set_game_id(game_id_);
  const auto legal = alice_.client.Call(&Game::ListLegalActions, list);
  ASSERT_EQ(legal->sequence(), table.sequence());
  const Person& mover = legal->position().actor() == 0 ? alice_ : bob_;
  std::vector<grpc::Status> ends(2);
  std::vector<std::thread> racers;
  for (size_t i = 0; i < ends.size(); ++i) {
    racers.emplace_back([&, i] {
      v1::PlayActionsRequest play;
      play.set_request_id(NewRequestId());
      play.set_game_id(game_id_);
      play.set_expected_sequence(legal->sequence());
      play.add_actions()->set_action(legal->actions(0).action());
      const Client by(i == 0 ? service_.Connect() : second.Connect(), mover.client.token());
      ends[i] = by.Call(&Game::PlayActions, play).status;
    });
  }
  for (std::thread& racer : racers) racer.join();
  EXPECT_NE(ends[0].ok(), ends[1].ok());
  EXPECT_EQ(ProblemOf(ends[0].ok() ? ends[1] : ends[0]).reason, "STALE_SEQUENCE");

  Resign(bob_there, game_id_);
  const std::vector<v1::Event> log = ListEvents(bob_there, game_id_);
  EXPECT_EQ(log.back().kind_case(), v1::Event::kFinished);
  for (Watcher* watcher : {&here, &there}) {
    const std::optional<grpc::Status> end = watcher->AwaitEnd();
    ASSERT_TRUE(end && end->ok());
    EXPECT_EQ(watcher->disorder(), "");
    EXPECT_THAT(TextOf(watcher->events()), ElementsAreArray(TextOf(log)));
  }
  // A key revoked at one server is dead at the other within a second.
  const auto me = alice_.client.Call(&Auth::WhoAmI, v1::WhoAmIRequest());
  const Client alice_there = ThroughOther(second, alice_);
  ASSERT_TRUE(alice_there.Call(&Auth::WhoAmI, v1::WhoAmIRequest()).ok());
  v1::RevokeApiKeyRequest revoke;
  revoke.set_request_id(NewRequestId());
  revoke.set_key_id(me->key().key_id());
  ASSERT_TRUE(alice_.client.Call(&Auth::RevokeApiKey, revoke).ok());
  std::this_thread::sleep_for(std::chrono::seconds(1));
  v1::CreateGameRequest create;
  create.set_request_id(NewRequestId());
  create.set_ruleset_id("long_narde");
  EXPECT_EQ(ProblemOf(alice_there.Call(&Game::CreateGame, create).status).reason, "TOKEN_INVALID");
  EXPECT_EQ(second.Terminate(), 0);
}

}  // namespace
}  // namespace astragal::e2e
