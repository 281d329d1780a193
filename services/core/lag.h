// How long the network takes between this server and a player, measured here and believed from
// nobody.
//
// A ping goes out on a stream under a random id that cannot be guessed, and the player's client
// sends the id back by a call. The time between is one way there and one way back: what a turn
// loses between the event that began it and the command that ends it. The least of the last few
// counts, so that a client which is slow once gains nothing; one that is always slow gains at most
// what a turn is given back at all (see LagCredit in game_clock.h).
//
// Owns the measurements of players who were measured lately; thread-safe, never blocks.
#ifndef ASTRAGAL_SERVICES_CORE_LAG_H_
#define ASTRAGAL_SERVICES_CORE_LAG_H_

#include <cstdint>
#include <deque>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "services/base/clock.h"
#include "services/base/ids.h"
#include "services/base/mutex.h"
#include "services/base/random.h"

namespace astragal::core {

class Lag {
 public:
  // Measurements of a player that count: the least of so many, none older than this.
  static constexpr size_t kMaxSamples = 6;
  static constexpr int64_t kFreshForMs = 60'000;
  // Pings of a player that can be answered, one for each of his streams.
  static constexpr size_t kMaxPings = 16;
  // Players who are measured at a time; more are given nothing back.
  static constexpr size_t kMaxPlayers = 100'000;

  Lag(const base::Clock& clock, base::Random& random) : clock_(clock), random_(random) {}

  // A ping that is about to be sent to this player; empty: there are too many players.
  std::string Ping(base::PlayerId player) ABSL_LOCKS_EXCLUDED(mutex_);
  // It came back at `at`: how long it took, in microseconds. NOT_FOUND for what was not sent to him
  // by this server, or was answered before.
  absl::StatusOr<int64_t> Answer(base::PlayerId player, const std::string& ping, base::Instant at)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // What counts for him now, in microseconds; 0: nothing is known.
  int64_t Of(base::PlayerId player) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Sent {
    std::string id;
    base::Instant at;
  };
  struct Sample {
    int64_t micros = 0;
    base::Instant at;
  };
  struct Player {
    std::deque<Sent> pings;
    std::deque<Sample> samples;
  };

  bool IsFresh(base::Instant at, base::Instant now) const {
    return now.micros - at.micros < kFreshForMs * 1'000;
  }
  void ForgetStale(base::Instant now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const base::Clock& clock_;
  base::Random& random_;
  mutable base::Mutex mutex_;
  absl::flat_hash_map<base::PlayerId, Player> players_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_LAG_H_
