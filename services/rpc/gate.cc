#include "services/rpc/gate.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <functional>

#include "services/base/access_reasons.h"
#include "services/base/clock.h"
#include "services/base/log.h"

namespace astragal::rpc {
namespace {

using base::Error;
using base::Reason;
using core::Restriction;
using core::Scope;

// A call that took longer is worth a line.
constexpr int64_t kSlowUs = 2'000'000;

std::string_view Metadata(const grpc::CallbackServerContext& context, const char* name) {
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find(name);
  if (found == metadata.end()) return {};
  return {found->second.data(), found->second.size()};
}

bool Changes(Effect effect) { return effect != Effect::kLooks && effect != Effect::kWatches; }

// Whether the restriction takes this from the account.
bool Takes(Restriction restriction, const Access& access) {
  if (restriction == Restriction::kBanned) return Changes(access.effect);
  return restriction == Restriction::kNoNewGames && access.effect == Effect::kBegins;
}

// Whether the answer is the same whoever asks: without a database keys cannot be looked up, and
// what needs no database is still served.
bool IsForAllAlike(const Access& access) {
  return access.who == Who::kAnybody && access.effect == Effect::kLooks &&
         access.also == Also::kNothing;
}

absl::Status RestrictedBy(const core::Identity& caller) {
  const bool banned = caller.restriction == Restriction::kBanned;
  Error error(base::kRestricted, banned ? "a moderator banned this account"
                                        : "a moderator keeps this account from new games");
  error.With("restriction", banned ? "banned" : "no_new_games");
  if (caller.restricted_until) error.With("until_ms", caller.restricted_until->micros / 1000);
  return error;
}

}  // namespace

std::string BearerToken(const grpc::CallbackServerContext& context) {
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view value = Metadata(context, "authorization");
  const bool bearer = std::ranges::equal(
      value.substr(0, kScheme.size()), kScheme,
      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
  return bearer ? std::string(value.substr(kScheme.size())) : std::string();
}

Gate::Gate(core::Accounts& accounts, Options options)
    : accounts_(accounts), options_(std::move(options)), limits_(options_.limits) {}

absl::StatusOr<std::unique_ptr<Gate>> Gate::Make(
    core::Accounts& accounts, std::span<const google::protobuf::ServiceDescriptor* const> services,
    Options options) {
  std::unique_ptr<Gate> gate(new Gate(accounts, std::move(options)));
  for (const google::protobuf::ServiceDescriptor* service : services) {
    if (absl::Status wrong = gate->Add(*service); !wrong.ok()) return wrong;
  }
  return gate;
}

absl::Status Gate::Add(const google::protobuf::ServiceDescriptor& service) {
  if (absl::Status wrong = CheckAccess(service); !wrong.ok()) return wrong;
  for (int i = 0; i < service.method_count(); ++i) {
    const auto& method = *service.method(i);
    const std::string name = service.name() + "." + method.name();
    Method& mine = methods_.emplace_back();
    mine.access = *std::ranges::find(AccessTable(), name, &Access::method);
    const auto* field = method.input_type()->FindFieldByName("game_id");
    const bool text = field != nullptr && !field->is_repeated() &&
                      field->type() == google::protobuf::FieldDescriptor::TYPE_STRING;
    if (text) mine.game_id = field;
    by_request_[method.input_type()] = &mine;
  }
  return absl::OkStatus();
}

uint64_t Gate::AddressOf(const grpc::CallbackServerContext& context) const {
  const uint64_t peer = AddressSubject(context.peer());
  if (peer != 0 || !options_.behind_proxy) return peer;
  // The proxy adds the address that it saw at the end; what stands before it is the caller's word.
  std::string_view forwarded = Metadata(context, "x-forwarded-for");
  if (const size_t comma = forwarded.rfind(','); comma != forwarded.npos) {
    forwarded.remove_prefix(comma + 1);
  }
  while (forwarded.starts_with(' ')) forwarded.remove_prefix(1);
  return forwarded.empty() ? 0 : AddressSubject(forwarded);
}

absl::StatusOr<Gate::Pass> Gate::Arrive(const grpc::CallbackServerContext& context,
                                        const google::protobuf::Message& request) {
  const auto found = by_request_.find(request.GetDescriptor());
  if (found == by_request_.end()) {
    return Error(Reason::kInternal, request.GetDescriptor()->full_name() + " is of no method");
  }
  Pass pass{.method = found->second,
            .arrived_us = base::DatabaseClock::SteadyMicros(),
            .trace = base::TraceId::FromTraceparent(Metadata(context, "traceparent"))
                         .value_or(base::TraceId::Make())};
  if (limits_.enforced()) pass.address = AddressOf(context);
  if (const auto* game_id = pass.method->game_id; game_id != nullptr) {
    std::string scratch;
    const std::string& id = request.GetReflection()->GetStringReference(request, game_id, &scratch);
    if (!id.empty()) pass.game = std::hash<std::string_view>()(id) | 1;
  }
  pass.token = BearerToken(context);
  if (options_.certificates) {
    const auto peer = context.auth_context();
    pass.certificate = peer != nullptr && peer->IsPeerAuthenticated();
  }
  return pass;
}

absl::Status Gate::Admit(const Pass& pass) {
  if (absl::Status full = limits_.TakeAddress(pass.address, pass.arrived_us); !full.ok()) {
    return full;
  }
  const Access& access = pass.method->access;
  if (access.scope == Scope::kOperate || access.scope == Scope::kModerate) return absl::OkStatus();
  const Mode mode = mode_;
  if (mode == Mode::kReadOnly && Changes(access.effect)) {
    return Error(base::kReadOnly, "nothing changes on this server for now").RetryAfterMs(5'000);
  }
  if (mode == Mode::kDraining && access.effect == Effect::kBegins) {
    return Error(Reason::kDraining, "nothing new begins on this server").RetryAfterMs(5'000);
  }
  return absl::OkStatus();
}

std::optional<core::Identity> Gate::Cached(const Pass& pass) const {
  core::Identity without_account;
  if (pass.token.empty()) {
    if (pass.certificate) without_account.scopes = core::Scopes::All();
    return without_account;
  }
  if (!options_.operator_key.empty() &&
      base::ConstantTimeEqual(pass.token, options_.operator_key)) {
    without_account.scopes = core::Scopes::All();
    return without_account;
  }
  return accounts_.Cached(pass.token);
}

absl::StatusOr<core::Identity> Gate::Authenticate(const Pass& pass) {
  if (const std::optional<core::Identity> known = Cached(pass)) return *known;
  if (absl::Status full = limits_.LookFailures(pass.address, pass.arrived_us); !full.ok()) {
    return full;
  }
  absl::StatusOr<core::Identity> identity = accounts_.Authenticate(pass.token);
  if (absl::IsUnavailable(identity.status()) && IsForAllAlike(pass.method->access)) {
    return core::Identity();
  }
  if (absl::IsUnauthenticated(identity.status())) {
    limits_.CountFailure(pass.address, pass.arrived_us);
  }
  return identity;
}

absl::Status Gate::Allow(const Pass& pass, const core::Identity& caller) const {
  const Access& access = pass.method->access;
  const bool nobody = caller.player.is_nil() && caller.scopes.bits() == 0;
  if (nobody) {
    if (access.who == Who::kAnybody) return absl::OkStatus();
    return Error(Reason::kTokenMissing, "this call needs metadata `authorization: Bearer KEY`");
  }
  if (access.who == Who::kPlayer && caller.player.is_nil()) {
    return Error(Reason::kScopeMissing, "this needs the key of a player").With("scope", "player");
  }
  if (!caller.scopes.Has(access.scope)) {
    const std::string scope(core::WordOf(access.scope));
    return Error(Reason::kScopeMissing, "this needs a key with scope " + scope)
        .With("scope", scope);
  }
  return Takes(caller.restriction, access) ? RestrictedBy(caller) : absl::OkStatus();
}

absl::Status Gate::Enter(Pass& pass, const core::Identity& caller) {
  if (absl::Status refused = Allow(pass, caller); !refused.ok()) return refused;
  pass.player = caller.player;
  const Access& access = pass.method->access;
  if (access.scope == Scope::kOperate || access.scope == Scope::kModerate) return absl::OkStatus();
  // New accounts count as tries: both are how one caller becomes many.
  if (caller.player.is_nil() && Changes(access.effect)) {
    absl::Status full = limits_.LookFailures(pass.address, pass.arrived_us);
    if (!full.ok()) return full;
    limits_.CountFailure(pass.address, pass.arrived_us);
  }
  absl::Status full = limits_.TakeKey(caller.player, access.effect, pass.game, pass.arrived_us);
  if (full.ok() && Changes(access.effect)) {
    full = limits_.TakeCapacity(access.effect, pass.arrived_us);
  }
  return full;
}

void Gate::Leave(const Pass& pass, const absl::Status& status, int code) {
  Method& method = *pass.method;
  const int64_t now = base::DatabaseClock::SteadyMicros();
  const int64_t took = now - pass.arrived_us;
  ++method.by_code[std::min<size_t>(static_cast<size_t>(code), method.by_code.size() - 1)];
  const bool stream = method.access.effect == Effect::kWatches;
  if (!stream) method.micros.Record(took);
  if (status.ok() && method.access.effect == Effect::kActs) {
    limits_.Accepted(pass.player, pass.game, now);
  }
  const bool slow = !stream && took > kSlowUs;
  if (!options_.log_all_calls && !slow) return;
  const Reason reason = base::ReasonOf(status);
  const base::TraceScope scope(pass.trace);
  base::Log(
      slow ? base::Severity::kWarning : base::Severity::kInfo, slow ? "slow call" : "call",
      {{"method", std::string(method.access.method)},
       {"code", std::to_string(code)},
       {"reason", reason == Reason::kUnspecified ? "" : std::string(base::InfoOf(reason).word)},
       {"took_us", std::to_string(took)},
       {"player", pass.player.is_nil() ? "" : pass.player.ToText()}});
}

}  // namespace astragal::rpc
