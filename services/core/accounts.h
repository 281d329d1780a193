// Who is who: players, their API keys, and the identity behind a bearer token.
//
// A key is 256 random bits, shown once and stored as its SHA-256; as text it is "ast_" and 64
// hexadecimal digits. Owns two bounded caches (identities, names) over the store. Thread-safe. All
// methods but Cached block on the store.
#ifndef ASTRAGAL_SERVICES_CORE_ACCOUNTS_H_
#define ASTRAGAL_SERVICES_CORE_ACCOUNTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "services/base/clock.h"
#include "services/base/crypto.h"
#include "services/base/ids.h"
#include "services/base/mutex.h"
#include "services/base/random.h"
#include "services/core/rights.h"
#include "storage/player_store.h"

namespace astragal::core {

// Who sent a call.
struct Identity {
  base::PlayerId player;  // nil: the operator without an account
  base::KeyId key;        // nil: the operator's own key or certificate
  Scopes scopes;
  Restriction restriction = Restriction::kNone;
  std::optional<base::Instant> restricted_until;  // unset: for good
};

// How a mutation is recognised when it is repeated.
struct MutationStamp {
  base::PlayerId account;  // nil without identity
  base::RequestId request;
  base::Bytes32 body_hash{};
};
// REQUEST_ID_REUSED.
absl::Status RequestReused();

class Accounts {
 public:
  static constexpr size_t kMaxNameLength = 40;
  static constexpr size_t kMaxLabelLength = 80;
  // How long an identity is trusted after the store last said which keys were revoked: a revoked
  // key is dead everywhere after this time.
  static constexpr int64_t kIdentityFreshMs = 900;
  // How often it should be asked.
  static constexpr int64_t kForgetEveryMs = 400;
  // How far back each question reaches: farther than clocks differ and transactions last.
  static constexpr int64_t kLookBackMs = 20'000;
  // More revocations at once and all identities are forgotten.
  static constexpr size_t kMaxRevoked = 1'000;
  // How long a name is shown without asking the store: another node may have renamed the player.
  static constexpr int64_t kNameFreshMs = 5'000;
  static constexpr size_t kMaxCached = 100'000;

  Accounts(storage::PlayerStore& store, const base::Clock& clock, base::Random& random)
      : store_(store), clock_(clock), random_(random) {}

  // The identity behind a token. TOKEN_MISSING (empty), TOKEN_INVALID, TOKEN_EXPIRED.
  absl::StatusOr<Identity> Authenticate(std::string_view token);
  // The same from the cache alone; nullopt: ask Authenticate.
  std::optional<Identity> Cached(std::string_view token) const ABSL_LOCKS_EXCLUDED(mutex_);

  // Drops the identities whose keys were revoked or whose players were restricted, on whatever
  // node. One question to the store stands for one about each key in use; while it cannot be asked,
  // identities age and Authenticate asks. Whether any was dropped.
  bool ForgetRevoked() ABSL_LOCKS_EXCLUDED(mutex_);

  struct NewPlayer {
    storage::PlayerRecord player;
    std::string api_key;  // empty when the request was a repeat
  };
  // BAD_FIELD, ALREADY_EXISTS, REQUEST_ID_REUSED.
  absl::StatusOr<NewPlayer> CreatePlayer(const std::string& name, bool bot,
                                         const MutationStamp& stamp);
  // A player as it would be created now, not stored. BAD_FIELD.
  absl::StatusOr<storage::PlayerRecord> MakePlayer(const std::string& name, bool bot);
  // NOT_FOUND.
  absl::StatusOr<storage::PlayerRecord> GetPlayer(base::PlayerId id);
  absl::StatusOr<storage::PlayerRecord> GetPlayerByName(const std::string& name);
  absl::StatusOr<std::vector<storage::PlayerRecord>> ListPlayers(const std::string& after,
                                                                 size_t limit);
  // BAD_FIELD, ALREADY_EXISTS, STALE_VERSION, REQUEST_ID_REUSED.
  absl::StatusOr<storage::PlayerRecord> Rename(const std::string& name, uint32_t expected_version,
                                               const MutationStamp& stamp);
  // Names of those of these players that exist.
  absl::StatusOr<absl::flat_hash_map<base::PlayerId, std::string>> Names(
      const std::vector<base::PlayerId>& ids) ABSL_LOCKS_EXCLUDED(mutex_);

  struct NewKey {
    storage::KeyRecord key;
    std::string api_key;  // empty when the request was a repeat
  };
  // What a key is to be.
  struct KeyTerms {
    base::PlayerId player;  // whose
    std::string label;
    std::optional<base::Instant> expires_at;
    Scopes scopes = kPlayerScopes;
  };
  // A key for a player who is known to exist. BAD_FIELD, REQUEST_ID_REUSED.
  absl::StatusOr<NewKey> CreateKey(const KeyTerms& terms, const MutationStamp& stamp);
  absl::StatusOr<std::vector<storage::KeyRecord>> ListKeys(base::PlayerId player,
                                                           base::KeyId before, size_t limit);
  absl::StatusOr<storage::KeyRecord> FindKey(std::string_view token);
  // A key of `player`. NOT_FOUND, REQUEST_ID_REUSED.
  absl::StatusOr<storage::KeyRecord> RevokeKey(base::PlayerId player, base::KeyId key,
                                               const MutationStamp& stamp);

 private:
  struct CachedIdentity {
    Identity identity;
    base::Instant asked_at;  // when the store was asked about this key
    std::optional<base::Instant> expires_at;
  };
  struct CachedName {
    std::string name;
    base::Instant asked_at;
  };
  struct FreshKey {
    storage::KeyRecord record;
    std::string text;
  };

  absl::StatusOr<storage::KeyRecord> KeyById(base::PlayerId player, base::KeyId id);
  FreshKey MakeKey(base::PlayerId player, const std::string& label);
  void Remember(const base::Bytes32& hash, const CachedIdentity& cached)
      ABSL_LOCKS_EXCLUDED(mutex_);

  storage::PlayerStore& store_;
  const base::Clock& clock_;
  base::Random& random_;

  mutable base::Mutex mutex_;
  absl::flat_hash_map<base::Bytes32, CachedIdentity> identities_ ABSL_GUARDED_BY(mutex_);
  base::Instant heard_at_ ABSL_GUARDED_BY(mutex_);  // of revocations, up to then
  absl::flat_hash_map<base::PlayerId, CachedName> names_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_ACCOUNTS_H_
