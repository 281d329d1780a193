#include "tests/services/server/hall.h"

#include <arpa/inet.h>
#include <google/protobuf/message.h>
#include <grpcpp/impl/client_unary_call.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/sync_stream.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "astragal/v1/admin_service.pb.h"
#include "astragal/v1/game_service.pb.h"
#include "astragal/v1/player_service.pb.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "services/base/ids.h"
#include "services/base/operator_key.h"
#include "services/base/random.h"

namespace astragal::server {
namespace {

using google::protobuf::Message;

// A port that nobody uses now; whoever asks next gets another one.
int FreePort() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  const bool good = listener >= 0 && ::bind(listener, any, length) == 0 &&
                    ::getsockname(listener, any, &length) == 0;
  EXPECT_TRUE(good);
  ::close(listener);
  return ntohs(address.sin_port);
}

void ReadDetails(const grpc::Status& status, Outcome& out) {
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) return;
  for (const auto& any : details.details()) {
    google::rpc::ErrorInfo info;
    google::rpc::RetryInfo retry;
    google::rpc::QuotaFailure quota;
    if (any.UnpackTo(&info)) {
      out.reason = info.reason();
      out.details = {info.metadata().begin(), info.metadata().end()};
    }
    if (any.UnpackTo(&retry)) {
      out.retry_after_ms =
          retry.retry_delay().seconds() * 1'000 + retry.retry_delay().nanos() / 1'000'000;
    }
    if (any.UnpackTo(&quota)) out.quotas += quota.violations_size();
  }
}

}  // namespace

Outcome OutcomeOf(const grpc::Status& status) {
  Outcome out{.code = status.error_code(), .message = status.error_message()};
  ReadDetails(status, out);
  return out;
}

std::string NewRequestId() {
  static base::SystemRandom random;
  base::RequestId id;
  random.Fill(id.bytes);
  id.bytes[6] = static_cast<uint8_t>((id.bytes[6] & 0x0F) | 0x40);  // version 4: drawn by lot
  return id.ToText();
}

Hall::Hall(Options options)
    : database_(std::make_unique<tests::TestDatabase>()), options_(std::move(options)) {
  options_.database_url = database_->url();
  Start();
}

Hall::Hall(const Hall& first, Options options) : options_(std::move(options)) {
  options_.database_url = first.database_url();
  // Servers of one database share its keys.
  std::filesystem::create_directories(folder_.path() + "/data");
  std::filesystem::copy_file(first.options_.data_dir + "/secrets.key",
                             folder_.path() + "/data/secrets.key");
  Start();
}

void Hall::Start() {
  options_.listen = "127.0.0.1:" + std::to_string(FreePort());
  options_.data_dir = folder_.path() + "/data";
  options_.plugins = ASTRAGAL_BUILD_DIR "/plugins";
  absl::StatusOr<std::unique_ptr<Server>> started = Server::Start(options_);
  ASSERT_TRUE(started.ok()) << started.status();
  server_ = *std::move(started);
  channel_ = Connect();
}

std::shared_ptr<grpc::Channel> Hall::Connect() const {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(options_.listen, grpc::InsecureChannelCredentials(), arguments);
}

std::string Hall::operator_key() const {
  return base::ReadOperatorKey(options_.data_dir + "/" + std::string(base::kOperatorKeyFile))
      .value_or("none");
}

const google::protobuf::MethodDescriptor* Hall::Method(const std::string& name) {
  const auto* method =
      google::protobuf::DescriptorPool::generated_pool()->FindMethodByName("astragal.v1." + name);
  EXPECT_NE(method, nullptr) << name;
  return method;
}

Outcome Hall::Call(const google::protobuf::MethodDescriptor& method, const std::string& token,
                   const Message& request, Message* response, const Headers& headers) const {
  std::unique_ptr<Message> own;
  if (response == nullptr) {
    own.reset(google::protobuf::MessageFactory::generated_factory()
                  ->GetPrototype(method.output_type())
                  ->New());
    response = own.get();
  }
  grpc::ClientContext context;
  if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
  for (const auto& [name, value] : headers) context.AddMetadata(name, value);
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  const std::string path = "/" + method.service()->full_name() + "/" + method.name();
  grpc::Status status;
  if (method.server_streaming()) {
    const grpc::internal::RpcMethod rpc(path.c_str(), grpc::internal::RpcMethod::SERVER_STREAMING,
                                        channel_);
    const std::unique_ptr<grpc::ClientReader<Message>> reader(
        grpc::internal::ClientReaderFactory<Message>::Create(channel_.get(), rpc, &context,
                                                             request));
    const bool served = reader->Read(response);
    if (served) context.TryCancel();
    status = reader->Finish();
    if (served) status = grpc::Status::OK;
  } else {
    const grpc::internal::RpcMethod rpc(path.c_str(), grpc::internal::RpcMethod::NORMAL_RPC,
                                        channel_);
    status = grpc::internal::BlockingUnaryCall(channel_.get(), rpc, &context, request, response);
  }
  Outcome out = OutcomeOf(status);
  const auto& trailing = context.GetServerTrailingMetadata();
  const auto trace = trailing.find("astragal-trace");
  if (trace != trailing.end()) out.trace = {trace->second.data(), trace->second.size()};
  return out;
}

Hall::Person Hall::NewPlayer(const std::string& name) const {
  v1::CreatePlayerRequest request;
  request.set_request_id(NewRequestId());
  request.set_name(name);
  v1::CreatePlayerResponse response;
  const Outcome made = Call("PlayerService.CreatePlayer", "", request, &response);
  EXPECT_TRUE(made.ok()) << made.message;
  return {response.player().player_id(), response.api_key()};
}

std::string Hall::NewKey(const Person& person, core::Scopes scopes) const {
  v1::CreatePlayerApiKeyRequest request;
  request.set_request_id(NewRequestId());
  request.set_player_id(person.id);
  request.set_reason("a test");
  for (const core::ScopeName& name : core::kScopeNames) {
    if (!scopes.Has(name.scope)) continue;
    request.add_scopes(static_cast<v1::KeyScope>(static_cast<int>(name.scope) + 1));
  }
  v1::CreatePlayerApiKeyResponse response;
  const Outcome made = Call("AdminService.CreatePlayerApiKey", operator_key(), request, &response);
  EXPECT_TRUE(made.ok()) << made.message;
  return response.api_key();
}

std::string Hall::NewGame(const Person& red, const Person& blue) const {
  v1::CreateGameRequest create;
  create.set_request_id(NewRequestId());
  create.set_ruleset_id("long_narde");
  create.set_seat(0);
  v1::CreateGameResponse created;
  const Outcome made = Call("GameService.CreateGame", red.key, create, &created);
  EXPECT_TRUE(made.ok()) << made.message;
  v1::JoinGameRequest join;
  join.set_request_id(NewRequestId());
  join.set_game_id(created.game().game_id());
  const Outcome joined = Call("GameService.JoinGame", blue.key, join);
  EXPECT_TRUE(joined.ok()) << joined.message;
  return created.game().game_id();
}

std::string Hall::StateHash() const {
  // Servers write nodes by themselves, and the outbox of ratings when games end.
  const auto rows = database_->Connect()->Script(
      "SELECT md5(string_agg(query_to_xml(format("
      "'SELECT md5(string_agg(t::text, '','' ORDER BY t::text)) FROM %I t', tablename),"
      " true, true, '')::text, '' ORDER BY tablename)) FROM pg_tables"
      " WHERE schemaname = 'public' AND tablename NOT IN ('nodes', 'outages')");
  EXPECT_TRUE(rows.ok()) << rows.status();
  return rows.ok() ? std::string(rows->Text(0, 0)) : "";
}

}  // namespace astragal::server
