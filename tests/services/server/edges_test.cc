// What comes in at the edges of what is allowed: messages nested too deeply or compressed, instants
// outside the calendar, and what is said of health while the database or every ruleset is away.
#include <gmock/gmock.h>
#include <google/protobuf/io/coded_stream.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/client_unary_call.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "astragal/v1/admin_service.pb.h"
#include "astragal/v1/auth_service.pb.h"
#include "astragal/v1/player_service.grpc.pb.h"
#include "astragal/v1/rating_service.pb.h"
#include "astragal/v1/tournament_service.pb.h"
#include "grpc/health/v1/health.pb.h"
#include "services/server/transport.h"
#include "tests/services/server/hall.h"

namespace astragal::server {
namespace {

using grpc::health::v1::HealthCheckResponse;

// An unknown field 15 that holds itself so many times: the beginnings of the groups, then the ends.
std::string Nested(int depth) {
  constexpr char kBegin = 15 << 3 | 3;
  constexpr char kEnd = 15 << 3 | 4;
  const auto count = static_cast<size_t>(depth);
  return std::string(count, kBegin) + std::string(count, kEnd);
}

// A call of these bytes, whatever they are.
grpc::Status CallWith(const Hall& hall, const std::string& method, const std::string& bytes) {
  grpc::GenericStub stub(hall.channel());
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  grpc::Slice slice(bytes);
  grpc::ByteBuffer request(&slice, 1);
  grpc::ByteBuffer response;
  grpc::Status status;
  const auto reader = stub.PrepareUnaryCall(&context, method, request, &queue);
  reader->StartCall();
  reader->Finish(&response, &status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  EXPECT_TRUE(queue.Next(&tag, &ok));
  queue.Shutdown();
  while (queue.Next(&tag, &ok)) {
  }
  return status;
}

TEST(Edges, MessagesAreNestedAsDeeplyAsIsSaidAndNoDeeper) {
  EXPECT_EQ(kMaxNesting, google::protobuf::io::CodedInputStream::GetDefaultRecursionLimit());
  const Hall hall;
  v1::GetServerInfoResponse info;
  ASSERT_TRUE(hall.Call("AdminService.GetServerInfo", "", v1::GetServerInfoRequest(), &info).ok());
  int said = 0;
  for (const v1::ServerLimit& limit : info.limits()) {
    if (limit.name() == "nesting") said = static_cast<int>(limit.most());
  }
  EXPECT_EQ(said, kMaxNesting);
  const std::string method = "/astragal.v1.AdminService/GetServerInfo";
  EXPECT_TRUE(CallWith(hall, method, Nested(said - 1)).ok());
  for (const int depth : {said + 1, 10'000}) {
    EXPECT_FALSE(CallWith(hall, method, Nested(depth)).ok()) << depth;
  }
  EXPECT_TRUE(CallWith(hall, method, "").ok()) << "and the server goes on";
}

TEST(Edges, CompressedMessagesAreRefused) {
  const Hall hall;
  const auto stub = v1::PlayerService::NewStub(hall.channel());
  for (const grpc_compression_algorithm algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    context.set_compression_algorithm(algorithm);
    v1::GetPlayerRequest request;
    request.set_name(std::string(60'000, 'a'));
    v1::GetPlayerResponse response;
    const grpc::Status status = stub->GetPlayer(&context, request, &response);
    EXPECT_EQ(status.error_code(), grpc::UNIMPLEMENTED) << status.error_message();
  }
  hall.NewPlayer("Alice");  // without compression all is well
}

TEST(Edges, InstantsOutsideTheCalendarAreRefusedOrTheLastInsideIt) {
  const Hall hall;
  const Hall::Person alice = hall.NewPlayer("Alice");
  for (const int64_t seconds : {INT64_MAX, INT64_MIN, int64_t{253'402'300'800}}) {
    v1::CreateApiKeyRequest key;
    key.set_request_id(NewRequestId());
    key.mutable_expire_time()->set_seconds(seconds);
    EXPECT_EQ(hall.Call("AuthService.CreateApiKey", alice.key, key).reason, "BAD_FIELD") << seconds;
    v1::CreateTournamentRequest tournament;
    tournament.set_request_id(NewRequestId());
    tournament.mutable_terms()->set_name("At the end of time");
    tournament.mutable_terms()->set_format(v1::TOURNAMENT_FORMAT_SWISS);
    tournament.mutable_terms()->mutable_play()->set_ruleset_id("long_narde");
    tournament.mutable_terms()->mutable_start_time()->set_seconds(seconds);
    EXPECT_EQ(hall.Call("TournamentService.CreateTournament", alice.key, tournament).reason,
              "BAD_FIELD")
        << seconds;
    v1::GetRatingRequest rating;
    rating.set_player_id(alice.id);
    rating.mutable_at_time()->set_seconds(seconds);
    EXPECT_NE(hall.Call("RatingService.GetRating", "", rating).code, grpc::INTERNAL) << seconds;
  }
}

int Health(const Hall& hall, const std::string& name) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  grpc::health::v1::HealthCheckRequest request;
  request.set_service(name);
  HealthCheckResponse response;
  const grpc::internal::RpcMethod method("/grpc.health.v1.Health/Check",
                                         grpc::internal::RpcMethod::NORMAL_RPC, hall.channel());
  const grpc::Status status =
      grpc::internal::BlockingUnaryCall(hall.channel().get(), method, &context, request, &response);
  return status.ok() ? static_cast<int>(response.status()) : -1;
}

bool AwaitHealth(const Hall& hall, const std::string& name, int status) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < end) {
    if (Health(hall, name) == status) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

// Lives and answers, but can do nothing: that is what a probe and a balancer must tell apart.
TEST(Edges, HealthSaysWhoLivesWhoIsReadyAndWhoIsWell) {
  const Hall hall;
  for (const char* name : {"live", "ready", "healthy", ""}) {
    EXPECT_TRUE(AwaitHealth(hall, name, HealthCheckResponse::SERVING)) << name;
  }
  // Another connection's place, since a database cannot be locked from within.
  const tests::TestDatabase elsewhere;
  const auto keeper = elsewhere.Connect();
  const std::string name = hall.database().name();
  ASSERT_TRUE(keeper->Script("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false").ok());
  ASSERT_TRUE(keeper
                  ->Script("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                           " WHERE datname = '" +
                           name + "'")
                  .ok());
  for (const char* service : {"ready", "healthy", ""}) {
    EXPECT_TRUE(AwaitHealth(hall, service, HealthCheckResponse::NOT_SERVING)) << service;
  }
  EXPECT_EQ(Health(hall, "live"), HealthCheckResponse::SERVING);
  v1::GetServerInfoResponse info;
  EXPECT_TRUE(hall.Call("AdminService.GetServerInfo", "", v1::GetServerInfoRequest(), &info).ok());
  EXPECT_EQ(info.mode(), v1::SERVER_MODE_NORMAL) << "a mode is what an operator says";
  ASSERT_TRUE(keeper->Script("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true").ok());
  for (const char* service : {"ready", "healthy", ""}) {
    EXPECT_TRUE(AwaitHealth(hall, service, HealthCheckResponse::SERVING)) << service;
  }
}

// Serves what it can while something is missing: a balancer goes on sending, an operator is told.
TEST(Edges, WhoIsDegradedIsReadyAllTheSame) {
  const Hall hall;
  const Hall::Person alice = hall.NewPlayer("Alice");
  EXPECT_TRUE(AwaitHealth(hall, "healthy", HealthCheckResponse::SERVING));
  v1::ListRulesetBuildsRequest list;
  list.set_page_size(1'000);
  v1::ListRulesetBuildsResponse builds;
  ASSERT_TRUE(hall.Call("AdminService.ListRulesetBuilds", hall.operator_key(), list, &builds).ok());
  ASSERT_GT(builds.builds_size(), 0);
  for (const v1::LoadedRulesetBuild& build : builds.builds()) {
    v1::RetireRulesetBuildRequest retire;
    retire.set_request_id(NewRequestId());
    retire.set_sha256(build.sha256());
    ASSERT_TRUE(hall.Call("AdminService.RetireRulesetBuild", hall.operator_key(), retire).ok());
  }
  EXPECT_TRUE(AwaitHealth(hall, "healthy", HealthCheckResponse::NOT_SERVING));
  for (const char* service : {"live", "ready", ""}) {
    EXPECT_EQ(Health(hall, service), HealthCheckResponse::SERVING) << service;
  }
  v1::GetPlayerRequest get;
  get.set_player_id(alice.id);
  EXPECT_TRUE(hall.Call("PlayerService.GetPlayer", alice.key, get).ok());
  v1::LoadRulesetsRequest load;
  load.set_request_id(NewRequestId());
  ASSERT_TRUE(hall.Call("AdminService.LoadRulesets", hall.operator_key(), load).ok());
  EXPECT_TRUE(AwaitHealth(hall, "healthy", HealthCheckResponse::SERVING));
}

}  // namespace
}  // namespace astragal::server
