// The limits of calls: what they are by default, what they are called, and how they are enforced.
//
// Three things are told apart: keys (accounts), addresses, and games in which the caller has acted.
// An accepted action gives its player and game a bucket of their own, wide enough for any clock, so
// that a game that has begun is never throttled by what its player does elsewhere. Thread-safe; no
// call waits for anything.
#ifndef ASTRAGAL_SERVICES_RPC_LIMITS_H_
#define ASTRAGAL_SERVICES_RPC_LIMITS_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "services/base/mutex.h"
#include "services/base/rate_table.h"
#include "services/core/accounts.h"
#include "services/rpc/access.h"

namespace astragal::rpc {

struct LimitValues {
  bool enforced = true;                 // of rates and streams for each; the rest always is
  base::Rate calls_per_key{30, 120};    // that look, watch, begin or manage
  base::Rate begins_per_key{2, 30};     // that begin something, besides
  base::Rate actions_per_key{30, 120};  // in games in which the player has not acted yet
  base::Rate actions_per_game{20, 40};  // of one player in one game
  base::Rate calls_per_address{300, 1'200};
  base::Rate failures_per_address{0.5, 20};  // keys that are none, and new accounts
  size_t streams_per_key = 64;
  size_t streams_per_address = 512;
  double capacity = 0;  // calls a second that change something, of all; 0: any number
};

// How many subjects of each kind are told apart.
inline constexpr size_t kMaxSubjects = 65'536;

// Where a call comes from, as limits see it: an address of IPv4, the first half of one of IPv6; 0
// for this machine, which has no limit of addresses.
uint64_t AddressSubject(std::string_view peer);

class Limits {
 public:
  struct Described {
    std::string name;
    double per_second;
    double most;
    std::string description;
  };

  explicit Limits(const LimitValues& values);

  // Each of these: OK, or RATE_LIMITED with `limit`, `subject` and how long to wait. `now` is of a
  // steady clock, in microseconds.

  // Any call from an address, before anything else is known.
  absl::Status TakeAddress(uint64_t address, int64_t now);
  // Whether this address may try another key, or make another account.
  absl::Status LookFailures(uint64_t address, int64_t now);
  void CountFailure(uint64_t address, int64_t now);
  // A call of an identified caller. `game` is 0 when it addresses none.
  absl::Status TakeKey(base::PlayerId player, Effect effect, uint64_t game, int64_t now);
  // An action was accepted: this player's actions in this game have a bucket of their own.
  void Accepted(base::PlayerId player, uint64_t game, int64_t now);
  // A call that changes something: the server's capacity. Actions are refused last.
  absl::Status TakeCapacity(Effect effect, int64_t now);

  // Counts a stream in and out.
  absl::Status AddStream(base::PlayerId player, uint64_t address)
      ABSL_LOCKS_EXCLUDED(streams_mutex_);
  void EndStream(base::PlayerId player, uint64_t address) ABSL_LOCKS_EXCLUDED(streams_mutex_);

  void set_capacity(double per_second) { capacity_ = per_second; }
  double capacity() const { return capacity_; }
  bool enforced() const { return values_.enforced; }
  std::vector<Described> Describe() const;

 private:
  using Counts = absl::flat_hash_map<uint64_t, size_t>;

  const LimitValues values_;
  std::atomic<double> capacity_;
  std::atomic<int64_t> capacity_full_at_ = 0;  // as in RateTable
  base::RateTable calls_per_key_;
  base::RateTable begins_per_key_;
  base::RateTable actions_per_key_;
  base::RateTable actions_per_game_;
  base::RateTable calls_per_address_;
  base::RateTable failures_per_address_;

  base::Mutex streams_mutex_;
  Counts streams_of_keys_ ABSL_GUARDED_BY(streams_mutex_);
  Counts streams_of_addresses_ ABSL_GUARDED_BY(streams_mutex_);
};

}  // namespace astragal::rpc

#endif  // ASTRAGAL_SERVICES_RPC_LIMITS_H_
