// storage::PlayerStore in memory, with the same rules as the real one. Thread-safe.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_PLAYER_STORE_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_PLAYER_STORE_H_

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "storage/player_store.h"

namespace astragal::tests {

class SimulatedPlayerStore : public storage::PlayerStore {
 public:
  template <typename T>
  using Or = absl::StatusOr<T>;
  using Mutation = storage::Mutation;
  using Answer = storage::Answer;
  using PlayerRecord = storage::PlayerRecord;
  using KeyRecord = storage::KeyRecord;

  Or<Mutation> CreatePlayer(const PlayerRecord& player, const KeyRecord& key,
                            const Answer& answer) override;
  Or<PlayerRecord> GetPlayer(base::PlayerId id) override;
  Or<PlayerRecord> GetPlayerByName(const std::string& name) override;
  Or<std::vector<PlayerRecord>> ListPlayers(const std::string& after, size_t limit) override;
  Or<std::vector<PlayerRecord>> GetPlayers(const std::vector<base::PlayerId>& ids) override;
  Or<Mutation> RenamePlayer(base::PlayerId id, const std::string& name, uint32_t expected_version,
                            const Answer& answer) override;
  Or<std::optional<KeyRecord>> FindKey(const base::Bytes32& hash) override;
  Or<std::vector<base::Bytes32>> RevokedSince(base::Instant at, size_t limit) override;
  Or<Mutation> CreateKey(const KeyRecord& key, const Answer& answer) override;
  Or<std::vector<KeyRecord>> ListKeys(base::PlayerId player, base::KeyId before,
                                      size_t limit) override;
  Or<Mutation> RevokeKey(base::PlayerId player, base::KeyId key, base::Instant at,
                         const Answer& answer) override;

  void SetAway(bool away) { away_ = away; }
  // Called after FindKey took its answer.
  std::function<void()> after_find_key;
  int reads = 0;  // of keys and names
  // Everything that is kept, as text: a secret must not be in it.
  std::string Dump() const;

 private:
  std::optional<Mutation> Repeated(const Answer& answer) const;
  Mutation Keep(const Answer& answer);

  bool away_ = false;
  mutable std::mutex mutex_;
  std::map<base::PlayerId, PlayerRecord> players_;
  std::map<std::string, base::PlayerId> by_name_;  // in lower case
  std::map<base::KeyId, KeyRecord> keys_;
  std::map<std::tuple<base::PlayerId, base::IdBytes>, Answer> answers_;
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_PLAYER_STORE_H_
