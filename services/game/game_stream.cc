#include "services/game/game_stream.h"

#include <optional>
#include <utility>
#include <vector>

#include "services/base/status.h"
#include "services/rpc/nouns.h"

namespace astragal::game {
namespace {

std::vector<base::PlayerId> PlayersOf(const core::GameState& state) {
  std::vector<base::PlayerId> players;
  for (const storage::SeatRecord& seat : state.seats) players.push_back(seat.player);
  return players;
}

}  // namespace

absl::Status GameStream::Open(const std::string& token) {
  const absl::StatusOr<base::PlayerId> viewer = calls().Viewer(token);
  if (!viewer.ok()) return viewer.status();
  const absl::StatusOr<base::GameId> id = rpc::ReadId<base::GameId>(request_.game_id(), "game");
  if (!id.ok()) return id.status();
  std::optional<uint32_t> after;
  if (request_.has_after_sequence()) after = request_.after_sequence();
  // The watch may outlive this stream by a moment: it must not keep or touch it then.
  absl::StatusOr<std::shared_ptr<core::Watch>> watch =
      games_.StartWatch(*id, *viewer, after, [weak = weak_from_this()] {
        if (const auto stream = weak.lock()) stream->Wake();
      });
  if (!watch.ok()) return watch.status();
  watch_ = *std::move(watch);
  return MakeSnapshot();
}

absl::Status GameStream::MakeSnapshot() {
  const core::StatePtr& state = watch_->snapshot();
  if (state == nullptr) {  // before the first event: a game that has an id and nothing else
    snapshot_.mutable_game()->set_game_id(request_.game_id());
    return absl::OkStatus();
  }
  const auto names = calls().accounts().Names(PlayersOf(*state));
  if (!names.ok()) return names.status();
  *snapshot_.mutable_game() = rpc::ToProto(*state, *names);
  return rpc::Fill(*state->ruleset, state->position, *snapshot_.mutable_position());
}

absl::StatusOr<rpc::Next> GameStream::MakeNext(v1::WatchGameResponse& message) {
  if (!snapshot_sent_) {
    const core::StatePtr& state = watch_->snapshot();
    *message.mutable_snapshot() = std::move(snapshot_);
    snapshot_sent_ = true;
    sent_sequence_ = state == nullptr ? 0 : state->sequence;
    last_sent_ = state != nullptr && state->IsOver();
    return rpc::Next::kMessage;
  }
  if (last_sent_) return rpc::Next::kEnd;
  const absl::StatusOr<std::optional<core::EventPtr>> event = watch_->Next();
  if (!event.ok()) return event.status();
  if (!*event) return rpc::Next::kNothing;
  *message.mutable_event() = rpc::ToProto(***event);
  sent_sequence_ = (**event)->record.sequence;
  last_sent_ = (**event)->record.kind == storage::EventKind::kFinished;
  return rpc::Next::kMessage;
}

bool GameStream::MakeHeartbeat(v1::WatchGameResponse& message) {
  message.mutable_heartbeat()->set_sequence(watch_->head());
  *message.mutable_heartbeat()->mutable_server_time() = rpc::ToProto(games_.world().clock.Now());
  return true;
}

// Without a snapshot the client has seen nothing, and asks again as it asked before.
absl::Status GameStream::HandOver() {
  if (last_sent_) return absl::OkStatus();
  if (!snapshot_sent_) return base::Draining();
  return base::Draining().With("resume_after_sequence", sent_sequence_);
}

}  // namespace astragal::game
