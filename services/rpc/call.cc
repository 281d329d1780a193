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

std::string BearerToken(const grpc::CallbackServerContext& context) {
  constexpr std::string_view kScheme = "bearer ";
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find("authorization");
  if (found == metadata.end()) return {};
  const std::string_view value(found->second.data(), found->second.size());
  const bool bearer = std::ranges::equal(
      value.substr(0, kScheme.size()), kScheme,
      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
  return bearer ? std::string(value.substr(kScheme.size())) : std::string();
}

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

// Counts the call in, or says why not; the function it gives counts it out and ends it.
absl::StatusOr<Calls::Finish> Calls::Admit(const grpc::CallbackServerContext& context,
                                           const google::protobuf::Message& request,
                                           Purpose purpose, grpc::ServerUnaryReactor* reactor) {
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
  return Finish([this, reactor](const absl::Status& status) {
    reactor->Finish(ToGrpc(status));
    running_.fetch_sub(1);  // last: a server that stops waits for answers that are on their way
  });
}

grpc::ServerUnaryReactor* Calls::Open(grpc::CallbackServerContext* context,
                                      const google::protobuf::Message& request,
                                      std::function<absl::Status()> work, Purpose purpose) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  const absl::StatusOr<Finish> finish = Admit(*context, request, purpose, reactor);
  if (!finish.ok()) {
    reactor->Finish(ToGrpc(finish.status()));
    return reactor;
  }
  const absl::Status posted =
      scheduler_.Post([finish = *finish, work = std::move(work)] { finish(work()); });
  if (!posted.ok()) (*finish)(posted);
  return reactor;
}

absl::StatusOr<base::PlayerId> Calls::Viewer(const std::string& token) {
  if (token.empty()) return base::PlayerId();
  const absl::StatusOr<core::Identity> identity = accounts_.Authenticate(token);
  if (!identity.ok()) return identity.status();
  return identity->player;
}

grpc::ServerUnaryReactor* Calls::Viewed(grpc::CallbackServerContext* context,
                                        const google::protobuf::Message& request,
                                        std::function<absl::Status(base::PlayerId)> work) {
  return Open(context, request, [this, token = BearerToken(*context), work = std::move(work)] {
    const absl::StatusOr<base::PlayerId> viewer = Viewer(token);
    return viewer.ok() ? work(*viewer) : viewer.status();
  });
}

grpc::ServerUnaryReactor* Calls::Identified(grpc::CallbackServerContext* context,
                                            const google::protobuf::Message& request,
                                            std::function<absl::Status(const core::Identity&)> work,
                                            Purpose purpose) {
  return Open(
      context, request,
      [this, token = BearerToken(*context), work = std::move(work)] {
        const absl::StatusOr<core::Identity> identity = accounts_.Authenticate(token);
        return identity.ok() ? work(*identity) : identity.status();
      },
      purpose);
}

absl::Status Calls::CheckOperator(const std::string& token, const std::string& operator_key) {
  if (base::ConstantTimeEqual(token, operator_key)) return absl::OkStatus();
  const absl::StatusOr<core::Identity> player = accounts_.Authenticate(token);
  if (!player.ok()) return player.status();
  return Error(Reason::kScopeMissing, "this needs the operator's key").With("scope", "operator");
}

grpc::ServerUnaryReactor* Calls::ForOperator(grpc::CallbackServerContext* context,
                                             const google::protobuf::Message& request,
                                             const std::string& operator_key,
                                             std::function<absl::Status()> work) {
  return Open(context, request,
              [this, &operator_key, token = BearerToken(*context), work = std::move(work)] {
                const absl::Status allowed = CheckOperator(token, operator_key);
                return allowed.ok() ? work() : allowed;
              });
}

grpc::ServerUnaryReactor* Calls::MutationForOperator(grpc::CallbackServerContext* context,
                                                     const google::protobuf::Message& request,
                                                     const std::string& operator_key,
                                                     std::function<void(Finish)> start) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  const absl::StatusOr<Finish> finish = Admit(*context, request, Purpose::kChange, reactor);
  if (!finish.ok()) {
    reactor->Finish(ToGrpc(finish.status()));
    return reactor;
  }
  const absl::Status posted = scheduler_.Post([this, &operator_key, token = BearerToken(*context),
                                               finish = *finish, start = std::move(start)] {
    const absl::Status allowed = CheckOperator(token, operator_key);
    allowed.ok() ? start(finish) : finish(allowed);
  });
  if (!posted.ok()) (*finish)(posted);
  return reactor;
}

grpc::ServerUnaryReactor* Calls::Mutation(
    grpc::CallbackServerContext* context, const google::protobuf::Message& request,
    std::function<void(const core::Identity&, Finish)> start) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  const absl::StatusOr<Finish> finish = Admit(*context, request, Purpose::kChange, reactor);
  if (!finish.ok()) {
    reactor->Finish(ToGrpc(finish.status()));
    return reactor;
  }
  const std::string token = BearerToken(*context);
  if (const std::optional<core::Identity> identity = accounts_.Cached(token)) {
    start(*identity, *finish);
    return reactor;
  }
  const absl::Status posted =
      scheduler_.Post([this, token, finish = *finish, start = std::move(start)] {
        const absl::StatusOr<core::Identity> identity = accounts_.Authenticate(token);
        if (!identity.ok()) return finish(identity.status());
        start(*identity, finish);
      });
  if (!posted.ok()) (*finish)(posted);
  return reactor;
}

grpc::ServerUnaryReactor* Calls::ViewedLater(grpc::CallbackServerContext* context,
                                             const google::protobuf::Message& request,
                                             std::function<void(base::PlayerId, Finish)> start) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  const absl::StatusOr<Finish> finish = Admit(*context, request, Purpose::kRead, reactor);
  if (!finish.ok()) {
    reactor->Finish(ToGrpc(finish.status()));
    return reactor;
  }
  const absl::Status posted = scheduler_.Post(
      [this, token = BearerToken(*context), finish = *finish, start = std::move(start)] {
        const absl::StatusOr<base::PlayerId> viewer = Viewer(token);
        viewer.ok() ? start(*viewer, finish) : finish(viewer.status());
      });
  if (!posted.ok()) (*finish)(posted);
  return reactor;
}

absl::Status Calls::Answer(std::function<void()> answer) {
  const base::MutexLock lock(answers_mutex_);
  if (answers_.empty()) {
    if (absl::Status posted = scheduler_.Post([this] { WriteAnswers(); }); !posted.ok()) {
      return posted;
    }
  }
  answers_.push_back(std::move(answer));
  return absl::OkStatus();
}

void Calls::WriteAnswers() {
  std::vector<std::function<void()>> answers;
  {
    const base::MutexLock lock(answers_mutex_);
    answers.swap(answers_);
  }
  for (const std::function<void()>& answer : answers) answer();
}

absl::Status Calls::AddStream(const google::protobuf::Message& request,
                              std::weak_ptr<Stream> stream) {
  if (absl::Status size = CheckSize(request); !size.ok()) return size;
  const base::MutexLock lock(mutex_);
  if (draining_) return base::Draining();
  if (streams_.size() >= prune_streams_at_) {
    std::erase_if(streams_, [](const std::weak_ptr<Stream>& weak) { return weak.expired(); });
    prune_streams_at_ = std::clamp<size_t>(2 * streams_.size(), 16, kMaxStreams);
  }
  if (streams_.size() >= kMaxStreams) {
    return Error(Reason::kRateLimited, "the server has too many streams").RetryAfterMs(1000);
  }
  streams_.push_back(std::move(stream));
  return absl::OkStatus();
}

void Calls::Drain() {
  std::vector<std::weak_ptr<Stream>> streams;
  {
    const base::MutexLock lock(mutex_);
    draining_ = true;
    streams = streams_;
  }
  for (const std::weak_ptr<Stream>& weak : streams) {
    if (const std::shared_ptr<Stream> stream = weak.lock()) stream->OnDrain();
  }
}

size_t Calls::DrainingStreams() const {
  const base::MutexLock lock(mutex_);
  if (!draining_) return 0;
  return static_cast<size_t>(std::ranges::count_if(
      streams_, [](const std::weak_ptr<Stream>& weak) { return !weak.expired(); }));
}

}  // namespace astragal::rpc
