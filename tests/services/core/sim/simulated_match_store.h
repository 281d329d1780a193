// storage::MatchStore over the tables of a SimulatedStore: what PostgreSQL would read there.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_MATCH_STORE_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_MATCH_STORE_H_

#include <algorithm>
#include <atomic>
#include <vector>

#include "services/base/status.h"
#include "storage/match_store.h"
#include "tests/services/core/sim/simulated_store.h"

namespace astragal::tests {

class SimulatedMatchStore : public storage::MatchStore {
 public:
  explicit SimulatedMatchStore(const SimulatedStore& store) : store_(store) {}

  // The next `count` reads answer UNAVAILABLE.
  void Fail(int count) { failures_ = count; }

  absl::StatusOr<storage::StoredMatch> GetMatch(base::MatchId id) override {
    if (failures_ > 0 && failures_-- > 0) return Away();
    const SimulatedStore::Tables tables = store_.Backup();
    if (!tables.matches.contains(id)) {
      return base::Error(base::Reason::kNotFound, "there is no such match");
    }
    return StoredOf(tables, id);
  }

  absl::StatusOr<std::vector<storage::MatchGame>> GamesOf(
      absl::Span<const base::MatchId> matches) override {
    const SimulatedStore::Tables tables = store_.Backup();
    std::vector<storage::MatchGame> games;
    for (const auto& [key, id] : tables.match_games) {
      if (std::ranges::find(matches, key.first) == matches.end()) continue;
      const storage::StoredGame& game = tables.games.at(id).stored;
      games.push_back({key.first,
                       key.second,
                       {id, game.facts.ruleset, game.facts.rules_version, game.head.status,
                        game.head.ending, game.head.sequence, game.head.actor,
                        game.facts.created_at, game.head.updated_at, game.seats}});
    }
    return games;
  }

  absl::StatusOr<std::vector<storage::StoredMatch>> ListMatches(base::PlayerId player,
                                                                bool with_hidden,
                                                                base::MatchId before,
                                                                size_t limit) override {
    const SimulatedStore::Tables tables = store_.Backup();
    std::vector<storage::StoredMatch> list;
    for (auto item = tables.matches.rbegin(); item != tables.matches.rend(); ++item) {
      const std::vector<base::PlayerId>& players = item->second.players;
      if (list.size() >= limit || (!before.is_nil() && item->first >= before)) continue;
      if (std::ranges::find(players, player) == players.end()) continue;
      const storage::StoredMatch match = StoredOf(tables, item->first);
      if (with_hidden || match.visibility == storage::Visibility::kPublic) list.push_back(match);
    }
    return list;
  }

 private:
  static absl::Status Away() {
    return base::Error(base::Reason::kStoreUnavailable, "the simulated database is away");
  }
  static storage::StoredMatch StoredOf(const SimulatedStore::Tables& tables, base::MatchId id) {
    const storage::GameFacts& first =
        tables.games.at(tables.match_games.at({id, uint16_t{1}})).stored.facts;
    return {tables.matches.at(id), first.ruleset, first.rules_version, first.terms.visibility};
  }

  const SimulatedStore& store_;
  std::atomic<int> failures_ = 0;
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_MATCH_STORE_H_
