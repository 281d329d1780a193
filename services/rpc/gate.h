// The gate that every call passes before its handler does anything: what is called, by whom, from
// where, whether it may, and whether there is room. Counts what it sees.
//
// A method is known by its request message (each has its own, see access.h), so that a handler
// cannot forget to say which one it is, and a message that belongs to no row is refused. A call
// costs a few microseconds here and reads no database: identities come from the cache of
// core::Accounts. Thread-safe. The references must outlive it.
#ifndef ASTRAGAL_SERVICES_RPC_GATE_H_
#define ASTRAGAL_SERVICES_RPC_GATE_H_

#include <google/protobuf/message.h>
#include <grpcpp/server_context.h>

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/histogram.h"
#include "services/base/trace.h"
#include "services/core/accounts.h"
#include "services/rpc/access.h"
#include "services/rpc/limits.h"

namespace astragal::rpc {

// In the order of v1.ServerMode.
enum class Mode { kNormal = 1, kDraining, kReadOnly };

class Gate {
 public:
  struct Options {
    std::string operator_key{};  // empty: nobody has it
    bool certificates = false;   // whoever shows one that the transport verified is an operator
    bool behind_proxy = false;   // x-forwarded-for is believed of callers on this machine
    bool log_all_calls = false;  // else those that fail by our fault or are slow
    LimitValues limits{};
  };

  // One method and what was seen of it.
  struct Method {
    Access access;
    const google::protobuf::FieldDescriptor* game_id = nullptr;  // of its request, if it has one
    std::array<std::atomic<uint64_t>, 17> by_code{};             // answers, by code of gRPC
    base::Histogram micros;  // from arrival to answer; no streams
    // Of a method that streams.
    std::atomic<int64_t> open = 0;   // streams that were let in and have not ended
    std::atomic<uint64_t> sent = 0;  // messages but heartbeats
    std::atomic<uint64_t> slow = 0;  // streams that ended with WATCHER_TOO_SLOW
    // Messages, heartbeats too, that gRPC was given and has not sent: their clients read nothing.
    // At most one of a stream.
    std::atomic<int64_t> unsent = 0;
  };

  // One call on its way.
  struct Pass {
    Method* method;
    int64_t arrived_us;   // of a steady clock
    base::TraceId trace;  // see base/trace.h
    uint64_t address = 0;
    uint64_t game = 0;    // what limits know of the game that it addresses
    std::string token{};  // never logged
    bool certificate = false;
    base::PlayerId player{};  // once it is known
  };

  // FAILED_PRECONDITION when rows and methods do not fit (CheckAccess).
  static absl::StatusOr<std::unique_ptr<Gate>> Make(
      core::Accounts& accounts,
      std::span<const google::protobuf::ServiceDescriptor* const> services, Options options);

  // A call has come. INTERNAL for a request of no method.
  absl::StatusOr<Pass> Arrive(const grpc::CallbackServerContext& context,
                              const google::protobuf::Message& request);
  // Before anything is asked: address, mode, capacity as far as it is clear already.
  absl::Status Admit(const Pass& pass);
  // Who calls, from the cache; nullopt: ask Authenticate.
  std::optional<core::Identity> Cached(const Pass& pass) const;
  // The same from the store (blocks). No token: an identity without rights.
  // TOKEN_INVALID, TOKEN_EXPIRED, RATE_LIMITED.
  absl::StatusOr<core::Identity> Authenticate(const Pass& pass);
  // Whether this caller may do it now. TOKEN_MISSING, SCOPE_MISSING, RESTRICTED.
  absl::Status Allow(const Pass& pass, const core::Identity& caller) const;
  // Allow, and limits: takes from them.
  absl::Status Enter(Pass& pass, const core::Identity& caller);
  // The call is answered.
  void Leave(const Pass& pass, const absl::Status& status, int code);

  Mode mode() const { return mode_; }
  void set_mode(Mode mode) { mode_ = mode; }
  Limits& limits() { return limits_; }
  const std::deque<Method>& methods() const { return methods_; }

 private:
  Gate(core::Accounts& accounts, Options options);
  absl::Status Add(const google::protobuf::ServiceDescriptor& service);
  uint64_t AddressOf(const grpc::CallbackServerContext& context) const;

  core::Accounts& accounts_;
  const Options options_;
  Limits limits_;
  std::atomic<Mode> mode_ = Mode::kNormal;
  std::deque<Method> methods_;  // does not move them
  absl::flat_hash_map<const google::protobuf::Descriptor*, Method*> by_request_;
};

// The token of metadata `authorization: Bearer TOKEN` (the scheme in any case); empty when there is
// none.
std::string BearerToken(const grpc::CallbackServerContext& context);

}  // namespace astragal::rpc

#endif  // ASTRAGAL_SERVICES_RPC_GATE_H_
