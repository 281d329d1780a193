#include "services/game/game_stream.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "services/base/status.h"
#include "services/rpc/nouns.h"
#include "services/rpc/receipts.h"

namespace astragal::game {
namespace {

std::vector<base::PlayerId> PlayersOf(const core::GameState& state) {
  std::vector<base::PlayerId> players;
  for (const storage::SeatRecord& seat : state.seats) players.push_back(seat.player);
  return players;
}

}  // namespace

std::vector<int> ConnectedSeats(const std::vector<storage::SeatRecord>& seats,
                                const std::vector<base::PlayerId>& present) {
  std::vector<int> connected;
  for (const storage::SeatRecord& seat : seats) {
    if (std::ranges::binary_search(present, seat.player)) connected.push_back(seat.seat);
  }
  return connected;
}

void SetConnected(const std::vector<int>& seats, v1::Game& game) {
  for (const int seat : seats) {
    if (seat < game.seats_size()) game.mutable_seats(seat)->set_connected(true);
  }
}

absl::Status GameStream::Open(const core::Identity& viewer) {
  const absl::StatusOr<base::GameId> id = rpc::ReadId<base::GameId>(request_.game_id(), "game");
  if (!id.ok()) return id.status();
  std::optional<uint32_t> after;
  if (request_.has_after_sequence()) after = request_.after_sequence();
  // The watch may outlive this stream by a moment: it must not keep or touch it then.
  absl::StatusOr<std::shared_ptr<core::Watch>> watch =
      games_.StartWatch(*id, viewer.player, after, [weak = weak_from_this()] {
        if (const auto stream = weak.lock()) stream->Wake();
      });
  if (!watch.ok()) return watch.status();
  watch_ = *std::move(watch);
  id_ = *id;
  viewer_ = viewer.player;
  if (const core::StatePtr& state = watch_->snapshot(); state != nullptr) {
    seats_ = state->seats;
    has_clock_ = state->facts->terms.clock.kind != storage::ClockKind::kNone;
  }
  Attend();
  return MakeSnapshot();
}

bool GameStream::IsSeated() const {
  return !viewer_.is_nil() &&
         std::ranges::any_of(seats_, [this](const auto& seat) { return seat.player == viewer_; });
}

void GameStream::Attend() {
  const bool seated = IsSeated();
  if (attendance_ != nullptr && seated == attends_seated_) return;
  attends_seated_ = seated;
  // The new one before the old one ends.
  attendance_ = presence_.Attend(id_, seated ? viewer_ : base::PlayerId(),
                                 std::static_pointer_cast<GameStream>(shared_from_this()));
}

absl::Status GameStream::MakeSnapshot() {
  const core::StatePtr& state = watch_->snapshot();
  v1::Game& game = *snapshot_.mutable_game();
  if (state == nullptr) {  // before the first event: a game that has an id and nothing else
    game.set_game_id(request_.game_id());
    return absl::OkStatus();
  }
  const auto names = calls().accounts().Names(PlayersOf(*state));
  if (!names.ok()) return names.status();
  game = rpc::ToProto(*state, *names);
  // What other servers have comes with the first look at them.
  connected_ = ConnectedSeats(seats_, presence_.Known(id_));
  SetConnected(connected_, game);
  return rpc::Fill(*state->ruleset, state->position, *snapshot_.mutable_position());
}

bool GameStream::MakePresence(v1::WatchGameResponse& message) {
  if (!others_present_.exchange(false)) return false;
  std::vector<int> now = ConnectedSeats(seats_, presence_.Known(id_));
  if (now == connected_) return false;
  connected_ = std::move(now);
  v1::Presence& presence = *message.mutable_presence();
  for (const int seat : connected_) presence.add_connected_seats(seat);
  return true;
}

void GameStream::Follow(const storage::EventRecord& event) {
  const auto seat = static_cast<size_t>(std::max<int>(event.seat, 0));
  if (event.kind == storage::EventKind::kCreated) {
    seats_.resize(static_cast<size_t>(event.number));
    for (size_t i = 0; i < seats_.size(); ++i) seats_[i].seat = static_cast<int8_t>(i);
    const auto facts = core::DecodeCreated(event);
    has_clock_ = facts.ok() && facts->terms.clock.kind != storage::ClockKind::kNone;
  }
  if (seat >= seats_.size()) return;
  if (event.kind == storage::EventKind::kSeated) {
    seats_[seat].player = core::DecodePlayer(event).value_or(base::PlayerId());
  } else if (event.kind == storage::EventKind::kLeft) {
    seats_[seat].player = {};
  } else {
    return;
  }
  others_present_ = true;
  Attend();
}

void GameStream::MakeEvent(const core::EventView& event, v1::WatchGameResponse& message) {
  Follow(event.record);
  *message.mutable_event() = rpc::ToProto(event);
  sent_sequence_ = event.record.sequence;
  last_sent_ = event.record.kind == storage::EventKind::kFinished;
  if (last_sent_) AddReceipt(event.record.chain_hash, message);
}

void GameStream::AddReceipt(const base::Bytes32& log_hash, v1::WatchGameResponse& message) const {
  *message.mutable_receipt() =
      rpc::ToProto(receipts_.Sign(id_, sent_sequence_, log_hash, games_.world().clock.Now()));
}

absl::StatusOr<rpc::Next> GameStream::MakeNext(v1::WatchGameResponse& message) {
  if (!snapshot_sent_) {
    const core::StatePtr& state = watch_->snapshot();
    *message.mutable_snapshot() = std::move(snapshot_);
    snapshot_sent_ = true;
    sent_sequence_ = state == nullptr ? 0 : state->sequence;
    last_sent_ = state != nullptr && state->IsOver();
    if (last_sent_) AddReceipt(state->chain_hash, message);
    return rpc::Next::kMessage;
  }
  if (last_sent_) return rpc::Next::kEnd;
  if (!pinged_ && has_clock_ && IsSeated()) {
    MakeHeartbeat(message);
    return rpc::Next::kMessage;
  }
  if (MakePresence(message)) return rpc::Next::kMessage;
  const absl::StatusOr<std::optional<core::EventPtr>> event = watch_->Next();
  if (!event.ok()) return event.status();
  if (!*event) return rpc::Next::kNothing;
  MakeEvent(***event, message);
  return rpc::Next::kMessage;
}

bool GameStream::MakeHeartbeat(v1::WatchGameResponse& message) {
  v1::Heartbeat& heartbeat = *message.mutable_heartbeat();
  heartbeat.set_sequence(watch_->head());
  *heartbeat.mutable_server_time() = rpc::ToProto(games_.world().clock.Now());
  if (has_clock_ && IsSeated()) {
    pinged_ = true;
    heartbeat.set_ping_id(lag_.Ping(viewer_));
  }
  return true;
}

// Without a snapshot the client has seen nothing, and asks again as it asked before.
absl::Status GameStream::HandOver() {
  if (last_sent_) return absl::OkStatus();
  if (!snapshot_sent_) return base::Draining();
  return base::Draining().With("resume_after_sequence", sent_sequence_);
}

}  // namespace astragal::game
