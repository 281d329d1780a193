#include "tests/e2e/client.h"

#include <gtest/gtest.h>

#include <random>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "services/base/ids.h"

namespace astragal::e2e {
namespace {

constexpr std::chrono::seconds kPatience(20);

void AddDetail(const google::protobuf::Any& any, Problem& problem) {
  google::rpc::ErrorInfo info;
  google::rpc::BadRequest bad;
  google::rpc::RetryInfo retry;
  google::rpc::PreconditionFailure precondition;
  google::rpc::QuotaFailure quota;
  if (any.UnpackTo(&info)) {
    ++problem.error_infos;
    problem.reason = info.reason();
    problem.domain = info.domain();
    problem.metadata = {info.metadata().begin(), info.metadata().end()};
  } else if (any.UnpackTo(&bad)) {
    for (const auto& field : bad.field_violations()) problem.bad_fields.push_back(field.field());
  } else if (any.UnpackTo(&retry)) {
    problem.retry_after_ms =
        retry.retry_delay().seconds() * 1000 + retry.retry_delay().nanos() / 1'000'000;
  } else if (any.UnpackTo(&precondition)) {
    for (const auto& entry : precondition.violations()) {
      problem.preconditions.push_back(entry.type());
    }
  } else if (any.UnpackTo(&quota)) {
    problem.quotas += quota.violations_size();
  }
}

}  // namespace

Problem ProblemOf(const grpc::Status& status) {
  Problem problem;
  problem.code = status.error_code();
  problem.message = status.error_message();
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) return problem;
  for (const google::protobuf::Any& any : details.details()) AddDetail(any, problem);
  return problem;
}

std::string NewRequestId() {
  static std::mutex mutex;
  static std::random_device device;
  const std::lock_guard guard(mutex);
  base::RequestId id;
  for (uint8_t& byte : id.bytes) byte = static_cast<uint8_t>(device());
  id.bytes[6] = static_cast<uint8_t>((id.bytes[6] & 0x0F) | 0x40);  // version 4: drawn by lot
  return id.ToText();
}

Client::Client(std::shared_ptr<grpc::Channel> channel, std::string token)
    : channel_(std::move(channel)),
      token_(std::move(token)),
      stubs_(v1::AuthService::NewStub(channel_), v1::EventService::NewStub(channel_),
             v1::GameService::NewStub(channel_), v1::HistoryService::NewStub(channel_),
             v1::LobbyService::NewStub(channel_), v1::MatchService::NewStub(channel_),
             v1::PlayerService::NewStub(channel_), v1::RulesetService::NewStub(channel_)) {}

void Client::Prepare(grpc::ClientContext& context) const {
  if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
  context.set_wait_for_ready(true);  // while the service restarts
  if (deadline_ms_ == 0) return;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(deadline_ms_));
}

Person NewPerson(const Service& service, const std::string& name) {
  Client client(service.Connect());
  v1::CreatePlayerRequest request;
  request.set_request_id(NewRequestId());
  request.set_name(name + " " + request.request_id().substr(0, 8));
  const auto created = client.Call(&Player::CreatePlayer, request);
  EXPECT_TRUE(created.ok()) << created.status.error_message();
  client.set_token(created->api_key());
  return {std::move(client), created->player().player_id(), created->player().name()};
}

Client ThroughOther(const Service& service, const Person& person) {
  return Client(service.Connect(), person.client.token());
}

Watcher::Watcher(const Client& client, const std::string& game_id, std::optional<uint32_t> after) {
  v1::WatchGameRequest request;
  request.set_game_id(game_id);
  if (after) request.set_after_sequence(*after);
  Client unlimited(client.channel(), client.token());
  unlimited.set_deadline_ms(0);
  unlimited.Prepare(context_);
  reader_ = client.stub<Game>().WatchGame(&context_, request);
  thread_ = std::thread([this] { Run(); });
}

Watcher::~Watcher() {
  context_.TryCancel();
  thread_.join();
}

void Watcher::Run() {
  v1::WatchGameResponse message;
  while (reader_->Read(&message)) Take(std::move(message));
  const grpc::Status status = reader_->Finish();
  const std::lock_guard guard(mutex_);
  end_ = status;
  changed_.notify_all();
}

void Watcher::Take(v1::WatchGameResponse message) {
  const std::lock_guard guard(mutex_);
  const bool first = !snapshot_;
  if (first != message.has_snapshot()) disorder_ += "the snapshot is not the first message; ";
  if (message.has_snapshot()) snapshot_ = std::move(*message.mutable_snapshot());
  if (first && snapshot_) {
    for (const v1::Seat& seat : snapshot_->game().seats()) {
      if (seat.connected()) connected_.push_back(seat.seat());
    }
  }
  if (message.has_event()) {
    const uint32_t before =
        events_.empty() ? snapshot_->game().sequence() : events_.back().sequence();
    if (message.event().sequence() != before + 1) {
      disorder_ += "event " + std::to_string(message.event().sequence()) + " follows " +
                   std::to_string(before) + "; ";
    }
    events_.push_back(std::move(*message.mutable_event()));
  }
  if (message.has_heartbeat()) ++heartbeats_;
  if (message.has_receipt()) receipts_.push_back(std::move(*message.mutable_receipt()));
  if (!message.heartbeat().ping_id().empty()) ping_ = message.heartbeat().ping_id();
  if (message.has_presence()) {
    const auto& seats = message.presence().connected_seats();
    connected_.assign(seats.begin(), seats.end());
  }
  changed_.notify_all();
}

bool Watcher::AwaitEvent(uint32_t sequence) {
  std::unique_lock lock(mutex_);
  const auto came = [&] { return !events_.empty() && events_.back().sequence() >= sequence; };
  changed_.wait_for(lock, kPatience, [&] { return came() || end_; });
  return came();
}

bool Watcher::AwaitSnapshot() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kPatience, [&] { return snapshot_ || end_; });
  return snapshot_.has_value();
}

bool Watcher::AwaitPing() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kPatience, [&] { return !ping_.empty() || end_; });
  return !ping_.empty();
}

std::string Watcher::ping() const {
  const std::lock_guard guard(mutex_);
  return ping_;
}

bool Watcher::AwaitConnected(const std::vector<int>& seats) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kPatience, [&] { return (snapshot_ && connected_ == seats) || end_; });
  return snapshot_ && connected_ == seats;
}

std::optional<grpc::Status> Watcher::AwaitEnd(int64_t timeout_ms) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(timeout_ms), [&] { return end_.has_value(); });
  return end_;
}

std::optional<v1::GameSnapshot> Watcher::snapshot() const {
  const std::lock_guard guard(mutex_);
  return snapshot_;
}

std::vector<v1::Event> Watcher::events() const {
  const std::lock_guard guard(mutex_);
  return events_;
}

std::vector<v1::Receipt> Watcher::receipts() const {
  const std::lock_guard guard(mutex_);
  return receipts_;
}

int Watcher::heartbeats() const {
  const std::lock_guard guard(mutex_);
  return heartbeats_;
}

std::string Watcher::disorder() const {
  const std::lock_guard guard(mutex_);
  return disorder_;
}

}  // namespace astragal::e2e
