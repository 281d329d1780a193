#include "services/rpc/call.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <chrono>
#include <utility>

#include "services/rpc/status.h"

namespace astragal::rpc {

using base::Error;
using base::Reason;

std::string BearerToken(const grpc::CallbackServerContext& context) {
  constexpr std::string_view kScheme = "Bearer ";
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find("authorization");
  if (found == metadata.end()) return {};
  const std::string_view value(found->second.data(), found->second.size());
  if (!value.starts_with(kScheme)) return {};
  return std::string(value.substr(kScheme.size()));
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
  if (const std::optional<base::RequestId> id = base::RequestId::Parse(text)) return *id;
  return BadField("request_id", "must be a UUID chosen by the caller, not the nil one");
}

// Counts the call in, or says why not; the function it gives counts it out and ends it.
absl::StatusOr<Calls::Finish> Calls::Admit(grpc::CallbackServerContext* context,
                                           grpc::ServerUnaryReactor* reactor) {
  (void)context;
  if (draining_) {
    return Error(Reason::kDraining, "this server is going down; ask another one")
        .RetryAfterMs(1000);
  }
  if (running_.fetch_add(1) >= kMaxRunning) {
    running_.fetch_sub(1);
    return Error(Reason::kMailboxFull, "the server works on too many calls").RetryAfterMs(200);
  }
  return Finish([this, reactor](const absl::Status& status) {
    running_.fetch_sub(1);
    reactor->Finish(ToGrpc(status));
  });
}

grpc::ServerUnaryReactor* Calls::Open(grpc::CallbackServerContext* context,
                                      std::function<absl::Status()> work) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  absl::StatusOr<Finish> finish = Admit(context, reactor);
  if (!finish.ok()) {
    reactor->Finish(ToGrpc(finish.status()));
    return reactor;
  }
  const absl::Status posted =
      scheduler_.Post([finish = *finish, work = std::move(work)] { finish(work()); });
  if (!posted.ok()) (*finish)(posted);
  return reactor;
}

grpc::ServerUnaryReactor* Calls::Identified(
    grpc::CallbackServerContext* context, std::function<absl::Status(const core::Identity&)> work) {
  return Open(context, [this, token = BearerToken(*context), work = std::move(work)] {
    const absl::StatusOr<core::Identity> identity = accounts_.Authenticate(token);
    return identity.ok() ? work(*identity) : identity.status();
  });
}

grpc::ServerUnaryReactor* Calls::Mutation(
    grpc::CallbackServerContext* context,
    std::function<void(const core::Identity&, Finish)> start) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  const absl::StatusOr<Finish> finish = Admit(context, reactor);
  if (!finish.ok()) {
    reactor->Finish(ToGrpc(finish.status()));
    return reactor;
  }
  const auto left = context->deadline() - std::chrono::system_clock::now();
  if (left < std::chrono::milliseconds(kMinTimeLeftMs)) {
    (*finish)(Error(Reason::kDeadlineTooShort, "less than 50 ms of the call's deadline are left"));
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

}  // namespace astragal::rpc
