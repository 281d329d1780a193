#include "services/rpc/limits.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "services/base/status.h"

namespace astragal::rpc {
namespace {

using base::Error;
using base::Reason;

// A tenth of a second of the capacity may come at once, at least one call.
constexpr double kCapacityBurstS = 0.1;
// So much of that burst is kept for actions of games.
constexpr int64_t kKeptPercent = 30;

uint64_t Mix(uint64_t a, uint64_t b) {
  uint64_t x = a ^ (b + 0x9E3779B97F4A7C15U + (a << 6) + (a >> 2));
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

uint64_t SubjectOf(base::PlayerId player) {
  std::array<uint64_t, 2> halves{};
  std::memcpy(halves.data(), player.bytes().data(), sizeof halves);
  return Mix(halves[0], halves[1]);
}

absl::Status Refused(std::string_view limit, std::string_view subject, int64_t wait_us) {
  return Error(Reason::kRateLimited, "more than the limit " + std::string(limit) + " allows")
      .With("limit", limit)
      .With("subject", subject)
      .RetryAfterMs(wait_us / 1000 + 1);
}

absl::Status Judged(std::string_view limit, std::string_view subject, int64_t wait_us) {
  return wait_us == 0 ? absl::OkStatus() : Refused(limit, subject, wait_us);
}

}  // namespace

uint64_t AddressSubject(std::string_view peer) {
  // "ipv4:1.2.3.4:567", "ipv6:[::1]:567" (gRPC writes % signs as %25 and brackets as %5B, %5D),
  // "unix:..."; or an address alone, as proxies send it.
  std::string host(peer);
  for (const auto& [code, sign] : {std::pair{"%5B", "["}, std::pair{"%5D", "]"}}) {
    if (const size_t at = host.find(code); at != host.npos) host.replace(at, 3, sign);
  }
  if (host.starts_with("ipv4:") || host.starts_with("ipv6:")) {
    host.erase(0, 5);
    host.erase(std::min(host.rfind(':'), host.size()));
  }
  if (host.starts_with('[')) host = host.substr(1, host.find(']') - 1);
  in_addr v4{};
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) {
    return ntohl(v4.s_addr) >> 24 == 127 ? 0 : Mix(4, v4.s_addr);
  }
  in6_addr v6{};
  if (inet_pton(AF_INET6, host.c_str(), &v6) != 1 || IN6_IS_ADDR_LOOPBACK(&v6)) return 0;
  if (IN6_IS_ADDR_V4MAPPED(&v6)) {
    std::memcpy(&v4, v6.s6_addr + 12, sizeof v4);
    return ntohl(v4.s_addr) >> 24 == 127 ? 0 : Mix(4, v4.s_addr);
  }
  uint64_t network = 0;
  std::memcpy(&network, v6.s6_addr, sizeof network);
  return Mix(6, network);
}

Limits::Limits(const LimitValues& values)
    : values_(values),
      capacity_(values.capacity),
      calls_per_key_(values.calls_per_key, kMaxSubjects),
      begins_per_key_(values.begins_per_key, kMaxSubjects),
      actions_per_key_(values.actions_per_key, kMaxSubjects),
      actions_per_game_(values.actions_per_game, 4 * kMaxSubjects),
      calls_per_address_(values.calls_per_address, kMaxSubjects),
      failures_per_address_(values.failures_per_address, kMaxSubjects) {}

absl::Status Limits::TakeAddress(uint64_t address, int64_t now) {
  if (!values_.enforced || address == 0) return absl::OkStatus();
  return Judged("calls_per_address", "address", calls_per_address_.Take(address, now));
}

absl::Status Limits::LookFailures(uint64_t address, int64_t now) {
  if (!values_.enforced || address == 0) return absl::OkStatus();
  return Judged("failures_per_address", "address", failures_per_address_.Look(address, now));
}

void Limits::CountFailure(uint64_t address, int64_t now) {
  if (values_.enforced && address != 0) failures_per_address_.Take(address, now);
}

absl::Status Limits::TakeKey(base::PlayerId player, Effect effect, uint64_t game, int64_t now) {
  if (!values_.enforced || player.is_nil()) return absl::OkStatus();
  const uint64_t key = SubjectOf(player);
  if (effect == Effect::kActs) {
    if (game != 0 && actions_per_game_.TakeIfAdded(Mix(key, game), now) == 0) {
      return absl::OkStatus();
    }
    return Judged("actions_per_key", "key", actions_per_key_.Take(key, now));
  }
  const int64_t wait = calls_per_key_.Take(key, now);
  if (wait != 0 || effect != Effect::kBegins) return Judged("calls_per_key", "key", wait);
  return Judged("begins_per_key", "key", begins_per_key_.Take(key, now));
}

void Limits::Accepted(base::PlayerId player, uint64_t game, int64_t now) {
  if (values_.enforced && game != 0) actions_per_game_.Add(Mix(SubjectOf(player), game), now);
}

absl::Status Limits::TakeCapacity(Effect effect, int64_t now) {
  const double per_second = capacity_.load(std::memory_order_relaxed);
  if (per_second <= 0) return absl::OkStatus();
  const auto token = static_cast<int64_t>(1e6 / per_second);
  int64_t burst = std::max<int64_t>(static_cast<int64_t>(kCapacityBurstS * 1e6), token);
  if (effect != Effect::kActs) {
    burst = std::max(burst * (100 - kKeptPercent) / 100, token);
  }
  int64_t full_at = capacity_full_at_.load(std::memory_order_relaxed);
  while (true) {
    const int64_t after = std::max(full_at, now) + token;
    if (after - now > burst) return Refused("capacity", "server", after - now - burst);
    if (capacity_full_at_.compare_exchange_weak(full_at, after)) return absl::OkStatus();
  }
}

absl::Status Limits::AddStream(base::PlayerId player, uint64_t address) {
  const uint64_t key = player.is_nil() ? 0 : SubjectOf(player);
  const base::MutexLock lock(streams_mutex_);
  // operator[] would keep what is refused.
  const auto count = [](const Counts& counts, uint64_t subject) {
    const auto found = counts.find(subject);
    return found == counts.end() ? 0 : found->second;
  };
  constexpr int64_t kLater = 1'000'000;
  if (values_.enforced && key != 0 && count(streams_of_keys_, key) >= values_.streams_per_key) {
    return Refused("streams_per_key", "key", kLater);
  }
  if (values_.enforced && address != 0 &&
      count(streams_of_addresses_, address) >= values_.streams_per_address) {
    return Refused("streams_per_address", "address", kLater);
  }
  if (key != 0) ++streams_of_keys_[key];
  if (address != 0) ++streams_of_addresses_[address];
  return absl::OkStatus();
}

void Limits::EndStream(base::PlayerId player, uint64_t address) {
  const auto end = [](Counts& counts, uint64_t subject) {
    const auto found = counts.find(subject);
    if (found != counts.end() && --found->second == 0) counts.erase(found);
  };
  const base::MutexLock lock(streams_mutex_);
  if (!player.is_nil()) end(streams_of_keys_, SubjectOf(player));
  if (address != 0) end(streams_of_addresses_, address);
}

std::vector<Limits::Described> Limits::Describe() const {
  std::vector<Described> all;
  const auto rate = [&](const char* name, const base::Rate& value, const char* description) {
    all.push_back({name, value.per_second, value.burst, description});
  };
  rate("calls_per_key", values_.calls_per_key, "calls of one account that are no actions of games");
  rate("begins_per_key", values_.begins_per_key,
       "calls of one account that begin something, which count as calls too");
  rate("actions_per_key", values_.actions_per_key,
       "actions of one account in games in which it has not acted yet");
  rate("actions_per_game", values_.actions_per_game,
       "actions of one account in a game in which it has acted; they count nowhere else");
  rate("calls_per_address", values_.calls_per_address, "calls from one address");
  rate("failures_per_address", values_.failures_per_address,
       "calls from one address with a key that is none, and new accounts");
  all.push_back({"streams_per_key", 0, static_cast<double>(values_.streams_per_key),
                 "open streams of one account"});
  all.push_back({"streams_per_address", 0, static_cast<double>(values_.streams_per_address),
                 "open streams from one address"});
  if (const double now = capacity(); now > 0) {
    rate("capacity", {now, std::max(1.0, now * kCapacityBurstS)},
         "calls of everybody that change something");
  }
  return all;
}

}  // namespace astragal::rpc
