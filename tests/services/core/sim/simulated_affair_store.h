// storage::AffairStore over what a SimulatedStore and a SimulatedLobbyStore keep, with the same
// rules as the real one. Thread-safe.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_AFFAIR_STORE_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_AFFAIR_STORE_H_

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "services/base/mutex.h"
#include "services/base/status.h"
#include "storage/affair_store.h"
#include "tests/services/core/sim/simulated_lobby_store.h"
#include "tests/services/core/sim/simulated_store.h"

namespace astragal::tests {

class SimulatedAffairStore : public storage::AffairStore {
 public:
  SimulatedAffairStore(SimulatedStore& games, SimulatedLobbyStore& lobby)
      : games_(games), lobby_(lobby) {}

  absl::StatusOr<std::vector<storage::GameMark>> GamesOf(absl::Span<const base::PlayerId> players,
                                                         size_t most,
                                                         base::Instant since) override {
    ++asked_;
    if (away_) return Away();
    std::vector<storage::GameMark> marks;
    const SimulatedStore::Tables tables = games_.Backup();
    for (uint32_t i = 0; i < players.size(); ++i) {
      size_t count = 0;
      for (auto game = tables.games.rbegin(); game != tables.games.rend() && count < most; ++game) {
        const storage::StoredGame& stored = game->second.stored;
        const bool sits = std::ranges::any_of(
            stored.seats, [&](const auto& seat) { return seat.player == players[i]; });
        const bool is_over = stored.head.status >= storage::GameStatus::kFinished;
        if (!sits || (is_over && stored.facts.created_at < since)) continue;
        marks.push_back({i, stored.head.id, stored.head.sequence});
        ++count;
      }
    }
    return marks;
  }

  absl::StatusOr<std::vector<storage::ProposalMark>> ProposalsOf(
      absl::Span<const base::PlayerId> players, size_t most, base::Instant since) override {
    if (away_) return Away();
    std::vector<storage::ProposalMark> marks;
    for (uint32_t i = 0; i < players.size(); ++i) {
      const auto open = lobby_.ListOf(players[i], {}, most);
      if (!open.ok()) return open.status();
      for (const storage::ProposalRecord& record : *open) marks.push_back({i, record.id, true});
      for (const base::ProposalId& id : lobby_.EndedOf(players[i], since))
        marks.push_back({i, id, false});
    }
    return marks;
  }

  absl::StatusOr<std::vector<storage::RatingNews>> RatingNewsOf(
      absl::Span<const base::PlayerId> players, size_t most, base::Instant since) override {
    if (away_) return Away();
    std::vector<storage::RatingNews> all;
    const base::MutexLock lock(mutex_);
    for (uint32_t i = 0; i < players.size(); ++i) {
      size_t count = 0;
      for (const auto& [player, news] : rating_news_) {
        if (player != players[i] || news.at < since || count++ >= most) continue;
        all.push_back(news);
        all.back().player = i;
      }
    }
    return all;
  }
  // The newest so far.
  void AddRatingNews(base::PlayerId player, const storage::RatingNews& news) {
    const base::MutexLock lock(mutex_);
    rating_news_.insert(rating_news_.begin(), {player, news});
  }

  absl::StatusOr<std::vector<storage::StoredGame>> LoadGames(
      absl::Span<const base::GameId> games) override {
    if (away_) return Away();
    loaded_ += games.size();
    std::vector<storage::StoredGame> loaded;
    for (const base::GameId& id : games) {
      if (auto game = games_.Load(id); game.ok()) loaded.push_back(*std::move(game));
    }
    return loaded;
  }

  void SetAway(bool away) { away_ = away; }
  // Calls of GamesOf, and games read whole, since the start.
  size_t asked() const { return asked_; }
  size_t loaded() const { return loaded_; }

 private:
  static absl::Status Away() {
    return base::Error(base::Reason::kStoreUnavailable, "the simulated database is away");
  }

  SimulatedStore& games_;
  SimulatedLobbyStore& lobby_;
  bool away_ = false;
  size_t asked_ = 0;
  size_t loaded_ = 0;
  base::Mutex mutex_;
  std::vector<std::pair<base::PlayerId, storage::RatingNews>> rating_news_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_SIM_SIMULATED_AFFAIR_STORE_H_
