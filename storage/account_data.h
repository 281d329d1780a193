// All that is kept about a player in one text, and its erasure. Same contract as GameStore:
// blocking, thread-safe, STORE_UNAVAILABLE changes nothing.
//
// Games name players by id and hash those ids: erasing takes the name, the keys and where the
// person came from, and leaves the id, so that every game replays to the same bytes.
#ifndef ASTRAGAL_STORAGE_ACCOUNT_DATA_H_
#define ASTRAGAL_STORAGE_ACCOUNT_DATA_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/clock.h"
#include "services/base/ids.h"
#include "storage/pool.h"

namespace astragal::storage {

// Owns nothing; the pool must outlive it.
class AccountData {
 public:
  // Ids of games in an export, newest first; more are counted only.
  static constexpr int64_t kMaxGames = 10'000;

  explicit AccountData(Pool& pool) : pool_(pool) {}

  // A JSON object with player, keys (without hashes), sign_ins, restriction, ratings, no_shows,
  // household, games and game_count. NOT_FOUND.
  absl::StatusOr<std::string> Export(base::PlayerId player);
  // The name becomes "erased-" and the id's digits; labels, sign-ins, no-shows, the household and
  // kept answers go; keys end at `now`. Erasing again changes nothing. NOT_FOUND.
  absl::Status Erase(base::PlayerId player, base::Instant now);

 private:
  Pool& pool_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_ACCOUNT_DATA_H_
