// What surrounds the games: health, reflection, keys, players, rulesets.
#include <gmock/gmock.h>
#include <google/protobuf/empty.pb.h>
#include <google/protobuf/unknown_field_set.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/sync_stream.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

#include "grpc/health/v1/health.pb.h"
#include "tests/e2e/game.h"

namespace astragal::e2e {
namespace {

using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;
using grpc::StatusCode;
using grpc::health::v1::HealthCheckResponse;

TEST(Health, IsKnownForEachService) {
  const auto channel = SharedService().Connect();
  for (const char* name :
       {"", "astragal.v1.AuthService", "astragal.v1.EventService", "astragal.v1.GameService",
        "astragal.v1.HistoryService", "astragal.v1.MatchService", "astragal.v1.PlayerService",
        "astragal.v1.RecordService", "astragal.v1.RulesetService"}) {
    EXPECT_EQ(Health(channel, name), HealthCheckResponse::SERVING) << name;
  }
  EXPECT_EQ(Health(channel, "astragal.v1.NoService"), -1);
}

// One question to the reflection service, by field numbers: its proto is not part of ours.
std::string Reflect(const std::shared_ptr<grpc::Channel>& channel, int question,
                    const std::string& argument) {
  google::protobuf::Empty request;
  request.GetReflection()->MutableUnknownFields(&request)->AddLengthDelimited(question, argument);
  const std::string bytes = request.SerializeAsString();
  const grpc::Slice slice(bytes);
  const grpc::internal::RpcMethod method(
      "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
      grpc::internal::RpcMethod::BIDI_STREAMING, channel);
  grpc::ClientContext context;
  const std::unique_ptr<grpc::ClientReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>> stream(
      grpc::internal::ClientReaderWriterFactory<grpc::ByteBuffer, grpc::ByteBuffer>::Create(
          channel.get(), method, &context));
  stream->Write(grpc::ByteBuffer(&slice, 1));
  stream->WritesDone();
  grpc::ByteBuffer answer;
  EXPECT_TRUE(stream->Read(&answer));
  grpc::Slice whole;
  EXPECT_TRUE(answer.DumpToSingleSlice(&whole).ok());
  EXPECT_TRUE(stream->Finish().ok());
  return {reinterpret_cast<const char*>(whole.begin()), whole.size()};
}

// The texts in field `number` of a message.
std::vector<std::string> Texts(const std::string& bytes, int number) {
  google::protobuf::Empty message;
  EXPECT_TRUE(message.ParseFromString(bytes));
  const UnknownFieldSet& fields = message.GetReflection()->GetUnknownFields(message);
  std::vector<std::string> texts;
  for (int i = 0; i < fields.field_count(); ++i) {
    const UnknownField& field = fields.field(i);
    const bool fits =
        field.number() == number && field.type() == UnknownField::TYPE_LENGTH_DELIMITED;
    if (fits) texts.push_back(field.length_delimited());
  }
  return texts;
}

TEST(Reflection, ListsAndDescribesEveryService) {
  constexpr int kFileContainingSymbol = 4;
  constexpr int kListServices = 7;
  const auto channel = SharedService().Connect();
  std::set<std::string> names;
  // ServerReflectionResponse.list_services_response.service.name
  for (const std::string& list : Texts(Reflect(channel, kListServices, ""), 6)) {
    for (const std::string& service : Texts(list, 1)) names.insert(Texts(service, 1).at(0));
  }
  EXPECT_THAT(
      names,
      testing::IsSupersetOf(
          {"astragal.v1.AuthService", "astragal.v1.EventService", "astragal.v1.GameService",
           "astragal.v1.HistoryService", "astragal.v1.MatchService", "astragal.v1.PlayerService",
           "astragal.v1.RecordService", "astragal.v1.RulesetService", "grpc.health.v1.Health"}));
  for (const std::string& name : names) {
    if (name.starts_with("grpc.reflection.")) continue;
    const std::string answer = Reflect(channel, kFileContainingSymbol, name);
    // ServerReflectionResponse.file_descriptor_response.file_descriptor_proto
    const std::vector<std::string> files = Texts(answer, 4);
    ASSERT_EQ(files.size(), 1U) << name;
    EXPECT_THAT(Texts(files[0], 1), testing::Not(testing::IsEmpty())) << name;
  }
}

class People : public testing::Test {
 protected:
  std::string ReasonOf(const grpc::Status& status) { return ProblemOf(status).reason; }

  Service& service_ = SharedService();
  const Person alice_ = NewPerson(service_, "Alice");
};

TEST_F(People, MakeListAndRevokeKeys) {
  v1::CreateApiKeyRequest create;
  create.set_request_id(NewRequestId());
  create.set_label("tablet");
  const auto created = alice_.client.Call(&Auth::CreateApiKey, create);
  ASSERT_TRUE(created.ok()) << created.status.error_message();
  EXPECT_THAT(created->api_key(), testing::MatchesRegex("ast_[0-9a-f]+"));
  EXPECT_EQ(created->api_key().size(), 68U);
  const Client tablet(service_.Connect(), created->api_key());
  const auto me = tablet.Call(&Auth::WhoAmI, v1::WhoAmIRequest());
  EXPECT_EQ(me->player().player_id(), alice_.id);
  EXPECT_EQ(me->key().key_id(), created->key().key_id());
  EXPECT_EQ(me->key().label(), "tablet");

  v1::ListApiKeysRequest list;
  list.set_page_size(1);
  const auto newest = tablet.Call(&Auth::ListApiKeys, list);
  ASSERT_EQ(newest->keys_size(), 1);
  EXPECT_EQ(TextOf(newest->keys(0)), TextOf(created->key()));
  list.set_page_token(newest->next_page_token());
  const auto first = tablet.Call(&Auth::ListApiKeys, list);
  ASSERT_EQ(first->keys_size(), 1);
  EXPECT_EQ(first->keys(0).label(), "first key");

  v1::RevokeApiKeyRequest revoke;
  revoke.set_request_id(NewRequestId());
  revoke.set_key_id(created->key().key_id());
  const auto revoked = alice_.client.Call(&Auth::RevokeApiKey, revoke);
  ASSERT_TRUE(revoked.ok()) << revoked.status.error_message();
  EXPECT_TRUE(revoked->key().has_revoke_time());
  EXPECT_EQ(ReasonOf(tablet.Call(&Auth::WhoAmI, v1::WhoAmIRequest()).status), "TOKEN_INVALID");
  v1::CreateGameRequest game;
  game.set_request_id(NewRequestId());
  game.set_ruleset_id("long_narde");
  EXPECT_EQ(ReasonOf(tablet.Call(&Game::CreateGame, game).status), "TOKEN_INVALID");
  EXPECT_TRUE(alice_.client.Call(&Auth::WhoAmI, v1::WhoAmIRequest()).ok());
}

TEST_F(People, KeysExpire) {
  v1::CreateApiKeyRequest create;
  create.set_request_id(NewRequestId());
  const int64_t now = std::chrono::duration_cast<std::chrono::milliseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
  const int64_t end = now + 2'000;
  create.mutable_expire_time()->set_seconds(end / 1'000);
  create.mutable_expire_time()->set_nanos(static_cast<int32_t>(end % 1'000 * 1'000'000));
  const auto created = alice_.client.Call(&Auth::CreateApiKey, create);
  ASSERT_TRUE(created.ok()) << created.status.error_message();
  const Client brief(service_.Connect(), created->api_key());
  EXPECT_TRUE(brief.Call(&Auth::WhoAmI, v1::WhoAmIRequest()).ok());
  std::this_thread::sleep_for(std::chrono::milliseconds(2'200));
  const Problem problem = ProblemOf(brief.Call(&Auth::WhoAmI, v1::WhoAmIRequest()).status);
  EXPECT_EQ(problem.code, StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(problem.reason, "TOKEN_EXPIRED");
}

TEST_F(People, AreFoundListedAndRenamed) {
  v1::GetPlayerRequest get;
  std::string shouted = alice_.name;
  for (char& c : shouted) c = static_cast<char>(toupper(c));
  get.set_name(shouted);
  const auto found = alice_.client.Call(&Player::GetPlayer, get);
  ASSERT_TRUE(found.ok()) << found.status.error_message();
  EXPECT_EQ(found->player().player_id(), alice_.id);
  EXPECT_EQ(found->player().name(), alice_.name);

  v1::UpdatePlayerRequest update;
  update.set_request_id(NewRequestId());
  update.set_etag(found->player().etag());
  update.set_name("Ada " + update.request_id().substr(0, 8));
  const auto updated = alice_.client.Call(&Player::UpdatePlayer, update);
  ASSERT_TRUE(updated.ok()) << updated.status.error_message();
  EXPECT_NE(updated->player().etag(), found->player().etag());

  v1::ListPlayersRequest list;
  list.set_page_size(3);
  std::vector<std::string> names;
  do {
    const auto page = alice_.client.Call(&Player::ListPlayers, list);
    ASSERT_TRUE(page.ok()) << page.status.error_message();
    for (const v1::Player& player : page->players()) names.push_back(player.name());
    list.set_page_token(page->next_page_token());
  } while (!list.page_token().empty());
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_THAT(names, testing::Contains(update.name()));
  EXPECT_THAT(names, testing::Not(testing::Contains(alice_.name)));
}

TEST(Rulesets, AreListedAndTheirToolsAgreeWithGames) {
  const Client client(SharedService().Connect());
  v1::ListRulesetsRequest list;
  list.set_page_size(1);
  std::vector<std::string> ids;
  do {
    const auto page = client.Call(&Ruleset::ListRulesets, list);
    ASSERT_TRUE(page.ok()) << page.status.error_message();
    for (const v1::Ruleset& ruleset : page->rulesets()) ids.push_back(ruleset.ruleset_id());
    list.set_page_token(page->next_page_token());
  } while (!list.page_token().empty());
  EXPECT_THAT(ids, testing::IsSupersetOf({"long_narde", "patolli"}));

  const Person alice = NewPerson(SharedService(), "Alice");
  const Person bob = NewPerson(SharedService(), "Bob");
  v1::ListLegalActionsRequest asked;
  asked.set_game_id(NewGame(alice.client, bob.client));
  const auto legal = client.Call(&Game::ListLegalActions, asked);
  v1::AnalyzePositionRequest analyze;
  analyze.mutable_source()->set_ruleset_id("long_narde");
  analyze.mutable_source()->set_text(legal->position().text());
  const auto analyzed = client.Call(&Ruleset::AnalyzePosition, analyze);
  ASSERT_TRUE(analyzed.ok()) << analyzed.status.error_message();
  EXPECT_EQ(TextOf(analyzed->position()), TextOf(legal->position()));
  ASSERT_EQ(analyzed->actions_size(), legal->actions_size());
  for (const v1::Action& action : legal->actions()) {
    v1::ParseActionRequest parse;
    *parse.mutable_source() = analyze.source();
    parse.set_notation(action.notation());
    const auto parsed = client.Call(&Ruleset::ParseAction, parse);
    EXPECT_TRUE(parsed->legal());
    EXPECT_EQ(TextOf(parsed->action()), TextOf(action));
  }
  v1::ApplyActionsRequest apply;
  *apply.mutable_source() = analyze.source();
  apply.add_notations(legal->actions(0).notation());
  const auto applied = client.Call(&Ruleset::ApplyActions, apply);
  ASSERT_TRUE(applied.ok()) << applied.status.error_message();
  EXPECT_EQ(applied->applied_size(), 1);

  v1::GetGeometryRequest geometry;
  geometry.set_ruleset_id("long_narde");
  EXPECT_GE(client.Call(&Ruleset::GetGeometry, geometry)->places_size(), 24);
}

}  // namespace
}  // namespace astragal::e2e
