// How every unary call runs: through the gate (gate.h), on which thread, and how it ends.
//
// A handler gives a function and gets a reactor. Functions that block run on the scheduler, never
// on a gRPC thread; what the gate refuses from what it remembers is refused at once. Thread-safe;
// the references must outlive all calls.
#ifndef ASTRAGAL_SERVICES_RPC_CALL_H_
#define ASTRAGAL_SERVICES_RPC_CALL_H_

#include <google/protobuf/message.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/mutex.h"
#include "services/base/page_token.h"
#include "services/base/scheduler.h"
#include "services/base/status.h"
#include "services/core/accounts.h"
#include "services/rpc/gate.h"

namespace astragal::rpc {

// What a request asks for, as 32 bytes: equal requests to one method have equal hashes.
base::Bytes32 BodyHash(std::string_view method, const google::protobuf::Message& request);

// BAD_FIELD naming `field`.
absl::Status BadField(std::string_view field, std::string_view why);
// The request id of a mutation. BAD_FIELD, also for one that only the server makes (see
// base/derived_request.h).
absl::StatusOr<base::RequestId> ReadRequestId(const std::string& text);
// NOT_FOUND for what is no id at all: nobody can have been given it.
template <typename Id>
absl::StatusOr<Id> ReadId(const std::string& text, std::string_view what);

// A server stream: nothing ends it but its client or the server.
class Stream {
 public:
  virtual ~Stream() = default;
  // The server goes down: the stream ends as soon as it can, with DRAINING. Any thread.
  virtual void OnDrain() = 0;
  // Keys were revoked or players restricted: the stream asks the gate again. Any thread.
  virtual void OnRightsChanged() = 0;
};

class Calls {
 public:
  // Longest request; longer ones are refused with MESSAGE_TOO_LARGE. What the transport does not
  // even take (see Server) fails there, without a reason.
  static constexpr size_t kMaxRequestBytes = 64 * 1024;
  // Calls being worked on at a time; more are refused with MAILBOX_FULL.
  static constexpr int kMaxRunning = 4'096;
  // Streams open at a time; more are refused with RATE_LIMITED.
  static constexpr size_t kMaxStreams = 10'000;
  // A mutation with less time left than this is refused before it changes anything.
  static constexpr int64_t kMinTimeLeftMs = 50;

  using Finish = std::function<void(const absl::Status&)>;
  enum class Purpose { kRead, kChange };

  Calls(core::Accounts& accounts, Gate& gate, base::Scheduler& scheduler, base::PageTokens pages)
      : accounts_(accounts), gate_(gate), scheduler_(scheduler), pages_(pages) {}

  // Work that needs no identity and may block.
  grpc::ServerUnaryReactor* Open(grpc::CallbackServerContext* context,
                                 const google::protobuf::Message& request,
                                 std::function<absl::Status()> work,
                                 Purpose purpose = Purpose::kRead);
  // Reading by somebody who may be known: nil without a key of a player.
  grpc::ServerUnaryReactor* Viewed(grpc::CallbackServerContext* context,
                                   const google::protobuf::Message& request,
                                   std::function<absl::Status(base::PlayerId viewer)> work);
  // Work of an identified caller that may block: of a player, or of staff without an account
  // (nil) where access.h says so.
  grpc::ServerUnaryReactor* Identified(grpc::CallbackServerContext* context,
                                       const google::protobuf::Message& request,
                                       std::function<absl::Status(const core::Identity&)> work,
                                       Purpose purpose = Purpose::kRead);
  // A mutation that goes on elsewhere: `start` may block; it or what it started calls Finish
  // exactly once.
  grpc::ServerUnaryReactor* SlowMutation(grpc::CallbackServerContext* context,
                                         const google::protobuf::Message& request,
                                         std::function<void(const core::Identity&, Finish)> start);
  // A mutation that goes on elsewhere: `start` must not block; it or what it started calls Finish
  // exactly once.
  grpc::ServerUnaryReactor* Mutation(grpc::CallbackServerContext* context,
                                     const google::protobuf::Message& request,
                                     std::function<void(const core::Identity&, Finish)> start);
  // Reading that goes on elsewhere, by somebody who may be known: `start` may block; it or what it
  // started calls Finish exactly once.
  grpc::ServerUnaryReactor* ViewedLater(grpc::CallbackServerContext* context,
                                        const google::protobuf::Message& request,
                                        std::function<void(base::PlayerId viewer, Finish)> start);

  core::Accounts& accounts() { return accounts_; }
  Gate& gate() { return gate_; }
  base::Scheduler& scheduler() { return scheduler_; }
  const base::PageTokens& pages() const { return pages_; }

  // Counts a stream in until it is gone, and tells it when the server goes down or rights change.
  // `pass` is set once the gate knows what is called. DRAINING, RATE_LIMITED, MESSAGE_TOO_LARGE.
  absl::Status AddStream(const grpc::CallbackServerContext& context,
                         const google::protobuf::Message& request, std::weak_ptr<Stream> stream,
                         std::optional<Gate::Pass>& pass) ABSL_LOCKS_EXCLUDED(mutex_);
  // Who watches; limits take it in until EndStream (blocks). As Gate::Authenticate and Enter.
  absl::StatusOr<core::Identity> EnterStream(Gate::Pass& pass);
  void EndStream(const Gate::Pass& pass, bool entered, const absl::Status& status);
  // Every stream asks the gate again, soon.
  void RecheckStreams() ABSL_LOCKS_EXCLUDED(mutex_);

  // From now on every call is refused with DRAINING, and streams end with it.
  void Drain() ABSL_LOCKS_EXCLUDED(mutex_);
  // Calls being worked on, and, once it drains, streams that have not ended.
  int running() const { return running_; }
  size_t DrainingStreams() const ABSL_LOCKS_EXCLUDED(mutex_);
  size_t streams() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Run = std::function<void(const core::Identity&, const Finish&)>;
  // Where a call runs when its caller is known from the cache.
  enum class Place { kHere, kScheduler };

  grpc::ServerUnaryReactor* Start(grpc::CallbackServerContext* context,
                                  const google::protobuf::Message& request, Purpose purpose,
                                  Place place, Run run);
  absl::Status Admit(const grpc::CallbackServerContext& context,
                     const google::protobuf::Message& request, Purpose purpose);
  std::vector<std::weak_ptr<Stream>> Streams() const ABSL_LOCKS_EXCLUDED(mutex_);

  core::Accounts& accounts_;
  Gate& gate_;
  base::Scheduler& scheduler_;
  const base::PageTokens pages_;
  std::atomic<bool> draining_ = false;
  std::atomic<int> running_ = 0;

  mutable base::Mutex mutex_;
  std::vector<std::weak_ptr<Stream>> streams_ ABSL_GUARDED_BY(mutex_);
  size_t prune_streams_at_ ABSL_GUARDED_BY(mutex_) = 16;  // forgets those that are gone
};

template <typename Id>
absl::StatusOr<Id> ReadId(const std::string& text, std::string_view what) {
  if (text.empty()) return BadField(std::string(what) + "_id", "is required");
  if (const std::optional<Id> id = Id::Parse(text)) return *id;
  return base::Error(base::Reason::kNotFound, "no such " + std::string(what));
}

}  // namespace astragal::rpc

#endif  // ASTRAGAL_SERVICES_RPC_CALL_H_
