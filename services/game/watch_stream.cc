#include "services/game/watch_stream.h"

#include <utility>

#include "services/base/status.h"
#include "services/rpc/nouns.h"
#include "services/rpc/status.h"

namespace astragal::game {
namespace {

std::vector<base::PlayerId> PlayersOf(const core::GameState& state) {
  std::vector<base::PlayerId> players;
  for (const storage::SeatRecord& seat : state.seats) players.push_back(seat.player);
  return players;
}

}  // namespace

WatchStream* WatchStream::Begin(core::Games& games, rpc::Calls& calls, const std::string& token,
                                const v1::WatchGameRequest& request) {
  std::shared_ptr<WatchStream> stream(new WatchStream(games, calls));
  stream->self_ = stream;
  absl::Status begun = calls.AddStream(request, stream);
  if (begun.ok()) {
    begun = calls.scheduler().Post([stream, token, request] { stream->Open(token, request); });
  }
  if (!begun.ok()) stream->End(begun);
  return stream.get();
}

void WatchStream::Open(const std::string& token, const v1::WatchGameRequest& request) {
  const absl::StatusOr<base::PlayerId> viewer = calls_.Viewer(token);
  if (!viewer.ok()) return End(viewer.status());
  const absl::StatusOr<base::GameId> id = rpc::ReadId<base::GameId>(request.game_id(), "game");
  if (!id.ok()) return End(id.status());
  std::optional<uint32_t> after;
  if (request.has_after_sequence()) after = request.after_sequence();
  // The watch may outlive this stream by a moment: it must not keep or touch it then.
  absl::StatusOr<std::shared_ptr<core::Watch>> watch =
      games_.StartWatch(*id, *viewer, after, [weak = weak_from_this()] {
        if (const std::shared_ptr<WatchStream> stream = weak.lock()) stream->Wake();
      });
  if (!watch.ok()) return End(watch.status());
  {
    const base::MutexLock lock(mutex_);
    if (ended_) return;
    watch_ = *std::move(watch);
    writing_ = true;  // nothing may overtake the snapshot
  }
  if (const absl::Status sent = SendSnapshot(*id); !sent.ok()) return End(sent);
  Heartbeat();
}

absl::Status WatchStream::SendSnapshot(base::GameId id) {
  core::StatePtr state;
  {
    const base::MutexLock lock(mutex_);
    if (ended_) return absl::OkStatus();
    state = watch_->snapshot();
  }
  v1::WatchGameResponse message;
  v1::GameSnapshot& snapshot = *message.mutable_snapshot();
  if (state != nullptr) {
    const auto names = calls_.accounts().Names(PlayersOf(*state));
    if (!names.ok()) return names.status();
    *snapshot.mutable_game() = rpc::ToProto(*state, *names);
    const absl::Status filled =
        rpc::Fill(*state->ruleset, state->position, *snapshot.mutable_position());
    if (!filled.ok()) return filled;
  } else {  // before the first event: a game that has an id and nothing else
    snapshot.mutable_game()->set_game_id(id.ToText());
  }
  const base::MutexLock lock(mutex_);
  last_sent_ = state != nullptr && state->IsOver();
  sent_sequence_ = state == nullptr ? 0 : state->sequence;
  message_ = std::move(message);
  if (!ended_) Send();
  return absl::OkStatus();
}

void WatchStream::Send() {
  writing_ = true;
  StartWrite(&message_);
}

void WatchStream::Wake() {
  if (awake_.exchange(true)) return;
  const absl::Status posted = calls_.scheduler().Post([weak = weak_from_this()] {
    const std::shared_ptr<WatchStream> stream = weak.lock();
    if (stream == nullptr) return;
    stream->awake_ = false;  // before it looks: what comes from now on wakes it again
    stream->Advance();
  });
  if (posted.ok()) return;
  awake_ = false;
  Advance();
}

void WatchStream::OnDrain() {
  {
    const base::MutexLock lock(mutex_);
    draining_ = true;
  }
  Advance();
}

void WatchStream::Advance() {
  const base::MutexLock lock(mutex_);
  if (ended_ || writing_ || watch_ == nullptr) return;
  if (last_sent_) return EndLocked(absl::OkStatus());
  if (draining_) {
    return EndLocked(base::Draining().With("resume_after_sequence", sent_sequence_));
  }
  const absl::StatusOr<std::optional<core::EventPtr>> event = watch_->Next();
  if (!event.ok()) return EndLocked(event.status());
  if (!*event) return;
  message_.Clear();
  *message_.mutable_event() = rpc::ToProto(***event);
  sent_sequence_ = (**event)->record.sequence;
  last_sent_ = (**event)->record.kind == storage::EventKind::kFinished;
  Send();
}

void WatchStream::OnWriteDone(bool ok) {
  {
    const base::MutexLock lock(mutex_);
    writing_ = false;
    if (!ok && !ended_) EndLocked(absl::CancelledError("the client is gone"));
  }
  Advance();
}

void WatchStream::Heartbeat() {
  {
    const base::MutexLock lock(mutex_);
    if (ended_) return;
    if (!writing_ && !draining_ && !last_sent_) {
      message_.Clear();
      message_.mutable_heartbeat()->set_sequence(watch_->head());
      *message_.mutable_heartbeat()->mutable_server_time() =
          rpc::ToProto(games_.world().clock.Now());
      Send();
    }
  }
  Advance();
  calls_.scheduler().PostAfter(kHeartbeatMs, [weak = weak_from_this()] {
    if (const std::shared_ptr<WatchStream> stream = weak.lock()) stream->Heartbeat();
  });
}

void WatchStream::OnCancel() { End(absl::CancelledError("the client is gone")); }

void WatchStream::End(const absl::Status& status) {
  const base::MutexLock lock(mutex_);
  if (!ended_) EndLocked(status);
}

void WatchStream::EndLocked(const absl::Status& status) {
  ended_ = true;
  watch_.reset();
  Finish(absl::IsCancelled(status) ? grpc::Status(grpc::StatusCode::CANCELLED, "cancelled")
                                   : rpc::ToGrpc(status));
}

void WatchStream::OnDone() { const std::shared_ptr<WatchStream> dies_here = std::move(self_); }

}  // namespace astragal::game
