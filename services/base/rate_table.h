// Token buckets for many subjects in bounded memory.
//
// A subject's bucket holds up to `burst` tokens and gets `per_second` of them; each call takes one
// or is told how long to wait. A bucket is kept as one number, the moment at which it will be full
// again (the "virtual scheduling" form of the generic cell rate algorithm, ITU-T I.371): a call of
// cost c moves that moment by c / per_second and is refused if it would then lie more than
// burst / per_second ahead. A bucket that is full again says nothing and may be forgotten.
//
// At most `most` subjects are told apart. When the table is full of buckets that are in use,
// newcomers share one bucket, so that making up subjects neither costs memory nor frees anybody of
// a limit. Thread-safe; a call takes well under a microsecond. Instants are microseconds of a
// steady clock.
#ifndef ASTRAGAL_SERVICES_BASE_RATE_TABLE_H_
#define ASTRAGAL_SERVICES_BASE_RATE_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "services/base/mutex.h"

namespace astragal::base {

struct Rate {
  double per_second = 0;  // above 0
  double burst = 1;       // at least 1
};

class RateTable {
 public:
  RateTable(Rate rate, size_t most);

  // Takes `cost` tokens and returns 0, or takes nothing and returns how many microseconds to wait.
  int64_t Take(uint64_t subject, int64_t now, double cost = 1);
  // As Take if this subject was added; 1 otherwise (a moment later may be soon enough).
  int64_t TakeIfAdded(uint64_t subject, int64_t now);
  // How long Take would say to wait; takes nothing.
  int64_t Look(uint64_t subject, int64_t now) const;
  // Gives a subject a bucket, full, if it has none. Forgets those added and unused for
  // kForgetAfter.
  void Add(uint64_t subject, int64_t now);

  const Rate& rate() const { return rate_; }
  size_t size() const;

  static constexpr int64_t kForgetAfter = 60'000'000;

 private:
  static constexpr size_t kShards = 16;
  using Buckets = absl::flat_hash_map<uint64_t, int64_t>;  // to the moment when it is full again
  struct Shard {
    mutable Mutex mutex;
    Buckets buckets ABSL_GUARDED_BY(mutex);
    int64_t shared ABSL_GUARDED_BY(mutex) = 0;  // of all that found no place
    int64_t sweep_at ABSL_GUARDED_BY(mutex) = 0;
  };

  Shard& ShardOf(uint64_t subject) { return shards_[subject % kShards]; }
  const Shard& ShardOf(uint64_t subject) const { return shards_[subject % kShards]; }
  int64_t WaitFor(int64_t full_at, int64_t now, double cost) const;
  int64_t TakeFrom(int64_t& full_at, int64_t now, double cost) const;
  // Room for one more; sweeps at most once a second, so that a full table costs little.
  bool HasRoom(Shard& shard, int64_t now, int64_t unused_for)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(shard.mutex);

  const Rate rate_;
  const size_t most_in_shard_;
  std::array<Shard, kShards> shards_;
};

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_RATE_TABLE_H_
