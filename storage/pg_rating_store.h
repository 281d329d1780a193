// RatingStore on PostgreSQL. Owns nothing; the pool must outlive it. Thread-safe.
#ifndef ASTRAGAL_STORAGE_PG_RATING_STORE_H_
#define ASTRAGAL_STORAGE_PG_RATING_STORE_H_

#include <string>
#include <utility>
#include <vector>

#include "storage/pool.h"
#include "storage/rating_store.h"

namespace astragal::storage {

class PgRatingStore : public RatingStore {
 public:
  explicit PgRatingStore(Pool& pool) : pool_(pool) {}

  absl::StatusOr<std::optional<Answer>> FindAnswer(base::PlayerId account,
                                                   base::RequestId request) override;
  absl::Status KeepAnswer(const Answer& answer) override;

  absl::StatusOr<std::vector<FinishedGame>> FinishedGames(base::Instant now, size_t limit) override;
  absl::Status Discard(absl::Span<const int64_t> outbox) override;
  absl::Status NoteNoShows(absl::Span<const NoShow> missed) override;
  absl::Status Postpone(absl::Span<const int64_t> outbox, base::Instant due) override;

  absl::StatusOr<PoolRecord> EnsurePool(const PoolRecord& pool) override;
  absl::StatusOr<PoolRecord> GetPool(const std::string& name) override;
  absl::StatusOr<std::vector<PoolRecord>> ListPools(const std::string& after,
                                                    size_t limit) override;
  absl::StatusOr<std::vector<PoolRecord>> PoolsByNumber(absl::Span<const int32_t> numbers) override;

  absl::StatusOr<std::vector<ListedStanding>> Standings(
      int32_t pool, absl::Span<const base::PlayerId> players) override;
  absl::StatusOr<std::vector<PairStanding>> Pairs(int32_t pool,
                                                  absl::Span<const PlayerPair> pairs) override;
  absl::StatusOr<std::vector<EstimateRecord>> Estimates(
      int32_t pool, absl::Span<const base::PlayerId> players) override;
  absl::Status Estimate(int32_t pool, const EstimateRecord& estimate,
                        const Answer& answer) override;
  absl::StatusOr<bool> Rate(const RatingBatch& batch) override;
  absl::StatusOr<bool> Pin(const PoolRecord& pool, const ListedStanding& standing,
                           const std::optional<Answer>& answer) override;

  absl::StatusOr<std::vector<std::pair<int32_t, ListedStanding>>> RatingsOf(
      base::PlayerId player) override;
  absl::StatusOr<std::vector<HistoryEntry>> History(const PoolRecord& pool, base::PlayerId player,
                                                    int64_t before, size_t limit) override;
  absl::StatusOr<std::optional<StepRecord>> StepAt(const PoolRecord& pool, base::PlayerId player,
                                                   base::Instant at) override;
  absl::StatusOr<std::vector<ListedStanding>> ListAfter(int32_t pool,
                                                        const std::optional<ListMark>& after,
                                                        size_t limit) override;
  absl::StatusOr<std::vector<ListedStanding>> ListBefore(int32_t pool, const ListMark& before,
                                                         size_t limit) override;
  absl::StatusOr<int64_t> CountBefore(int32_t pool, const ListMark& place) override;
  absl::StatusOr<std::vector<PairStanding>> HeadToHead(base::PlayerId one,
                                                       base::PlayerId other) override;
  absl::StatusOr<Conduct> ConductOf(base::PlayerId player, size_t limit) override;
  absl::StatusOr<std::pair<int32_t, RatedMatchRecord>> FindMatch(base::MatchId match) override;

  absl::StatusOr<std::vector<RatedMatchRecord>> Matches(int32_t pool, int64_t after,
                                                        size_t limit) override;
  absl::StatusOr<std::vector<RatedMatchRecord>> MatchesOf(int32_t pool, base::PlayerId player,
                                                          base::Instant since, int64_t after,
                                                          size_t limit) override;
  absl::StatusOr<std::vector<StepRecord>> Steps(const PoolRecord& pool, int64_t after,
                                                int64_t until) override;
  absl::StatusOr<std::vector<ListedStanding>> AllStandings(int32_t pool, base::PlayerId after,
                                                           size_t limit) override;
  absl::StatusOr<std::optional<int64_t>> FindCheckpoint(const PoolRecord& pool,
                                                        int64_t order) override;
  absl::StatusOr<std::vector<ListedStanding>> CheckpointStandings(int32_t pool, int64_t checkpoint,
                                                                  base::PlayerId after,
                                                                  size_t limit) override;
  absl::StatusOr<std::vector<PairStanding>> CheckpointPairs(int32_t pool, int64_t checkpoint,
                                                            const PlayerPair& after,
                                                            size_t limit) override;
  absl::StatusOr<StandingsCheck> CheckStandings(size_t limit) override;
  absl::StatusOr<int32_t> BeginShadow(const PoolRecord& pool) override;
  absl::Status WriteShadow(const PoolRecord& pool, int32_t shadow,
                           absl::Span<const StepRecord> steps) override;
  absl::StatusOr<bool> Switch(const RatingSwitch& change) override;

  absl::Status TakeSnapshot(int32_t pool, const std::string& day, base::Instant now) override;
  absl::StatusOr<std::vector<Snapshot>> Snapshots(int32_t pool) override;
  absl::StatusOr<std::vector<ListedStanding>> SnapshotRows(int32_t pool, const std::string& day,
                                                           int64_t after, size_t limit) override;
  absl::StatusOr<std::vector<ListedStanding>> SnapshotOf(
      int32_t pool, const std::string& day, absl::Span<const base::PlayerId> players) override;
  absl::StatusOr<std::optional<int64_t>> RankIn(int32_t pool, const std::string& day,
                                                base::PlayerId player) override;
  absl::Status SetHousehold(absl::Span<const base::PlayerId> players,
                            const Answer& answer) override;

  absl::StatusOr<std::vector<PoolRecord>> PoolsToRefresh(base::Instant before,
                                                         size_t limit) override;
  absl::Status Relist(int32_t pool, absl::Span<const ListedStanding> standings) override;
  absl::Status MarkRefreshed(int32_t pool, base::Instant at) override;
  absl::StatusOr<std::vector<PoolRecord>> PoolsWithoutCheckpoint(base::Instant before,
                                                                 size_t limit) override;
  absl::Status TakeCheckpoint(int32_t pool, base::Instant now) override;

 private:
  // Every row of a reading statement, made by `make`.
  template <typename T, typename Make>
  absl::StatusOr<std::vector<T>> ReadAll(const Statement& statement, const Params& params,
                                         Make make);
  absl::StatusOr<std::vector<ListedStanding>> ReadListed(const Statement& statement,
                                                         const Params& params);
  absl::Status Write(const Statement& statement, const Params& params);
  absl::StatusOr<bool> WriteIfHeld(const Statement& statement, const Params& params);

  Pool& pool_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_PG_RATING_STORE_H_
