#include "services/cli/bench_wire.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "astragal/v1/game_service.grpc.pb.h"
#include "astragal/v1/player_service.grpc.pb.h"
#include "grpc/health/v1/health.pb.h"
#include "services/cli/call_status.h"
#include "services/cli/channel.h"

namespace astragal::cli {
namespace {

using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

constexpr std::chrono::seconds kDeadline(30);

absl::Status FromGrpc(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  return DecodeStatus(status.error_code(), status.error_message(), status.error_details());
}

// Channels with the same arguments would share one connection.
std::shared_ptr<grpc::Channel> Connect(const std::string& server, int number) {
  grpc::ChannelArguments arguments;
  arguments.SetInt("astragal.bench.line", number);
  return OpenChannel(server, arguments);
}

// gRPC's contexts hold their channel, and a channel that dies on one of gRPC's own threads takes
// that thread's queue with it (1.51): contexts are gone before anybody is told of the end, so that
// whoever waits for it may drop the channels at once.

// One call, from its beginning to its answer; deletes itself.
template <typename Request, typename Response>
struct OneCall {
  std::optional<grpc::ClientContext> context{std::in_place};
  Request request;
  Response response;
  BenchWire::Done<Response> done;

  OneCall(const std::string& key, const Request& what, BenchWire::Done<Response> then)
      : request(what), done(std::move(then)) {
    if (!key.empty()) context->AddMetadata("authorization", "Bearer " + key);
    context->set_deadline(std::chrono::system_clock::now() + kDeadline);
  }
  void Finish(const grpc::Status& status) {
    const std::unique_ptr<OneCall> self(this);
    context.reset();
    done(FromGrpc(status), response);
  }
};

class WatchReader : public grpc::ClientReadReactor<v1::WatchGameResponse>,
                    public BenchWire::Stream {
 public:
  WatchReader(std::function<void(const v1::WatchGameResponse&)> take,
              std::function<void(const absl::Status&)> ended)
      : take_(std::move(take)), ended_(std::move(ended)) {}

  void Begin(v1::GameService::Stub& stub, const v1::WatchGameRequest& request,
             std::shared_ptr<WatchReader> self) {
    self_ = std::move(self);
    request_ = request;
    stub.async()->WatchGame(&*context_, &request_, this);
    StartRead(&message_);
    StartCall();
  }
  void Cancel() override {
    const std::lock_guard lock(mutex_);
    if (context_) context_->TryCancel();
  }
  void OnReadDone(bool ok) override {
    if (!ok) return;
    take_(message_);
    StartRead(&message_);
  }
  void OnDone(const grpc::Status& status) override {
    const std::shared_ptr<WatchReader> self = std::move(self_);
    {
      const std::lock_guard lock(mutex_);
      context_.reset();
    }
    ended_(FromGrpc(status));
  }

 private:
  std::function<void(const v1::WatchGameResponse&)> take_;
  std::function<void(const absl::Status&)> ended_;
  std::mutex mutex_;  // a stream may end while it is cancelled
  std::optional<grpc::ClientContext> context_{std::in_place};
  v1::WatchGameRequest request_;
  v1::WatchGameResponse message_;
  std::shared_ptr<WatchReader> self_;  // until OnDone
};

}  // namespace

struct BenchWire::Line {
  explicit Line(const std::shared_ptr<grpc::Channel>& channel)
      : games(channel), players(channel), health(channel) {}
  v1::GameService::Stub games;
  v1::PlayerService::Stub players;
  grpc::TemplatedGenericStub<HealthCheckRequest, HealthCheckResponse> health;
};

struct BenchWire::Lines {
  std::vector<std::unique_ptr<Line>> all;
  std::atomic<unsigned> next = 0;  // for calls that name none
};

BenchWire::BenchWire(const std::string& server, int connections)
    : lines_(std::make_unique<Lines>()) {
  for (int i = 0; i < connections; ++i) {
    lines_->all.push_back(std::make_unique<Line>(Connect(server, i)));
  }
}

BenchWire::~BenchWire() = default;

BenchWire::Line& BenchWire::At(int line) {
  return *lines_->all[static_cast<size_t>(line) % lines_->all.size()];
}

void BenchWire::Empty(std::function<void(const absl::Status&)> done) {
  using Call = OneCall<HealthCheckRequest, HealthCheckResponse>;
  auto* call = new Call(
      "", {},
      [done = std::move(done)](const absl::Status& status, HealthCheckResponse&) { done(status); });
  const unsigned line = lines_->next.fetch_add(1, std::memory_order_relaxed);
  lines_->all[line % lines_->all.size()]->health.UnaryCall(
      &*call->context, "/grpc.health.v1.Health/Check", {}, &call->request, &call->response,
      [call](const grpc::Status& status) { call->Finish(status); });
}

#define ASTRAGAL_BENCH_CALL(stub, Method)                                                        \
  void BenchWire::Call(int line, const std::string& key, const v1::Method##Request& request,     \
                       Done<v1::Method##Response> done) {                                        \
    auto* call =                                                                                 \
        new OneCall<v1::Method##Request, v1::Method##Response>(key, request, std::move(done));   \
    At(line).stub.async()->Method(&*call->context, &call->request, &call->response,              \
                                  [call](const grpc::Status& status) { call->Finish(status); }); \
  }
ASTRAGAL_BENCH_CALL(players, CreatePlayer)
ASTRAGAL_BENCH_CALL(games, CreateGame)
ASTRAGAL_BENCH_CALL(games, JoinGame)
ASTRAGAL_BENCH_CALL(games, ListLegalActions)
ASTRAGAL_BENCH_CALL(games, PlayActions)
#undef ASTRAGAL_BENCH_CALL

std::shared_ptr<BenchWire::Stream> BenchWire::Watch(
    int line, const v1::WatchGameRequest& request,
    std::function<void(const v1::WatchGameResponse&)> take,
    std::function<void(const absl::Status&)> ended) {
  auto reader = std::make_shared<WatchReader>(std::move(take), std::move(ended));
  reader->Begin(At(line).games, request, reader);
  return reader;
}

}  // namespace astragal::cli
