#include "services/event/event_stream.h"

#include <memory>
#include <optional>

#include "services/algorithms/rating_profile.h"
#include "services/base/status.h"
#include "services/rpc/proposals.h"

namespace astragal::event {
namespace {

void AddPlayers(const core::GameAffair& game, std::vector<base::PlayerId>& players) {
  for (const storage::SeatRecord& seat : game.game.seats) players.push_back(seat.player);
}

v1::RatingsRecomputed ToProto(const storage::RatingNews& news) {
  const auto seats = static_cast<algorithms::SeatClass>(news.seats);
  v1::RatingsRecomputed out;
  out.set_pool_id(news.pool);
  out.set_first_order(news.first_order);
  out.set_revision(news.revision);
  out.set_players_changed(news.players);
  *out.mutable_recompute_time() = rpc::ToProto(news.at);
  if (news.before != 0) out.set_rating_before(algorithms::ShownRating(seats, news.before));
  out.set_rating_after(algorithms::ShownRating(seats, news.after));
  return out;
}

}  // namespace

absl::Status EventStream::Open(const core::Identity& viewer) {
  player_ = viewer.player;
  return affairs_.Subscribe(player_, std::static_pointer_cast<EventStream>(shared_from_this()))
      .status();
}

v1::GameAffair EventStream::GameToProto(const core::GameAffair& game,
                                        const rpc::Names& names) const {
  v1::GameAffair out;
  *out.mutable_game() = rpc::ToProto(game, names);
  if (const std::optional<int> seat = game.SeatOf(player_)) out.set_seat(*seat);
  out.set_awaits_action(game.AwaitsActionOf(player_));
  out.set_awaits_answer(game.AwaitsAnswerOf(player_));
  return out;
}

absl::Status EventStream::FillSnapshot(const core::AffairPicture& now, v1::AffairsSnapshot& out) {
  std::vector<base::PlayerId> players;
  for (const core::GameAffairPtr& game : now.games) AddPlayers(*game, players);
  for (const core::ProposalPtr& proposal : now.proposals) rpc::AddPlayers(*proposal, players);
  const auto names = calls().accounts().Names(players);
  if (!names.ok()) return names.status();
  for (const core::GameAffairPtr& game : now.games) *out.add_games() = GameToProto(*game, *names);
  for (const core::ProposalPtr& proposal : now.proposals) {
    *out.add_proposals() = rpc::ToProto(*proposal, *names);
  }
  for (const storage::RatingNews& news : now.ratings) *out.add_ratings() = ToProto(news);
  return absl::OkStatus();
}

absl::Status EventStream::FillChange(const core::AffairDifference& difference,
                                     v1::AffairsChange& out) {
  std::vector<base::PlayerId> players;
  for (const auto& [game, news] : difference.games) AddPlayers(*game, players);
  for (const core::ProposalPtr& proposal : difference.proposals) {
    rpc::AddPlayers(*proposal, players);
  }
  const auto names = calls().accounts().Names(players);
  if (!names.ok()) return names.status();
  for (const auto& [game, news] : difference.games) {
    v1::GameAffair& affair = *out.add_games();
    affair = GameToProto(*game, *names);
    for (const core::GameNews what : news) affair.add_news(static_cast<v1::GameNews>(what));
  }
  for (const core::ProposalPtr& proposal : difference.proposals) {
    *out.add_proposals() = rpc::ToProto(*proposal, *names);
  }
  for (const storage::RatingNews& news : difference.ratings) *out.add_ratings() = ToProto(news);
  return absl::OkStatus();
}

absl::StatusOr<rpc::Next> EventStream::MakeNext(v1::WatchMyEventsResponse& message) {
  const core::AffairPicturePtr now = affairs_.picture(player_);
  if (now == nullptr || now == seen_) return rpc::Next::kNothing;
  if (seen_ == nullptr) {
    seen_ = now;
    const absl::Status filled = FillSnapshot(*now, *message.mutable_snapshot());
    if (!filled.ok()) return filled;
    return rpc::Next::kMessage;
  }
  const std::optional<core::AffairDifference> difference = core::Compare(player_, *seen_, *now);
  if (!difference) {
    return base::Error(base::Reason::kWatcherTooSlow,
                       "more happened than is remembered: call again for a whole picture");
  }
  seen_ = now;
  if (difference->empty()) return rpc::Next::kNothing;
  const absl::Status filled = FillChange(*difference, *message.mutable_change());
  if (!filled.ok()) return filled;
  return rpc::Next::kMessage;
}

bool EventStream::MakeHeartbeat(v1::WatchMyEventsResponse& message) {
  *message.mutable_heartbeat()->mutable_server_time() = rpc::ToProto(clock_.Now());
  return true;
}

}  // namespace astragal::event
