#include "storage/pg_rating_store.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "services/base/status.h"
#include "storage/failures.h"
#include "storage/lobby_queries.h"
#include "storage/player_queries.h"
#include "storage/rating_queries.h"

namespace astragal::storage {
namespace {

using base::Error;
using base::Reason;

int64_t Limited(size_t limit, size_t most) { return static_cast<int64_t>(std::min(limit, most)); }

template <typename Number>
std::string Numbers(absl::Span<const Number> numbers) {
  ArrayText text;
  for (const Number number : numbers) text.Int(number);
  return std::move(text).Take();
}

std::string Players(absl::Span<const base::PlayerId> players) {
  ArrayText text;
  for (const base::PlayerId& player : players) text.Uuid(player.bytes());
  return std::move(text).Take();
}

Params HistoryParams(const PoolRecord& pool, base::PlayerId player, int64_t number) {
  return Params().Int(pool.number).Uuid(player.bytes()).Int(number).Int(pool.revision);
}

Params MarkParams(int32_t pool, const ListMark& mark) {
  return Params().Int(pool).Text(NumberText(mark.lower_bound)).Uuid(mark.player.bytes());
}

Params HeldParams(int32_t pool, int64_t order, int32_t revision) {
  return Params().Int(pool).Int(order).Int(revision);
}

template <typename RowsOf, typename Records>
void AppendAll(const Records& records, Params& params) {
  RowsOf columns;
  for (const auto& record : records) columns.Add(record);
  Append(std::move(columns), params);
}

void AddAnswer(const std::optional<Answer>& answer, Params& params) {
  if (!answer) {
    params.Null().Null().Null().Null();
    return;
  }
  params.Uuid(answer->account.bytes()).Uuid(answer->request.bytes);
  params.Hash(answer->body_hash).Bytea(answer->payload);
}

absl::Status Overtaken() {
  return Error(Reason::kStaleVersion, "another recomputation of this pool is under way");
}

}  // namespace

template <typename T, typename Make>
absl::StatusOr<std::vector<T>> PgRatingStore::ReadAll(const Statement& statement,
                                                      const Params& params, Make make) {
  const absl::StatusOr<Rows> rows = pool_.Read(statement, params);
  if (!rows.ok()) return Public(rows.status());
  std::vector<T> records;
  records.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) records.push_back(make(*rows, row));
  return records;
}

absl::StatusOr<std::vector<ListedStanding>> PgRatingStore::ReadListed(const Statement& statement,
                                                                      const Params& params) {
  return ReadAll<ListedStanding>(
      statement, params, [](const Rows& rows, size_t row) { return ListedFromRow(rows, row, 0); });
}

absl::Status PgRatingStore::Write(const Statement& statement, const Params& params) {
  const absl::StatusOr<Rows> rows = pool_.Write(statement, params);
  return rows.ok() ? absl::OkStatus() : Public(rows.status());
}

absl::StatusOr<bool> PgRatingStore::WriteIfHeld(const Statement& statement, const Params& params) {
  const absl::StatusOr<Rows> rows = pool_.Write(statement, params);
  if (rows.ok()) return rows->Bool(0, 0);
  if (Violates(rows.status(), "a match is rated once")) {
    return Error(Reason::kAlreadyExists, "one of these matches is rated already");
  }
  if (Violates(rows.status(), "a request of an account has one answer")) {
    return Error(Reason::kStaleVersion, "this request was carried out meanwhile: ask again");
  }
  return Public(rows.status());
}

absl::StatusOr<std::optional<Answer>> PgRatingStore::FindAnswer(base::PlayerId account,
                                                                base::RequestId request) {
  const absl::StatusOr<Rows> rows =
      pool_.Read(kFindAnswer, Params().Uuid(account.bytes()).Uuid(request.bytes));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return std::optional<Answer>();
  return std::make_optional(Answer{account, request, rows->Hash(0, 0), rows->Bytes(0, 1)});
}

absl::Status PgRatingStore::KeepAnswer(const Answer& answer) {
  Params params;
  AddAnswer(answer, params);
  return Write(kKeepAnswer, params);
}

absl::StatusOr<std::vector<FinishedGame>> PgRatingStore::FinishedGames(base::Instant now,
                                                                       size_t limit) {
  return ReadAll<FinishedGame>(kFinishedGames,
                               Params().Int(now.micros).Int(Limited(limit, kMaxListed)),
                               FinishedGameFromRow);
}

absl::Status PgRatingStore::Discard(absl::Span<const int64_t> outbox) {
  return Write(kDiscardGames, Params().Text(Numbers(outbox)));
}

absl::Status PgRatingStore::NoteNoShows(absl::Span<const NoShow> missed) {
  ArrayText outbox;
  ArrayText players;
  ArrayText games;
  ArrayText ends;
  for (const NoShow& no_show : missed) {
    outbox.Int(no_show.outbox);
    players.Uuid(no_show.player.bytes());
    games.Uuid(no_show.game.bytes());
    ends.Int(no_show.ended_at.micros);
  }
  Params params;
  for (ArrayText* column : {&outbox, &players, &games, &ends}) {
    params.Text(std::move(*column).Take());
  }
  return Write(kNoteNoShows, params);
}

absl::Status PgRatingStore::Postpone(absl::Span<const int64_t> outbox, base::Instant due) {
  return Write(kPostponeGames, Params().Text(Numbers(outbox)).Int(due.micros));
}

absl::StatusOr<PoolRecord> PgRatingStore::EnsurePool(const PoolRecord& pool) {
  absl::StatusOr<PoolRecord> found = GetPool(pool.name);
  if (found.ok() || !absl::IsNotFound(found.status())) return found;
  const absl::Status made = Write(kMakePool, Params()
                                                 .Text(pool.name)
                                                 .Text(pool.ruleset)
                                                 .Int(pool.seats)
                                                 .Text(pool.profile)
                                                 .Int(pool.created_at.micros));
  if (!made.ok()) return made;
  return GetPool(pool.name);
}

absl::StatusOr<PoolRecord> PgRatingStore::GetPool(const std::string& name) {
  const absl::StatusOr<Rows> rows = pool_.Read(kGetPool, Params().Text(name));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return Error(Reason::kNotFound, "there is no such pool of ratings");
  return PoolFromRow(*rows, 0);
}

absl::StatusOr<std::vector<PoolRecord>> PgRatingStore::ListPools(const std::string& after,
                                                                 size_t limit) {
  return ReadAll<PoolRecord>(kListPools, Params().Text(after).Int(Limited(limit, kMaxListed)),
                             PoolFromRow);
}

absl::StatusOr<std::vector<PoolRecord>> PgRatingStore::PoolsByNumber(
    absl::Span<const int32_t> numbers) {
  return ReadAll<PoolRecord>(kPoolsByNumber, Params().Text(Numbers(numbers)), PoolFromRow);
}

absl::StatusOr<std::vector<ListedStanding>> PgRatingStore::Standings(
    int32_t pool, absl::Span<const base::PlayerId> players) {
  return ReadListed(kFindStandings, Params().Int(pool).Text(Players(players)));
}

absl::StatusOr<std::vector<PairStanding>> PgRatingStore::Pairs(int32_t pool,
                                                               absl::Span<const PlayerPair> pairs) {
  ArrayText lows;
  ArrayText highs;
  for (const auto& [low, high] : pairs) {
    lows.Uuid(low.bytes());
    highs.Uuid(high.bytes());
  }
  Params params;
  params.Int(pool).Text(std::move(lows).Take()).Text(std::move(highs).Take());
  return ReadAll<PairStanding>(kFindPairs, params, PairFromRow);
}

absl::StatusOr<bool> PgRatingStore::Rate(const RatingBatch& batch) {
  Params params = HeldParams(batch.pool, batch.expected_order, batch.expected_revision);
  params.Text(Numbers(absl::MakeConstSpan(batch.outbox)));
  MatchRows matches;
  for (const RatedMatchRecord& match : batch.matches) matches.Add(match);
  std::string estimates = std::move(matches.estimates).Take();
  Append(std::move(matches), params);
  AppendAll<StepRows>(batch.steps, params);
  AppendAll<StandingRows>(batch.standings, params);
  AppendAll<PairRows>(batch.pairs, params);
  params.Text(std::move(estimates));
  return WriteIfHeld(kRate, params);
}

absl::StatusOr<bool> PgRatingStore::Pin(const PoolRecord& pool, const ListedStanding& standing,
                                        const std::optional<Answer>& answer) {
  Params params = HeldParams(pool.number, pool.next_order, pool.revision);
  AppendAll<StandingRows>(absl::MakeConstSpan(&standing, 1), params);
  AddAnswer(answer, params);
  return WriteIfHeld(kPin, params);
}

absl::StatusOr<std::vector<std::pair<int32_t, ListedStanding>>> PgRatingStore::RatingsOf(
    base::PlayerId player) {
  return ReadAll<std::pair<int32_t, ListedStanding>>(
      kRatingsOf, Params().Uuid(player.bytes()), [](const Rows& rows, size_t row) {
        return std::pair(static_cast<int32_t>(rows.Int(row, 0)), ListedFromRow(rows, row, 1));
      });
}

absl::StatusOr<std::vector<HistoryEntry>> PgRatingStore::History(const PoolRecord& pool,
                                                                 base::PlayerId player,
                                                                 int64_t before, size_t limit) {
  if (before == 0) before = std::numeric_limits<int64_t>::max();
  Params params = HistoryParams(pool, player, before);
  params.Int(Limited(limit, kMaxListed));
  return ReadAll<HistoryEntry>(kHistory, params, [](const Rows& rows, size_t row) {
    return HistoryEntry{StepFromRow(rows, row, 0), MatchFromRow(rows, row, kStepColumns)};
  });
}

absl::StatusOr<std::optional<StepRecord>> PgRatingStore::StepAt(const PoolRecord& pool,
                                                                base::PlayerId player,
                                                                base::Instant at) {
  const absl::StatusOr<Rows> rows = pool_.Read(kStepAt, HistoryParams(pool, player, at.micros));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return std::optional<StepRecord>();
  return std::make_optional(StepFromRow(*rows, 0, 0));
}

absl::StatusOr<std::vector<ListedStanding>> PgRatingStore::ListAfter(
    int32_t pool, const std::optional<ListMark>& after, size_t limit) {
  ListMark mark{std::numeric_limits<double>::infinity(), {}};
  Params params = MarkParams(pool, after.value_or(mark));
  params.Int(Limited(limit, kMaxListed));
  return ReadListed(kListAfter, params);
}

absl::StatusOr<std::vector<ListedStanding>> PgRatingStore::ListBefore(int32_t pool,
                                                                      const ListMark& before,
                                                                      size_t limit) {
  Params params = MarkParams(pool, before);
  params.Int(Limited(limit, kMaxListed));
  return ReadListed(kListBefore, params);
}

absl::StatusOr<int64_t> PgRatingStore::CountBefore(int32_t pool, const ListMark& place) {
  const absl::StatusOr<Rows> rows = pool_.Read(kCountBefore, MarkParams(pool, place));
  if (!rows.ok()) return Public(rows.status());
  return rows->Int(0, 0);
}

absl::StatusOr<std::vector<PairStanding>> PgRatingStore::HeadToHead(base::PlayerId one,
                                                                    base::PlayerId other) {
  const auto [low, high] = std::minmax(one, other);
  return ReadAll<PairStanding>(kHeadToHead, Params().Uuid(low.bytes()).Uuid(high.bytes()),
                               PairFromRow);
}

absl::StatusOr<Conduct> PgRatingStore::ConductOf(base::PlayerId player, size_t limit) {
  const absl::StatusOr<Rows> rows =
      pool_.Read(kConduct, Params().Uuid(player.bytes()).Int(Limited(limit, kMaxListed)));
  if (!rows.ok()) return Public(rows.status());
  return Conduct{rows->Int(0, 0), rows->Int(0, 1), rows->Int(0, 2), rows->Int(0, 3)};
}

absl::StatusOr<std::pair<int32_t, RatedMatchRecord>> PgRatingStore::FindMatch(base::MatchId match) {
  const absl::StatusOr<Rows> rows = pool_.Read(kFindMatch, Params().Uuid(match.bytes()));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return Error(Reason::kNotFound, "there is no such rated match");
  return std::pair(static_cast<int32_t>(rows->Int(0, 0)), MatchFromRow(*rows, 0, 1));
}

absl::StatusOr<std::vector<RatedMatchRecord>> PgRatingStore::Matches(int32_t pool, int64_t after,
                                                                     size_t limit) {
  return ReadAll<RatedMatchRecord>(kReadMatches,
                                   Params().Int(pool).Int(after).Int(Limited(limit, kMaxRead)),
                                   [](const Rows& rows, size_t row) {
                                     RatedMatchRecord match = MatchFromRow(rows, row, 0);
                                     match.estimates = IntsFromArray(rows.Text(row, kMatchColumns));
                                     return match;
                                   });
}

absl::StatusOr<std::vector<RatedMatchRecord>> PgRatingStore::MatchesOf(
    int32_t pool, base::PlayerId player, base::Instant since, int64_t after, size_t limit) {
  Params params = Params().Int(pool).Uuid(player.bytes()).Int(since.micros);
  params.Int(after).Int(Limited(limit, kMaxRead));
  return ReadAll<RatedMatchRecord>(kMatchesOfPlayer, params, [](const Rows& rows, size_t row) {
    return MatchFromRow(rows, row, 0);
  });
}

absl::StatusOr<std::vector<StepRecord>> PgRatingStore::Steps(const PoolRecord& pool, int64_t after,
                                                             int64_t until) {
  const Params params = Params().Int(pool.number).Int(after).Int(until).Int(pool.revision);
  absl::StatusOr<std::vector<StepRecord>> steps = ReadAll<StepRecord>(
      kReadSteps, params, [](const Rows& rows, size_t row) { return StepFromRow(rows, row, 0); });
  if (steps.ok()) std::ranges::reverse(*steps);
  return steps;
}

absl::StatusOr<std::vector<ListedStanding>> PgRatingStore::AllStandings(int32_t pool,
                                                                        base::PlayerId after,
                                                                        size_t limit) {
  return ReadListed(kAllStandings,
                    Params().Int(pool).Uuid(after.bytes()).Int(Limited(limit, kMaxRead)));
}

absl::StatusOr<std::optional<int64_t>> PgRatingStore::FindCheckpoint(const PoolRecord& pool,
                                                                     int64_t order) {
  const absl::StatusOr<Rows> rows =
      pool_.Read(kFindCheckpoint, Params().Int(pool.number).Int(order).Int(pool.revision));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return std::optional<int64_t>();
  return std::make_optional(rows->Int(0, 0));
}

absl::StatusOr<std::vector<ListedStanding>> PgRatingStore::CheckpointStandings(int32_t pool,
                                                                               int64_t checkpoint,
                                                                               base::PlayerId after,
                                                                               size_t limit) {
  return ReadListed(
      kCheckpointStandings,
      Params().Int(pool).Int(checkpoint).Uuid(after.bytes()).Int(Limited(limit, kMaxRead)));
}

absl::StatusOr<std::vector<PairStanding>> PgRatingStore::CheckpointPairs(int32_t pool,
                                                                         int64_t checkpoint,
                                                                         const PlayerPair& after,
                                                                         size_t limit) {
  Params params = Params().Int(pool).Int(checkpoint);
  params.Uuid(after.first.bytes()).Uuid(after.second.bytes()).Int(Limited(limit, kMaxRead));
  return ReadAll<PairStanding>(kCheckpointPairs, params, PairFromRow);
}

absl::StatusOr<std::vector<PoolRecord>> PgRatingStore::PoolsWithoutCheckpoint(base::Instant before,
                                                                              size_t limit) {
  return ReadAll<PoolRecord>(kPoolsWithoutCheckpoint,
                             Params().Int(before.micros).Int(Limited(limit, kMaxListed)),
                             PoolFromRow);
}

absl::Status PgRatingStore::TakeCheckpoint(int32_t pool, base::Instant now) {
  const absl::Status taken = Write(kTakeCheckpoint, Params().Int(pool).Int(now.micros));
  if (!taken.ok()) return taken;
  return Write(kDropCheckpoints, Params().Int(pool).Int(static_cast<int64_t>(kMaxCheckpoints)));
}

absl::StatusOr<StandingsCheck> PgRatingStore::CheckStandings(size_t limit) {
  const absl::StatusOr<Rows> count = pool_.Read(kCountStandings, Params());
  if (!count.ok()) return Public(count.status());
  auto wrong = ReadAll<std::pair<std::string, base::PlayerId>>(
      kWrongStandings, Params().Int(Limited(limit, kMaxListed)), [](const Rows& rows, size_t row) {
        return std::pair(std::string(rows.Text(row, 0)), rows.Uuid<base::PlayerId>(row, 1));
      });
  if (!wrong.ok()) return wrong.status();
  return StandingsCheck{count->Int(0, 0), *std::move(wrong)};
}

absl::StatusOr<int32_t> PgRatingStore::BeginShadow(const PoolRecord& pool) {
  const Params params = Params().Int(pool.number).Int(pool.revision);
  const absl::StatusOr<Rows> rows = pool_.Write(kBeginShadow, params);
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return Overtaken();
  const absl::Status dropped = Write(kDropShadow, params);
  if (!dropped.ok()) return dropped;
  return static_cast<int32_t>(rows->Int(0, 0));
}

absl::Status PgRatingStore::WriteShadow(const PoolRecord& pool, int32_t shadow,
                                        absl::Span<const StepRecord> steps) {
  Params params;
  params.Int(pool.number).Int(pool.revision).Int(shadow);
  StepRows columns;
  for (StepRecord step : steps) {
    step.revision = pool.revision + 1;
    columns.Add(step);
  }
  Append(std::move(columns), params);
  const absl::StatusOr<bool> written = WriteIfHeld(kWriteShadow, params);
  if (!written.ok()) return written.status();
  return *written ? absl::OkStatus() : Overtaken();
}

absl::StatusOr<bool> PgRatingStore::Switch(const RatingSwitch& change) {
  Params params = HeldParams(change.pool, change.expected_order, change.expected_revision);
  params.Int(change.at.micros);
  AppendAll<MatchRows>(change.matches, params);
  AppendAll<StandingRows>(change.standings, params);
  AppendAll<PairRows>(change.pairs, params);
  params.Int(change.shadow).Int(change.first_order);
  AddAnswer(change.answer, params);
  return WriteIfHeld(kSwitch, params);
}

absl::StatusOr<std::vector<PoolRecord>> PgRatingStore::PoolsToRefresh(base::Instant before,
                                                                      size_t limit) {
  return ReadAll<PoolRecord>(
      kPoolsToRefresh, Params().Int(before.micros).Int(Limited(limit, kMaxListed)), PoolFromRow);
}

absl::Status PgRatingStore::Relist(int32_t pool, absl::Span<const ListedStanding> standings) {
  Params params;
  params.Int(pool);
  AppendAll<StandingRows>(standings, params);
  return Write(kRelist, params);
}

absl::Status PgRatingStore::MarkRefreshed(int32_t pool, base::Instant at) {
  return Write(kMarkRefreshed, Params().Int(pool).Int(at.micros));
}

}  // namespace astragal::storage
