#include "services/rating/rating_service.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>

#include "absl/container/flat_hash_map.h"
#include "services/base/status.h"
#include "services/rpc/instants.h"
#include "services/rpc/nouns.h"

namespace astragal::rating {
namespace {

using base::Error;
using base::Reason;
using storage::ListedStanding;
using storage::ListMark;
using storage::PlayerRecord;

constexpr int32_t kMaxLength = 1'000;

// Where the next page of a list begins: rank, lower bound as bits, player.
std::string CursorOf(int64_t rank, const ListMark& mark) {
  return std::to_string(rank) + ' ' + std::to_string(std::bit_cast<uint64_t>(mark.lower_bound)) +
         ' ' + mark.player.ToText();
}

struct Cursor {
  int64_t rank = 0;  // of the last entry before
  std::optional<ListMark> mark;
};

// Tokens are signed: what is in them was written by CursorOf.
Cursor ReadCursor(std::string_view text) {
  Cursor cursor;
  const size_t first = text.find(' ');
  const size_t second = text.rfind(' ');
  if (first == std::string_view::npos || second == first) return cursor;
  uint64_t bits = 0;
  std::from_chars(text.data(), text.data() + first, cursor.rank);
  std::from_chars(text.data() + first + 1, text.data() + second, bits);
  cursor.mark = ListMark{std::bit_cast<double>(bits),
                         base::PlayerId::Parse(text.substr(second + 1)).value_or(base::PlayerId())};
  return cursor;
}

ListMark MarkOf(const ListedStanding& listed) {
  return {listed.lower_bound, listed.standing.player};
}

}  // namespace

absl::StatusOr<Pool> RatingService::FindPool(const std::string& pool_id) {
  if (pool_id.empty()) return rpc::BadField("pool_id", "is required");
  absl::StatusOr<storage::PoolRecord> record = store().GetPool(pool_id);
  if (!record.ok()) return record.status();
  const auto profile = core::ProfileOf(*record);
  if (!profile.ok()) return profile.status();
  const algorithms::SeatClass seats = core::SeatsOf(*record);
  return Pool{*std::move(record), *profile, seats};
}

grpc::ServerUnaryReactor* RatingService::ListRatingPools(grpc::CallbackServerContext* context,
                                                         const v1::ListRatingPoolsRequest* request,
                                                         v1::ListRatingPoolsResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const auto size = base::PageSize(request->page_size());
    if (!size.ok()) return size.status();
    const auto after = calls_.pages().Read("ListRatingPools", request->page_token());
    if (!after.ok()) return after.status();
    const auto pools = store().ListPools(*after, *size);
    if (!pools.ok()) return pools.status();
    for (const storage::PoolRecord& pool : *pools) *response->add_pools() = ToProto(pool);
    if (pools->size() == *size) {
      response->set_next_page_token(calls_.pages().Make("ListRatingPools", pools->back().name));
    }
    return absl::OkStatus();
  });
}

absl::Status RatingService::RatingIn(const Pool& pool, const PlayerRecord& player,
                                     const v1::GetRatingRequest& request,
                                     v1::GetRatingResponse& response) {
  if (!request.has_at_time()) {
    const auto found = store().Standings(pool.record.number, {player.id});
    if (!found.ok()) return found.status();
    const base::Instant now = ratings_.clock().Now();
    const bool played =
        !found->empty() && (found->front().standing.matches > 0 || found->front().standing.pinned);
    const absl::StatusOr<storage::StandingRecord> standing =
        played ? found->front().standing : ratings_.NewcomerOf(pool.record, player.id, now);
    if (!standing.ok()) return standing.status();
    *response.add_ratings() = ToProto(pool, *standing, player, now);
    return absl::OkStatus();
  }
  const base::Instant at = rpc::ReadInstant(request.at_time());
  const auto step = store().StepAt(pool.record, player.id, at);
  if (!step.ok()) return step.status();
  absl::StatusOr<storage::StandingRecord> standing =
      step->has_value() ? (*step)->after : ratings_.NewcomerOf(pool.record, player.id, at);
  if (!standing.ok()) return standing.status();
  standing->player = player.id;
  *response.add_ratings() = ToProto(pool, *standing, player, at);
  return absl::OkStatus();
}

absl::Status RatingService::RatingsInAll(const PlayerRecord& player,
                                         v1::GetRatingResponse& response) {
  const auto ratings = store().RatingsOf(player.id);
  if (!ratings.ok()) return ratings.status();
  std::vector<int32_t> numbers;
  for (const auto& [number, listed] : *ratings) numbers.push_back(number);
  const auto pools = store().PoolsByNumber(numbers);
  if (!pools.ok()) return pools.status();
  std::map<std::string, v1::Rating> by_pool;
  for (const auto& [number, listed] : *ratings) {
    const auto record = std::ranges::find(*pools, number, &storage::PoolRecord::number);
    if (record == pools->end()) continue;
    const auto profile = core::ProfileOf(*record);
    if (!profile.ok()) return profile.status();
    const Pool pool{*record, *profile, core::SeatsOf(*record)};
    by_pool[record->name] = ToProto(pool, listed.standing, player, ratings_.clock().Now());
  }
  for (const auto& [name, rating] : by_pool) *response.add_ratings() = rating;
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* RatingService::GetRating(grpc::CallbackServerContext* context,
                                                   const v1::GetRatingRequest* request,
                                                   v1::GetRatingResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const auto id = rpc::ReadId<base::PlayerId>(request->player_id(), "player");
    if (!id.ok()) return id.status();
    const auto player = calls_.accounts().GetPlayer(*id);
    if (!player.ok()) return player.status();
    if (request->pool_id().empty() && request->has_at_time()) {
      return rpc::BadField("at_time", "goes with a pool_id");
    }
    if (request->pool_id().empty()) {
      if (absl::Status read = RatingsInAll(*player, *response); !read.ok()) return read;
    } else {
      const absl::StatusOr<Pool> pool = FindPool(request->pool_id());
      if (!pool.ok()) return pool.status();
      if (absl::Status read = RatingIn(*pool, *player, *request, *response); !read.ok())
        return read;
    }
    return AddConduct(*id, *response);
  });
}

grpc::ServerUnaryReactor* RatingService::ListRatingSteps(grpc::CallbackServerContext* context,
                                                         const v1::ListRatingStepsRequest* request,
                                                         v1::ListRatingStepsResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const auto size = base::PageSize(request->page_size());
    if (!size.ok()) return size.status();
    const auto player = rpc::ReadId<base::PlayerId>(request->player_id(), "player");
    if (!player.ok()) return player.status();
    const absl::StatusOr<Pool> pool = FindPool(request->pool_id());
    if (!pool.ok()) return pool.status();
    const std::string scope = "ListRatingSteps " + request->player_id() + ' ' + request->pool_id();
    const auto cursor = calls_.pages().Read(scope, request->page_token());
    if (!cursor.ok()) return cursor.status();
    int64_t before = 0;
    std::from_chars(cursor->data(), cursor->data() + cursor->size(), before);
    const auto history = store().History(pool->record, *player, before, *size);
    if (!history.ok()) return history.status();
    for (const storage::HistoryEntry& entry : *history) {
      *response->add_steps() = ToProto(*pool, entry);
    }
    if (history->size() == *size) {
      response->set_next_page_token(
          calls_.pages().Make(scope, std::to_string(history->back().step.rated_order)));
    }
    return absl::OkStatus();
  });
}

absl::Status RatingService::AddEntries(const Pool& pool, std::vector<ListedStanding> page,
                                       int64_t first_rank, base::Instant at,
                                       v1::ListLeaderboardResponse& response) {
  std::vector<base::PlayerId> ids;
  for (const ListedStanding& listed : page) ids.push_back(listed.standing.player);
  const auto players = players_.GetPlayers(ids);
  if (!players.ok()) return players.status();
  absl::flat_hash_map<base::PlayerId, PlayerRecord> by_id;
  for (const PlayerRecord& player : *players) by_id[player.id] = player;
  for (const ListedStanding& listed : page) {
    v1::LeaderboardEntry& entry = *response.add_entries();
    entry.set_rank(first_rank++);
    *entry.mutable_rating() = ToProto(pool, listed.standing, by_id[listed.standing.player], at);
  }
  return absl::OkStatus();
}

absl::Status RatingService::Page(const Pool& pool, const v1::ListLeaderboardRequest& request,
                                 size_t size, v1::ListLeaderboardResponse& response) {
  const std::string scope = "ListLeaderboard " + request.pool_id();
  const auto token = calls_.pages().Read(scope, request.page_token());
  if (!token.ok()) return token.status();
  const Cursor cursor = ReadCursor(*token);
  const auto page = store().ListAfter(pool.record.number, cursor.mark, size);
  if (!page.ok()) return page.status();
  if (page->size() == size) {
    response.set_next_page_token(calls_.pages().Make(
        scope, CursorOf(cursor.rank + static_cast<int64_t>(size), MarkOf(page->back()))));
  }
  return AddEntries(pool, *page, cursor.rank + 1, ratings_.clock().Now(), response);
}

absl::Status RatingService::Around(const Pool& pool, const v1::ListLeaderboardRequest& request,
                                   size_t size, v1::ListLeaderboardResponse& response) {
  if (!request.page_token().empty()) {
    return rpc::BadField("page_token", "does not go with around_player_id");
  }
  const auto id = rpc::ReadId<base::PlayerId>(request.around_player_id(), "player");
  if (!id.ok()) return id.status();
  const auto own = store().Standings(pool.record.number, {*id});
  if (!own.ok()) return own.status();
  if (own->empty() || !own->front().listed) {
    return Error(Reason::kNotFound, "this player is not in the list of this pool");
  }
  const ListMark mark = MarkOf(own->front());
  const auto rank = store().CountBefore(pool.record.number, mark);
  if (!rank.ok()) return rank.status();
  auto above = store().ListBefore(pool.record.number, mark, size / 2);
  if (!above.ok()) return above.status();
  const auto below = store().ListAfter(pool.record.number, mark, size - size / 2 - 1);
  if (!below.ok()) return below.status();
  const int64_t first_rank = *rank + 1 - static_cast<int64_t>(above->size());
  std::vector<ListedStanding> page(above->rbegin(), above->rend());
  page.push_back(own->front());
  page.insert(page.end(), below->begin(), below->end());
  return AddEntries(pool, std::move(page), first_rank, ratings_.clock().Now(), response);
}

grpc::ServerUnaryReactor* RatingService::ListLeaderboard(grpc::CallbackServerContext* context,
                                                         const v1::ListLeaderboardRequest* request,
                                                         v1::ListLeaderboardResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const auto size = base::PageSize(request->page_size());
    if (!size.ok()) return size.status();
    const absl::StatusOr<Pool> pool = FindPool(request->pool_id());
    if (!pool.ok()) return pool.status();
    if (!request->snapshot().empty()) return SnapshotPage(*pool, *request, *size, *response);
    return request->around_player_id().empty() ? Page(*pool, *request, *size, *response)
                                               : Around(*pool, *request, *size, *response);
  });
}

grpc::ServerUnaryReactor* RatingService::PredictResult(grpc::CallbackServerContext* context,
                                                       const v1::PredictResultRequest* request,
                                                       v1::PredictResultResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const absl::StatusOr<Pool> pool = FindPool(request->pool_id());
    if (!pool.ok()) return pool.status();
    if (request->length() < 0 || request->length() > kMaxLength) {
      return rpc::BadField("length", "is 0 to 1,000");
    }
    std::vector<PlayerRecord> players;
    std::vector<base::PlayerId> ids;
    if (request->player_ids_size() > static_cast<int>(algorithms::kMaxRatedSeats)) {
      return rpc::BadField("player_ids", "are at most four");
    }
    for (const std::string& text : request->player_ids()) {
      const auto id = rpc::ReadId<base::PlayerId>(text, "player");
      if (!id.ok()) return id.status();
      auto player = calls_.accounts().GetPlayer(*id);
      if (!player.ok()) return player.status();
      ids.push_back(*id);
      players.push_back(*std::move(player));
    }
    const auto seats = ratings_.Predict(pool->record, ids, std::max(1, request->length()));
    if (!seats.ok()) return seats.status();
    const auto shown = [&](const algorithms::Standing& standing) {
      return algorithms::ShownRating(pool->seats, standing.rating);
    };
    for (size_t seat = 0; seat < seats->size(); ++seat) {
      const core::PredictedSeat& predicted = (*seats)[seat];
      v1::Prediction& out = *response->add_predictions();
      *out.mutable_rating() =
          ToProto(*pool, core::RecordOf(predicted.stored, ids[seat], predicted.pinned),
                  players[seat], ratings_.clock().Now());
      out.set_expected(predicted.first);
      out.set_win_change(shown(predicted.win) - shown(predicted.now));
      out.set_draw_change(shown(predicted.draw) - shown(predicted.now));
      out.set_loss_change(shown(predicted.loss) - shown(predicted.now));
    }
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* RatingService::GetHeadToHead(grpc::CallbackServerContext* context,
                                                       const v1::GetHeadToHeadRequest* request,
                                                       v1::GetHeadToHeadResponse* response) {
  return calls_.Open(context, *request, [this, request, response]() -> absl::Status {
    const auto one = rpc::ReadId<base::PlayerId>(request->player_id(), "player");
    if (!one.ok()) return one.status();
    const auto other = rpc::ReadId<base::PlayerId>(request->opponent_id(), "opponent");
    if (!other.ok()) return other.status();
    const auto pairs = store().HeadToHead(*one, *other);
    if (!pairs.ok()) return pairs.status();
    std::vector<int32_t> numbers;
    for (const storage::PairStanding& pair : *pairs) numbers.push_back(pair.pool);
    const auto pools = store().PoolsByNumber(numbers);
    if (!pools.ok()) return pools.status();
    for (const storage::PairStanding& pair : *pairs) {
      const auto pool = std::ranges::find(*pools, pair.pool, &storage::PoolRecord::number);
      if (pool == pools->end()) continue;
      const int32_t losses = pair.matches - pair.wins - pair.draws;
      const bool is_low = pair.low == *one;
      v1::HeadToHead& out = *response->add_records();
      out.set_pool_id(pool->name);
      out.set_matches(pair.matches);
      out.set_wins(is_low ? pair.wins : losses);
      out.set_draws(pair.draws);
      out.set_losses(is_low ? losses : pair.wins);
    }
    return absl::OkStatus();
  });
}

}  // namespace astragal::rating
