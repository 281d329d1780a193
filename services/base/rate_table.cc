#include "services/base/rate_table.h"

#include <algorithm>

namespace astragal::base {

RateTable::RateTable(Rate rate, size_t most)
    : rate_(rate), most_in_shard_(std::max<size_t>(1, most / kShards)) {}

int64_t RateTable::WaitFor(int64_t full_at, int64_t now, double cost) const {
  const double token = 1e6 / rate_.per_second;  // microseconds
  const double after = static_cast<double>(std::max(full_at, now) - now) + cost * token;
  const double over = after - rate_.burst * token;
  return over <= 0.5 ? 0 : std::max<int64_t>(1, static_cast<int64_t>(over));
}

int64_t RateTable::TakeFrom(int64_t& full_at, int64_t now, double cost) const {
  const int64_t wait = WaitFor(full_at, now, cost);
  if (wait == 0) {
    full_at = std::max(full_at, now) + static_cast<int64_t>(cost * 1e6 / rate_.per_second);
  }
  return wait;
}

bool RateTable::HasRoom(Shard& shard, int64_t now, int64_t unused_for) {
  if (shard.buckets.size() < most_in_shard_) return true;
  if (now < shard.sweep_at) return false;
  shard.sweep_at = now + 1'000'000;
  absl::erase_if(shard.buckets,
                 [&](const auto& bucket) { return bucket.second + unused_for <= now; });
  return shard.buckets.size() < most_in_shard_;
}

int64_t RateTable::Take(uint64_t subject, int64_t now, double cost) {
  Shard& shard = ShardOf(subject);
  const MutexLock lock(shard.mutex);
  const auto found = shard.buckets.find(subject);
  if (found != shard.buckets.end()) return TakeFrom(found->second, now, cost);
  if (!HasRoom(shard, now, 0)) return TakeFrom(shard.shared, now, cost);
  return TakeFrom(shard.buckets[subject], now, cost);
}

int64_t RateTable::TakeIfAdded(uint64_t subject, int64_t now) {
  Shard& shard = ShardOf(subject);
  const MutexLock lock(shard.mutex);
  const auto found = shard.buckets.find(subject);
  return found == shard.buckets.end() ? 1 : TakeFrom(found->second, now, 1);
}

int64_t RateTable::Look(uint64_t subject, int64_t now) const {
  const Shard& shard = ShardOf(subject);
  const MutexLock lock(shard.mutex);
  const auto found = shard.buckets.find(subject);
  return found == shard.buckets.end() ? 0 : WaitFor(found->second, now, 1);
}

void RateTable::Add(uint64_t subject, int64_t now) {
  Shard& shard = ShardOf(subject);
  const MutexLock lock(shard.mutex);
  if (shard.buckets.contains(subject) || !HasRoom(shard, now, kForgetAfter)) return;
  shard.buckets[subject] = now;
}

size_t RateTable::size() const {
  size_t size = 0;
  for (const Shard& shard : shards_) {
    const MutexLock lock(shard.mutex);
    size += shard.buckets.size();
  }
  return size;
}

}  // namespace astragal::base
