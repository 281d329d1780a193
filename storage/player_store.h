// The store of players and their API keys. Same contract as GameStore: blocking, thread-safe,
// STORE_UNAVAILABLE changes nothing.
//
// Mutations take an Answer: it is stored in the same transaction as the effect and kept for 24
// hours, so that a repeat of the request gets the first answer again.
#ifndef ASTRAGAL_STORAGE_PLAYER_STORE_H_
#define ASTRAGAL_STORAGE_PLAYER_STORE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/clock.h"
#include "services/base/crypto.h"
#include "services/base/ids.h"
#include "storage/answer.h"

namespace astragal::storage {

struct PlayerRecord {
  base::PlayerId id;
  std::string name;  // unique without regard to case; shown as typed
  bool bot = false;
  base::Instant created_at;
  uint32_t version = 1;  // counts updates
};

// An API key. The key itself is never stored, only its SHA-256.
struct KeyRecord {
  base::KeyId id;
  base::PlayerId player;
  base::Bytes32 hash{};
  std::string label;
  base::Instant created_at;
  std::optional<base::Instant> expires_at;
  std::optional<base::Instant> revoked_at;
  uint32_t scopes = 1;  // bits, see services/core/rights.h
  // Of its player, as FindKey finds it: a number of core::Restriction, and until when (unset: for
  // good).
  uint8_t restriction = 0;
  std::optional<base::Instant> restricted_until;
};

class PlayerStore {
 public:
  virtual ~PlayerStore() = default;

  // ALREADY_EXISTS when the name is taken (by another request).
  virtual absl::StatusOr<Mutation> CreatePlayer(const PlayerRecord& player, const KeyRecord& key,
                                                const Answer& answer) = 0;
  // NOT_FOUND for these two when there is none.
  virtual absl::StatusOr<PlayerRecord> GetPlayer(base::PlayerId id) = 0;
  virtual absl::StatusOr<PlayerRecord> GetPlayerByName(const std::string& name) = 0;
  // In order of lower-case name, names above `after` (empty: from the start), at most `limit`.
  virtual absl::StatusOr<std::vector<PlayerRecord>> ListPlayers(const std::string& after,
                                                                size_t limit) = 0;
  // Those of these players that exist, in any order; at most 1,000.
  virtual absl::StatusOr<std::vector<PlayerRecord>> GetPlayers(
      const std::vector<base::PlayerId>& ids) = 0;
  // Renames. ABORTED with STALE_VERSION when `expected_version` is not the stored one.
  virtual absl::StatusOr<Mutation> RenamePlayer(base::PlayerId id, const std::string& name,
                                                uint32_t expected_version,
                                                const Answer& answer) = 0;

  // The key with this hash whatever its state; nullopt: there is none.
  virtual absl::StatusOr<std::optional<KeyRecord>> FindKey(const base::Bytes32& hash) = 0;
  // Hashes of the keys that were revoked, or whose players were restricted or freed, at `at` or
  // later; at most `limit`.
  virtual absl::StatusOr<std::vector<base::Bytes32>> RevokedSince(base::Instant at,
                                                                  size_t limit) = 0;
  virtual absl::StatusOr<Mutation> CreateKey(const KeyRecord& key, const Answer& answer) = 0;
  // Newest first, ids below `before` (nil: from the start).
  virtual absl::StatusOr<std::vector<KeyRecord>> ListKeys(base::PlayerId player, base::KeyId before,
                                                          size_t limit) = 0;
  // NOT_FOUND when this player has no such key. Revoking a revoked key keeps the first instant.
  virtual absl::StatusOr<Mutation> RevokeKey(base::PlayerId player, base::KeyId key,
                                             base::Instant at, const Answer& answer) = 0;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_PLAYER_STORE_H_
