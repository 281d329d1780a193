#include "services/rpc/call.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "services/base/derived_request.h"
#include "services/rpc/status.h"

namespace astragal::rpc {

using base::Error;
using base::Reason;

// With errors: what the log calls this request.
constexpr const char* kTraceMetadata = "astragal-trace";

base::Bytes32 BodyHash(std::string_view method, const google::protobuf::Message& request) {
  std::string bytes(method);
  bytes.push_back('\0');
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);  // maps in order of their keys
    request.SerializeToCodedStream(&coded);
  }
  return base::Sha256(bytes);
}

absl::Status BadField(std::string_view field, std::string_view why) {
  return Error(Reason::kBadField, std::string(field) + " " + std::string(why)).With("field", field);
}

absl::StatusOr<base::RequestId> ReadRequestId(const std::string& text) {
  const std::optional<base::RequestId> id = base::RequestId::Parse(text);
  if (!id) return BadField("request_id", "must be a UUID chosen by the caller, not the nil one");
  if (base::IsDerived(*id)) {
    return BadField("request_id", "must not be a UUID of version 8: those are the server's own");
  }
  return *id;
}

namespace {

// Whole games are brought in longer requests than anything else.
constexpr size_t kMaxImportBytes = 1024 * 1024;

absl::Status CheckSize(const google::protobuf::Message& request) {
  const bool imports = request.GetDescriptor()->name() == "ImportGamesRequest";
  const size_t most = imports ? kMaxImportBytes : Calls::kMaxRequestBytes;
  if (request.ByteSizeLong() <= most) return absl::OkStatus();
  return Error(Reason::kMessageTooLarge,
               "a request has at most " + std::to_string(most / 1024) + " KiB")
      .With("most_bytes", static_cast<int64_t>(most));
}

}  // namespace

// Whether there is room for a call; counts it in.
absl::Status Calls::Admit(const grpc::CallbackServerContext& context,
                          const google::protobuf::Message& request, Purpose purpose) {
  if (draining_) return base::Draining();
  if (absl::Status size = CheckSize(request); !size.ok()) return size;
  const auto left = context.deadline() - std::chrono::system_clock::now();
  if (purpose == Purpose::kChange && left < std::chrono::milliseconds(kMinTimeLeftMs)) {
    return Error(Reason::kDeadlineTooShort, "less than 50 ms of the call's deadline are left");
  }
  if (running_.fetch_add(1) >= kMaxRunning) {
    running_.fetch_sub(1);
    return Error(Reason::kMailboxFull, "the server works on too many calls").RetryAfterMs(200);
  }
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* Calls::Start(grpc::CallbackServerContext* context,
                                       const google::protobuf::Message& request, Purpose purpose,
                                       Place place, Run run) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  absl::StatusOr<Gate::Pass> arrived = gate_.Arrive(*context, request);
  if (!arrived.ok()) {
    reactor->Finish(ToGrpc(arrived.status()));
    return reactor;
  }
  const auto pass = std::make_shared<Gate::Pass>(*std::move(arrived));
  const auto answer = [this, context, reactor, pass](const absl::Status& status) {
    const base::TraceScope scope(pass->trace);
    const grpc::Status out = ToGrpc(status);
    gate_.Leave(*pass, status, out.error_code());
    if (!status.ok()) context->AddTrailingMetadata(kTraceMetadata, pass->trace.ToText());
    reactor->Finish(out);
  };
  absl::Status refused = gate_.Admit(*pass);
  if (refused.ok()) refused = Admit(*context, request, purpose);
  if (!refused.ok()) {
    answer(refused);
    return reactor;
  }
  const Finish finish = [this, answer](const absl::Status& status) {
    answer(status);
    running_.fetch_sub(1);  // last: a server that stops waits for answers that are on their way
  };
  const std::optional<core::Identity> known = gate_.Cached(*pass);
  if (known) {
    refused = gate_.Enter(*pass, *known);
    if (!refused.ok() || place == Place::kHere) {
      refused.ok() ? run(*known, finish) : finish(refused);
      return reactor;
    }
  }
  const absl::Status posted = scheduler_.Post([this, pass, known, finish, run = std::move(run)] {
    const base::TraceScope scope(pass->trace);
    if (known) return run(*known, finish);
    const absl::StatusOr<core::Identity> caller = gate_.Authenticate(*pass);
    if (!caller.ok()) return finish(caller.status());
    const absl::Status entered = gate_.Enter(*pass, *caller);
    entered.ok() ? run(*caller, finish) : finish(entered);
  });
  if (!posted.ok()) finish(posted);
  return reactor;
}

grpc::ServerUnaryReactor* Calls::Open(grpc::CallbackServerContext* context,
                                      const google::protobuf::Message& request,
                                      std::function<absl::Status()> work, Purpose purpose) {
  return Start(
      context, request, purpose, Place::kScheduler,
      [work = std::move(work)](const core::Identity&, const Finish& finish) { finish(work()); });
}

grpc::ServerUnaryReactor* Calls::Viewed(grpc::CallbackServerContext* context,
                                        const google::protobuf::Message& request,
                                        std::function<absl::Status(base::PlayerId)> work) {
  return Start(context, request, Purpose::kRead, Place::kScheduler,
               [work = std::move(work)](const core::Identity& caller, const Finish& finish) {
                 finish(work(caller.player));
               });
}

grpc::ServerUnaryReactor* Calls::Identified(grpc::CallbackServerContext* context,
                                            const google::protobuf::Message& request,
                                            std::function<absl::Status(const core::Identity&)> work,
                                            Purpose purpose) {
  return Start(context, request, purpose, Place::kScheduler,
               [work = std::move(work)](const core::Identity& caller, const Finish& finish) {
                 finish(work(caller));
               });
}

grpc::ServerUnaryReactor* Calls::Mutation(
    grpc::CallbackServerContext* context, const google::protobuf::Message& request,
    std::function<void(const core::Identity&, Finish)> start) {
  return Start(context, request, Purpose::kChange, Place::kHere, std::move(start));
}

grpc::ServerUnaryReactor* Calls::SlowMutation(
    grpc::CallbackServerContext* context, const google::protobuf::Message& request,
    std::function<void(const core::Identity&, Finish)> start) {
  return Start(context, request, Purpose::kChange, Place::kScheduler, std::move(start));
}

grpc::ServerUnaryReactor* Calls::ViewedLater(grpc::CallbackServerContext* context,
                                             const google::protobuf::Message& request,
                                             std::function<void(base::PlayerId, Finish)> start) {
  return Start(context, request, Purpose::kRead, Place::kScheduler,
               [start = std::move(start)](const core::Identity& caller, const Finish& finish) {
                 start(caller.player, finish);
               });
}

absl::Status Calls::AddStream(const grpc::CallbackServerContext& context,
                              const google::protobuf::Message& request,
                              std::weak_ptr<Stream> stream, std::optional<Gate::Pass>& pass) {
  absl::StatusOr<Gate::Pass> arrived = gate_.Arrive(context, request);
  if (!arrived.ok()) return arrived.status();
  pass = *std::move(arrived);
  if (absl::Status refused = gate_.Admit(*pass); !refused.ok()) return refused;
  if (absl::Status size = CheckSize(request); !size.ok()) return size;
  const base::MutexLock lock(mutex_);
  if (draining_) return base::Draining();
  if (streams_.size() >= prune_streams_at_) {
    std::erase_if(streams_, [](const std::weak_ptr<Stream>& weak) { return weak.expired(); });
    prune_streams_at_ = std::clamp<size_t>(2 * streams_.size(), 16, kMaxStreams);
  }
  if (streams_.size() >= kMaxStreams) {
    return Error(Reason::kRateLimited, "the server has too many streams")
        .With("limit", "streams")
        .RetryAfterMs(1000);
  }
  streams_.push_back(std::move(stream));
  return absl::OkStatus();
}

absl::StatusOr<core::Identity> Calls::EnterStream(Gate::Pass& pass) {
  const base::TraceScope scope(pass.trace);
  absl::StatusOr<core::Identity> caller = gate_.Authenticate(pass);
  if (!caller.ok()) return caller;
  if (absl::Status refused = gate_.Enter(pass, *caller); !refused.ok()) return refused;
  if (absl::Status full = gate_.limits().AddStream(pass.player, pass.address); !full.ok()) {
    return full;
  }
  pass.method->open.fetch_add(1, std::memory_order_relaxed);
  return caller;
}

void Calls::EndStream(const Gate::Pass& pass, bool entered, const absl::Status& status) {
  if (entered) {
    gate_.limits().EndStream(pass.player, pass.address);
    pass.method->open.fetch_sub(1, std::memory_order_relaxed);
  }
  if (base::ReasonOf(status) == Reason::kWatcherTooSlow) {
    pass.method->slow.fetch_add(1, std::memory_order_relaxed);
  }
  gate_.Leave(pass, status, static_cast<int>(status.code()));
}

std::vector<std::weak_ptr<Stream>> Calls::Streams() const {
  const base::MutexLock lock(mutex_);
  return streams_;
}

void Calls::RecheckStreams() {
  for (const std::weak_ptr<Stream>& weak : Streams()) {
    if (const std::shared_ptr<Stream> stream = weak.lock()) stream->OnRightsChanged();
  }
}

void Calls::Drain() {
  {
    const base::MutexLock lock(mutex_);
    draining_ = true;
  }
  for (const std::weak_ptr<Stream>& weak : Streams()) {
    if (const std::shared_ptr<Stream> stream = weak.lock()) stream->OnDrain();
  }
}

size_t Calls::streams() const {
  const base::MutexLock lock(mutex_);
  return static_cast<size_t>(std::ranges::count_if(
      streams_, [](const std::weak_ptr<Stream>& weak) { return !weak.expired(); }));
}

size_t Calls::DrainingStreams() const {
  const base::MutexLock lock(mutex_);
  if (!draining_) return 0;
  return static_cast<size_t>(std::ranges::count_if(
      streams_, [](const std::weak_ptr<Stream>& weak) { return !weak.expired(); }));
}

}  // namespace astragal::rpc
