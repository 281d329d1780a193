#include "services/core/outages.h"

#include <algorithm>

namespace astragal::core {
namespace {

using base::Instant;
using storage::Outage;

// Two nodes that start at once may each see an outage, with other ends.
std::vector<Outage> Merged(std::vector<Outage> outages) {
  std::ranges::sort(outages, {}, &Outage::began_at);
  std::vector<Outage> merged;
  for (const Outage& outage : outages) {
    if (merged.empty() || merged.back().ended_at < outage.began_at) {
      merged.push_back(outage);
    } else {
      merged.back().ended_at = std::max(merged.back().ended_at, outage.ended_at);
    }
  }
  return merged;
}

}  // namespace

void Outages::Learn(const std::vector<Outage>& outages, Instant now) {
  const base::MutexLock lock(mutex_);
  learnt_at_ = now;
  if (outages.empty()) return;
  std::vector<Outage> all = outages_;
  all.insert(all.end(), outages.begin(), outages.end());
  std::erase_if(all, [&](const Outage& outage) {
    return outage.ended_at.micros < now.micros - kKeepMs * 1'000;
  });
  outages_ = Merged(std::move(all));
}

Instant Outages::known_until() const {
  const base::MutexLock lock(mutex_);
  return outages_.empty() ? Instant{} : outages_.back().ended_at;
}

bool Outages::IsCurrent(Instant now) const {
  const base::MutexLock lock(mutex_);
  return now.micros - learnt_at_.micros < kTrustForMs * 1'000;
}

int64_t Outages::CreditFor(const GameClock& clock, Instant now) const {
  if (clock.running < 0) return 0;
  const base::MutexLock lock(mutex_);
  int64_t inside = 0;
  for (const Outage& outage : outages_) {
    const int64_t from = std::max(outage.began_at.micros, clock.since.micros);
    const int64_t until = std::min(outage.ended_at.micros, now.micros);
    inside += std::max<int64_t>(0, until - from);
  }
  return std::max<int64_t>(0, inside - clock.credit_us);
}

}  // namespace astragal::core
