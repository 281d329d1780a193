// The store of players and API keys on PostgreSQL. Contract and failures: player_store.h.
//
// Each mutation is one statement that stores the answer first: who finds the answer there already
// changes nothing. Owns nothing but a reference to the pool; thread-safe.
#ifndef ASTRAGAL_STORAGE_PG_PLAYER_STORE_H_
#define ASTRAGAL_STORAGE_PG_PLAYER_STORE_H_

#include <string>
#include <vector>

#include "storage/player_store.h"
#include "storage/pool.h"

namespace astragal::storage {

class PgPlayerStore : public PlayerStore {
 public:
  static constexpr size_t kMaxListed = 1'000;
  static constexpr int64_t kAnswersKeptMs = int64_t{24} * 60 * 60 * 1'000;
  static constexpr size_t kMaxSwept = 1'000;

  explicit PgPlayerStore(Pool& pool) : pool_(pool) {}

  absl::StatusOr<Mutation> CreatePlayer(const PlayerRecord& player, const KeyRecord& key,
                                        const Answer& answer) override;
  absl::StatusOr<PlayerRecord> GetPlayer(base::PlayerId id) override;
  absl::StatusOr<PlayerRecord> GetPlayerByName(const std::string& name) override;
  absl::StatusOr<std::vector<PlayerRecord>> ListPlayers(const std::string& after,
                                                        size_t limit) override;
  absl::StatusOr<std::vector<PlayerRecord>> GetPlayers(
      const std::vector<base::PlayerId>& ids) override;
  absl::StatusOr<Mutation> RenamePlayer(base::PlayerId id, const std::string& name,
                                        uint32_t expected_version, const Answer& answer) override;
  absl::StatusOr<std::optional<KeyRecord>> FindKey(const base::Bytes32& hash) override;
  absl::StatusOr<std::vector<base::Bytes32>> RevokedSince(base::Instant at, size_t limit) override;
  absl::StatusOr<Mutation> CreateKey(const KeyRecord& key, const Answer& answer) override;
  absl::StatusOr<std::vector<KeyRecord>> ListKeys(base::PlayerId player, base::KeyId before,
                                                  size_t limit) override;
  absl::StatusOr<Mutation> RevokeKey(base::PlayerId player, base::KeyId key, base::Instant at,
                                     const Answer& answer) override;

  // Forgets at most kMaxSwept answers older than `kept_ms`, the oldest first; returns how many.
  // Call it now and then, and again at once when it returns kMaxSwept.
  absl::StatusOr<size_t> SweepAnswers(int64_t kept_ms = kAnswersKeptMs);

 private:
  absl::StatusOr<std::optional<Answer>> FindAnswer(base::PlayerId account, base::RequestId request);
  // Runs a mutation whose first column says whether it happened. When it did not, it was a repeat,
  // or `otherwise` (of its rows) says why.
  template <typename Otherwise>
  absl::StatusOr<Mutation> Mutate(const Statement& statement, const Params& params,
                                  const Answer& answer, Otherwise otherwise);

  Pool& pool_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_PG_PLAYER_STORE_H_
