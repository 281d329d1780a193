#include "tests/services/admin/desk.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "astragal/v1/player_service.grpc.pb.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "services/base/crypto.h"
#include "services/base/ids.h"
#include "services/base/operator_key.h"

namespace astragal::admin {
namespace {

namespace fs = std::filesystem;

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

std::string PathOf(const std::string& build) {
  return std::string(ASTRAGAL_BUILD_DIR "/tests/plugins/") + build + "/libsprint.so";
}

}  // namespace

std::string ReasonOf(const grpc::Status& status) {
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  if (!details.ParseFromString(status.error_details())) return "none";
  for (const auto& any : details.details()) {
    if (any.UnpackTo(&info)) return info.reason();
  }
  return status.ok() ? "" : "none";
}

std::string NewRequestId() {
  static base::SystemRandom random;
  base::RequestId id;
  random.Fill(id.bytes);
  id.bytes[6] = static_cast<uint8_t>((id.bytes[6] & 0x0F) | 0x40);  // version 4: drawn by lot
  return id.ToText();
}

Desk::Desk(const std::vector<std::string>& builds)
    : address_("127.0.0.1:" + std::to_string(FreePort())) {
  fs::create_directories(plugins());
  fs::create_directories(data());
  ::chmod(plugins().c_str(), 0755);
  for (const std::string& build : builds) Drop(build, "lib" + build + ".so");
  Start();
  keys_[0] = NewPlayer("red");
  keys_[1] = NewPlayer("blue");
}

void Desk::Start() {
  server::Options options;
  options.listen = address_;
  options.data_dir = data();
  options.plugins = plugins();
  options.database_url = database_.url();
  absl::StatusOr<std::unique_ptr<server::Server>> started = server::Server::Start(options);
  ASSERT_TRUE(started.ok()) << started.status();
  server_ = *std::move(started);
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  channel_ = grpc::CreateCustomChannel(address_, grpc::InsecureChannelCredentials(), arguments);
}

std::string Desk::operator_key() const {
  return base::ReadOperatorKey(data() + "/" + std::string(base::kOperatorKeyFile)).value_or("none");
}

void Desk::Drop(const std::string& build, const std::string& file) {
  const std::string draft = plugins() + "/.draft";
  fs::copy_file(PathOf(build), draft, fs::copy_options::overwrite_existing);
  ::chmod(draft.c_str(), 0755);
  // Loading goes by age; copies of one second must differ.
  static auto age = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(draft, age += std::chrono::seconds(1));
  fs::rename(draft, plugins() + "/" + file);
}

std::string Desk::Sha256Of(const std::string& build) {
  std::ifstream file(PathOf(build), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_FALSE(bytes.empty()) << PathOf(build);
  return base::Hex(base::AsView(base::Sha256(bytes)));
}

void Desk::Authorize(grpc::ClientContext& context, const std::string& key) {
  if (!key.empty()) context.AddMetadata("authorization", "Bearer " + key);
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
}

v1::LoadRulesetsResponse Desk::Load() {
  grpc::ClientContext context;
  Authorize(context, operator_key());
  v1::LoadRulesetsRequest request;
  request.set_request_id(NewRequestId());
  v1::LoadRulesetsResponse response;
  const grpc::Status status =
      v1::AdminService::NewStub(channel_)->LoadRulesets(&context, request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response;
}

v1::ListRulesetBuildsResponse Desk::List() {
  grpc::ClientContext context;
  Authorize(context, operator_key());
  v1::ListRulesetBuildsResponse response;
  const grpc::Status status =
      v1::AdminService::NewStub(channel_)->ListRulesetBuilds(&context, {}, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response;
}

grpc::Status Desk::Retire(const std::string& build) {
  grpc::ClientContext context;
  Authorize(context, operator_key());
  v1::RetireRulesetBuildRequest request;
  request.set_request_id(NewRequestId());
  request.set_sha256(Sha256Of(build));
  v1::RetireRulesetBuildResponse response;
  const grpc::Status status =
      v1::AdminService::NewStub(channel_)->RetireRulesetBuild(&context, request, &response);
  if (status.ok()) {
    EXPECT_TRUE(response.build().retired());
    EXPECT_FALSE(response.build().preferred());
  }
  return status;
}

std::string Desk::NewPlayer(const std::string& name) {
  grpc::ClientContext context;
  Authorize(context, "");
  v1::CreatePlayerRequest request;
  request.set_request_id(NewRequestId());
  request.set_name(name);
  v1::CreatePlayerResponse response;
  const grpc::Status status =
      v1::PlayerService::NewStub(channel_)->CreatePlayer(&context, request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.api_key();
}

std::string Desk::NewGame() {
  const auto games = v1::GameService::NewStub(channel_);
  grpc::ClientContext creating;
  Authorize(creating, keys_[0]);
  v1::CreateGameRequest create;
  create.set_request_id(NewRequestId());
  create.set_ruleset_id("sprint");
  create.set_preset("long");
  create.set_seat(0);
  v1::CreateGameResponse created;
  grpc::Status status = games->CreateGame(&creating, create, &created);
  EXPECT_TRUE(status.ok()) << status.error_message();
  grpc::ClientContext joining;
  Authorize(joining, keys_[1]);
  v1::JoinGameRequest join;
  join.set_request_id(NewRequestId());
  join.set_game_id(created.game().game_id());
  v1::JoinGameResponse joined;
  status = games->JoinGame(&joining, join, &joined);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return created.game().game_id();
}

v1::Game Desk::Game(const std::string& game_id) {
  grpc::ClientContext context;
  Authorize(context, keys_[0]);
  v1::GetGameRequest request;
  request.set_game_id(game_id);
  v1::GetGameResponse response;
  const grpc::Status status =
      v1::GameService::NewStub(channel_)->GetGame(&context, request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.game();
}

grpc::Status Desk::PlayOne(const std::string& game_id, int seat) {
  const auto games = v1::GameService::NewStub(channel_);
  grpc::ClientContext asking;
  Authorize(asking, keys_[seat]);
  v1::ListLegalActionsRequest ask;
  ask.set_game_id(game_id);
  v1::ListLegalActionsResponse legal;
  grpc::Status status = games->ListLegalActions(&asking, ask, &legal);
  if (!status.ok()) return status;
  grpc::ClientContext playing;
  Authorize(playing, keys_[seat]);
  v1::PlayActionsRequest play;
  play.set_request_id(NewRequestId());
  play.set_game_id(game_id);
  play.add_actions()->set_action(legal.actions(0).action());
  v1::PlayActionsResponse played;
  return games->PlayActions(&playing, play, &played);
}

grpc::Status Desk::Play(const std::string& game_id, int actions) {
  for (int i = 0; i < actions; ++i) {
    const v1::Game game = Game(game_id);
    if (game.seats_to_act().empty()) break;
    const grpc::Status status = PlayOne(game_id, game.seats_to_act(0));
    if (!status.ok()) return status;
  }
  return grpc::Status::OK;
}

std::vector<v1::Event> Desk::Events(const std::string& game_id) {
  grpc::ClientContext context;
  Authorize(context, keys_[0]);
  v1::ListEventsRequest request;
  request.set_game_id(game_id);
  request.set_page_size(1'000);
  v1::ListEventsResponse response;
  const grpc::Status status =
      v1::HistoryService::NewStub(channel_)->ListEvents(&context, request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return {response.events().begin(), response.events().end()};
}

int Desk::Replay(const std::string& game_id) {
  grpc::ClientContext context;
  Authorize(context, keys_[0]);
  v1::StreamReplayRequest request;
  request.set_game_id(game_id);
  const auto reader = v1::HistoryService::NewStub(channel_)->StreamReplay(&context, request);
  int count = 0;
  for (v1::StreamReplayResponse step; reader->Read(&step);) ++count;
  const grpc::Status status = reader->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  return count;
}

}  // namespace astragal::admin
