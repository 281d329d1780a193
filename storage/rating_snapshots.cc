// Snapshots of lists, households and estimates: the parts of PgRatingStore that rating itself does
// not need.
#include <algorithm>
#include <utility>

#include "services/base/status.h"
#include "storage/failures.h"
#include "storage/pg_rating_store.h"
#include "storage/rating_queries.h"

namespace astragal::storage {
namespace {

using base::Error;
using base::Reason;

// $1 pool, $2 day, $3 now. As of one moment; another node may have been faster.
const Statement kTakeSnapshot = {
    "rating_take_snapshot",
    "WITH taken AS (INSERT INTO rating_snapshots (pool, day, taken_at)"
    " VALUES ($1::int, $2::date, $3::bigint) ON CONFLICT DO NOTHING RETURNING day)"
    " INSERT INTO rating_snapshot_rows SELECT t.day,"
    " row_number() OVER (ORDER BY r.lower_bound DESC, r.player DESC), r.*"
    " FROM taken t CROSS JOIN ratings r WHERE r.pool = $1::int AND r.listed"};

// $1 pool, $2 today, $3 days.
const Statement kDropSnapshots = {
    "rating_drop_snapshots",
    "WITH gone AS (DELETE FROM rating_snapshots s WHERE pool = $1::int"
    " AND day <= $2::date - $3::int AND EXISTS (SELECT FROM rating_snapshots e"
    " WHERE e.pool = s.pool AND e.day < s.day"
    " AND e.day >= date_trunc('month', s.day::timestamp)::date) RETURNING day)"
    " DELETE FROM rating_snapshot_rows r USING gone WHERE r.pool = $1::int AND r.day = gone.day"};

// $1 pool, $2 limit.
const Statement kListSnapshots = {
    "rating_list_snapshots",
    "SELECT s.day::text, s.taken_at, coalesce((SELECT max(rank) FROM rating_snapshot_rows r"
    " WHERE r.pool = s.pool AND r.day = s.day), 0),"
    " NOT EXISTS (SELECT FROM rating_snapshots e WHERE e.pool = s.pool AND e.day < s.day"
    " AND e.day >= date_trunc('month', s.day::timestamp)::date)"
    " FROM rating_snapshots s WHERE s.pool = $1::int ORDER BY s.day DESC LIMIT $2::bigint"};

// $1 pool, $2 day, $3 after, $4 limit.
const Statement kSnapshotRows = {
    "rating_snapshot_rows",
    "SELECT player, pinned, rating, deviation, volatility, matches, opponents, wins, draws,"
    " last_at, peak, peak_at, fibs_rating, fibs_experience, lower_bound, listed"
    " FROM rating_snapshot_rows WHERE pool = $1::int AND day = $2::date AND rank > $3::bigint"
    " ORDER BY rank LIMIT $4::bigint"};

// $1 pool, $2 day, $3 players.
const Statement kSnapshotOf = {
    "rating_snapshot_of",
    "SELECT player, pinned, rating, deviation, volatility, matches, opponents, wins, draws,"
    " last_at, peak, peak_at, fibs_rating, fibs_experience, lower_bound, listed"
    " FROM rating_snapshot_rows WHERE pool = $1::int AND day = $2::date"
    " AND player = ANY ($3::uuid[])"};

// $1 pool, $2 day, $3 player.
const Statement kRankIn = {"rating_rank_in",
                           "SELECT rank FROM rating_snapshot_rows WHERE pool = $1::int"
                           " AND day = $2::date AND player = $3::uuid"};

// $1 players, $2 household, then the answer. A second answer of a request undoes it all.
const Statement kSetHousehold = {
    "rating_set_household",
    "WITH answered AS (INSERT INTO answers (account, request, body_hash, payload, created_at)"
    " VALUES ($3::uuid, $4::uuid, $5::bytea, $6::bytea,"
    " (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)),"
    " alone AS (DELETE FROM households WHERE cardinality($1::uuid[]) = 1"
    " AND player = ANY ($1::uuid[]))"
    " INSERT INTO households (player, household)"
    " SELECT player, $2::uuid FROM unnest($1::uuid[]) AS p (player)"
    " WHERE cardinality($1::uuid[]) > 1 ORDER BY player"
    " ON CONFLICT (player) DO UPDATE SET household = EXCLUDED.household"};

// $1 pool, $2 players.
const Statement kEstimates = {"rating_estimates",
                              "SELECT player, level, made_at FROM rating_estimates"
                              " WHERE pool = $1::int AND player = ANY ($2::uuid[])"};

// $1 pool, $2 player, $3 level, $4 now, then the answer, which is only kept with it: whether it
// happened.
const Statement kEstimate = {
    "rating_estimate",
    "WITH noted AS (INSERT INTO rating_estimates (pool, player, level, made_at)"
    " SELECT $1::int, $2::uuid, $3::smallint, $4::bigint WHERE NOT EXISTS (SELECT FROM ratings"
    " WHERE pool = $1::int AND player = $2::uuid AND (pinned OR matches > 0))"
    " ON CONFLICT DO NOTHING RETURNING player),"
    " answered AS (INSERT INTO answers (account, request, body_hash, payload, created_at)"
    " SELECT $5::uuid, $6::uuid, $7::bytea, $8::bytea,"
    " (extract(epoch FROM clock_timestamp()) * 1000000)::bigint FROM noted)"
    " SELECT EXISTS (SELECT FROM noted)"};

}  // namespace

absl::Status PgRatingStore::TakeSnapshot(int32_t pool, const std::string& day, base::Instant now) {
  const absl::StatusOr<Rows> taken =
      pool_.Write(kTakeSnapshot, Params().Int(pool).Text(day).Int(now.micros));
  if (!taken.ok()) return Public(taken.status());
  const absl::StatusOr<Rows> dropped =
      pool_.Write(kDropSnapshots, Params().Int(pool).Text(day).Int(kSnapshotDays));
  return dropped.ok() ? absl::OkStatus() : Public(dropped.status());
}

absl::StatusOr<std::vector<Snapshot>> PgRatingStore::Snapshots(int32_t pool) {
  const absl::StatusOr<Rows> rows =
      pool_.Read(kListSnapshots, Params().Int(pool).Int(static_cast<int64_t>(kMaxListed)));
  if (!rows.ok()) return Public(rows.status());
  std::vector<Snapshot> snapshots;
  for (size_t row = 0; row < rows->size(); ++row) {
    snapshots.push_back(
        {std::string(rows->Text(row, 0)), rows->At(row, 1), rows->Int(row, 2), rows->Bool(row, 3)});
  }
  return snapshots;
}

absl::StatusOr<std::vector<ListedStanding>> PgRatingStore::SnapshotRows(int32_t pool,
                                                                        const std::string& day,
                                                                        int64_t after,
                                                                        size_t limit) {
  const absl::StatusOr<Rows> rows =
      pool_.Read(kSnapshotRows, Params().Int(pool).Text(day).Int(after).Int(
                                    static_cast<int64_t>(std::min(limit, kMaxListed))));
  if (!rows.ok()) return Public(rows.status());
  std::vector<ListedStanding> listed;
  for (size_t row = 0; row < rows->size(); ++row) listed.push_back(ListedFromRow(*rows, row, 0));
  return listed;
}

absl::StatusOr<std::vector<ListedStanding>> PgRatingStore::SnapshotOf(
    int32_t pool, const std::string& day, absl::Span<const base::PlayerId> players) {
  ArrayText ids;
  for (const base::PlayerId& player : players) ids.Uuid(player.bytes());
  const absl::StatusOr<Rows> rows =
      pool_.Read(kSnapshotOf, Params().Int(pool).Text(day).Text(std::move(ids).Take()));
  if (!rows.ok()) return Public(rows.status());
  std::vector<ListedStanding> listed;
  for (size_t row = 0; row < rows->size(); ++row) listed.push_back(ListedFromRow(*rows, row, 0));
  return listed;
}

absl::StatusOr<std::optional<int64_t>> PgRatingStore::RankIn(int32_t pool, const std::string& day,
                                                             base::PlayerId player) {
  const absl::StatusOr<Rows> rows =
      pool_.Read(kRankIn, Params().Int(pool).Text(day).Uuid(player.bytes()));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return std::optional<int64_t>();
  return std::make_optional(rows->Int(0, 0));
}

absl::StatusOr<std::vector<EstimateRecord>> PgRatingStore::Estimates(
    int32_t pool, absl::Span<const base::PlayerId> players) {
  ArrayText ids;
  for (const base::PlayerId& player : players) ids.Uuid(player.bytes());
  const absl::StatusOr<Rows> rows =
      pool_.Read(kEstimates, Params().Int(pool).Text(std::move(ids).Take()));
  if (!rows.ok()) return Public(rows.status());
  std::vector<EstimateRecord> estimates;
  for (size_t row = 0; row < rows->size(); ++row) {
    estimates.push_back({rows->Uuid<base::PlayerId>(row, 0),
                         static_cast<int32_t>(rows->Int(row, 1)), rows->At(row, 2)});
  }
  return estimates;
}

absl::Status PgRatingStore::Estimate(int32_t pool, const EstimateRecord& estimate,
                                     const Answer& answer) {
  Params params;
  params.Int(pool).Uuid(estimate.player.bytes()).Int(estimate.level).Int(estimate.made_at.micros);
  params.Uuid(answer.account.bytes()).Uuid(answer.request.bytes);
  params.Hash(answer.body_hash).Bytea(answer.payload);
  const absl::StatusOr<Rows> rows = pool_.Write(kEstimate, params);
  if (!rows.ok() && Violates(rows.status(), "a request of an account has one answer")) {
    return Error(Reason::kStaleVersion, "this request was carried out meanwhile: ask again");
  }
  if (!rows.ok()) return Public(rows.status());
  if (rows->Bool(0, 0)) return absl::OkStatus();
  return Error(Reason::kAlreadyExists,
               "this player was rated in this pool, or has estimated himself there");
}

absl::Status PgRatingStore::SetHousehold(absl::Span<const base::PlayerId> players,
                                         const Answer& answer) {
  ArrayText ids;
  for (const base::PlayerId& player : players) ids.Uuid(player.bytes());
  Params params;
  // The request names the household: nobody else needs to.
  params.Text(std::move(ids).Take()).Uuid(answer.request.bytes);
  params.Uuid(answer.account.bytes()).Uuid(answer.request.bytes);
  params.Hash(answer.body_hash).Bytea(answer.payload);
  const absl::StatusOr<Rows> rows = pool_.Write(kSetHousehold, params);
  if (rows.ok()) return absl::OkStatus();
  if (Violates(rows.status(), "a request of an account has one answer")) {
    return Error(Reason::kStaleVersion, "this request was carried out meanwhile: ask again");
  }
  return Public(rows.status());
}

}  // namespace astragal::storage
