// Lists as they were: the part of RatingService that reads snapshots.
#include <algorithm>
#include <charconv>
#include <utility>

#include "services/base/status.h"
#include "services/rating/rating_service.h"
#include "services/rpc/nouns.h"

namespace astragal::rating {
namespace {

using base::Error;
using base::Reason;
using storage::Snapshot;

v1::LeaderboardSnapshot ToProto(const Snapshot& snapshot) {
  v1::LeaderboardSnapshot out;
  out.set_day(snapshot.day);
  *out.mutable_take_time() = rpc::ToProto(snapshot.taken_at);
  out.set_players(snapshot.players);
  out.set_official(snapshot.official);
  return out;
}

// NOT_FOUND.
absl::StatusOr<Snapshot> Named(const std::vector<Snapshot>& newest_first, const std::string& name) {
  const auto found = std::ranges::find_if(
      newest_first, [&](const Snapshot& snapshot) { return storage::IsNamed(snapshot, name); });
  if (found != newest_first.end()) return *found;
  return Error(Reason::kNotFound, "there is no such snapshot of this list");
}

}  // namespace

absl::Status RatingService::SnapshotPage(const Pool& pool,
                                         const v1::ListLeaderboardRequest& request, size_t size,
                                         v1::ListLeaderboardResponse& response) {
  const auto all = store().Snapshots(pool.record.number);
  if (!all.ok()) return all.status();
  const absl::StatusOr<Snapshot> snapshot = Named(*all, request.snapshot());
  if (!snapshot.ok()) return snapshot.status();
  const int32_t number = pool.record.number;
  // Pages go on in the snapshot that the first one was of.
  const std::string scope = "ListLeaderboard " + request.pool_id() + ' ' + snapshot->day;
  int64_t after = 0;
  if (request.around_player_id().empty()) {
    const auto token = calls_.pages().Read(scope, request.page_token());
    if (!token.ok()) return token.status();
    std::from_chars(token->data(), token->data() + token->size(), after);
  } else {
    if (!request.page_token().empty()) {
      return rpc::BadField("page_token", "does not go with around_player_id");
    }
    const auto id = rpc::ReadId<base::PlayerId>(request.around_player_id(), "player");
    if (!id.ok()) return id.status();
    const auto rank = store().RankIn(number, snapshot->day, *id);
    if (!rank.ok()) return rank.status();
    if (!*rank) return Error(Reason::kNotFound, "this player is not in this list");
    after = std::max<int64_t>(0, **rank - 1 - static_cast<int64_t>(size / 2));
    // From the top on there are fewer before him.
    size = std::min(size, static_cast<size_t>(**rank - after) + size - size / 2 - 1);
  }
  const auto rows = store().SnapshotRows(number, snapshot->day, after, size);
  if (!rows.ok()) return rows.status();
  if (rows->size() == size && request.around_player_id().empty()) {
    response.set_next_page_token(
        calls_.pages().Make(scope, std::to_string(after + static_cast<int64_t>(size))));
  }
  *response.mutable_snapshot() = ToProto(*snapshot);
  return AddEntries(pool, *rows, after + 1, snapshot->taken_at, response);
}

grpc::ServerUnaryReactor* RatingService::ListLeaderboardSnapshots(
    grpc::CallbackServerContext* context, const v1::ListLeaderboardSnapshotsRequest* request,
    v1::ListLeaderboardSnapshotsResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const absl::StatusOr<Pool> pool = FindPool(request->pool_id());
    if (!pool.ok()) return pool.status();
    const auto all = store().Snapshots(pool->record.number);
    if (!all.ok()) return all.status();
    for (const Snapshot& snapshot : *all) *response->add_snapshots() = ToProto(snapshot);
    return absl::OkStatus();
  });
}

}  // namespace astragal::rating
