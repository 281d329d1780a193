#include "services/core/lag.h"

#include <algorithm>
#include <array>

#include "services/base/crypto.h"
#include "services/base/status.h"

namespace astragal::core {

using base::Instant;

void Lag::ForgetStale(Instant now) {
  absl::erase_if(players_, [&](const auto& item) {
    const Player& player = item.second;
    const bool waits = !player.pings.empty() && IsFresh(player.pings.back().at, now);
    const bool counts = !player.samples.empty() && IsFresh(player.samples.back().at, now);
    return !waits && !counts;
  });
}

std::string Lag::Ping(base::PlayerId player) {
  std::array<uint8_t, 16> bytes{};
  random_.Fill(bytes);
  const Instant now = clock_.Now();
  const base::MutexLock lock(mutex_);
  if (players_.size() >= kMaxPlayers && !players_.contains(player)) {
    ForgetStale(now);
    if (players_.size() >= kMaxPlayers) return {};
  }
  std::deque<Sent>& pings = players_[player].pings;
  pings.push_back({base::Hex(base::AsView(bytes)), now});
  if (pings.size() > kMaxPings) pings.pop_front();
  return pings.back().id;
}

absl::StatusOr<int64_t> Lag::Answer(base::PlayerId player, const std::string& ping, Instant at) {
  const base::MutexLock lock(mutex_);
  const auto unknown = [] {
    return base::Error(base::Reason::kNotFound, "this server waits for no such ping of yours");
  };
  const auto known = players_.find(player);
  if (known == players_.end()) return unknown();
  std::deque<Sent>& pings = known->second.pings;
  const auto sent = std::ranges::find(pings, ping, &Sent::id);
  if (sent == pings.end()) return unknown();
  const int64_t micros = std::max<int64_t>(0, at.micros - sent->at.micros);
  pings.erase(sent);
  std::deque<Sample>& samples = known->second.samples;
  samples.push_back({micros, at});
  if (samples.size() > kMaxSamples) samples.pop_front();
  return micros;
}

int64_t Lag::Of(base::PlayerId player) const {
  const Instant now = clock_.Now();
  const base::MutexLock lock(mutex_);
  const auto known = players_.find(player);
  if (known == players_.end()) return 0;
  int64_t least = INT64_MAX;
  for (const Sample& sample : known->second.samples) {
    if (IsFresh(sample.at, now)) least = std::min(least, sample.micros);
  }
  return least == INT64_MAX ? 0 : least;
}

}  // namespace astragal::core
