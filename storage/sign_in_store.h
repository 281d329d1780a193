// Which player stands behind a person of an outside issuer. Same contract as GameStore: blocking,
// thread-safe, STORE_UNAVAILABLE changes nothing.
#ifndef ASTRAGAL_STORAGE_SIGN_IN_STORE_H_
#define ASTRAGAL_STORAGE_SIGN_IN_STORE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "storage/player_store.h"
#include "storage/pool.h"

namespace astragal::storage {

// Owns nothing; the pool must outlive it.
class SignInStore {
 public:
  explicit SignInStore(Pool& pool) : pool_(pool) {}

  // nullopt: nobody yet.
  absl::StatusOr<std::optional<base::PlayerId>> Find(const std::string& issuer,
                                                     const std::string& subject);
  // Stores a new player for this person; false: somebody did so meanwhile, and nothing is stored.
  // ALREADY_EXISTS when the name is taken.
  absl::StatusOr<bool> Create(const std::string& issuer, const std::string& subject,
                              const PlayerRecord& player);

 private:
  Pool& pool_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_SIGN_IN_STORE_H_
