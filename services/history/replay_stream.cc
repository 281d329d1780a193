#include "services/history/replay_stream.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "services/base/status.h"
#include "services/rpc/nouns.h"
#include "services/rpc/status.h"

namespace astragal::history {

using base::Error;
using base::Reason;

ReplayStream* ReplayStream::Begin(const core::World& world, rpc::Calls& calls, std::string token,
                                  const v1::StreamReplayRequest& request) {
  std::shared_ptr<ReplayStream> stream(new ReplayStream(world, calls, std::move(token), request));
  stream->self_ = stream;
  if (const absl::Status added = calls.AddStream(request, stream); !added.ok()) {
    stream->End(added);
  } else {
    stream->OnScheduler(&ReplayStream::Open);
  }
  return stream.get();
}

void ReplayStream::OnScheduler(void (ReplayStream::*step)()) {
  const absl::Status posted =
      calls_.scheduler().Post([self = shared_from_this(), step] { (self.get()->*step)(); });
  if (!posted.ok()) End(posted);
}

void ReplayStream::Open() {
  if (const absl::Status prepared = Prepare(); !prepared.ok()) return End(prepared);
  ReadNext();
}

absl::Status ReplayStream::Prepare() {
  const double speed = request_.speed();
  if (!std::isfinite(speed) || speed < 0 || speed > kMaxSpeed) {
    return rpc::BadField("speed", "must be 0 to 1,000");
  }
  const absl::StatusOr<base::GameId> id = rpc::ReadId<base::GameId>(request_.game_id(), "game");
  if (!id.ok()) return id.status();
  const absl::StatusOr<base::PlayerId> viewer = calls_.Viewer(token_);
  if (!viewer.ok()) return viewer.status();
  absl::StatusOr<core::Replay> replay = core::Replay::OpenFor(*viewer, world_, *id);
  if (!replay.ok()) return replay.status();
  const uint32_t first = std::max(request_.from_sequence(), 1U);
  last_ = request_.to_sequence() == 0 ? replay->end() : request_.to_sequence();
  if (request_.to_sequence() != 0 && first > last_) {
    return rpc::BadField("to_sequence", "is before from_sequence");
  }
  if (last_ > replay->end() || first > last_) {
    return Error(Reason::kSequenceUnknown, "the log does not reach this sequence")
        .With("current_sequence", replay->end())
        .With("restore_epoch", replay->state().facts->restore_epoch);
  }
  if (absl::Status skipped = replay->SkipTo(first - 1); !skipped.ok()) return skipped;
  replay_ = *std::move(replay);
  return absl::OkStatus();
}

void ReplayStream::ReadNext() {
  if (replay_->state().sequence >= last_) return End(absl::OkStatus());
  const absl::StatusOr<std::optional<core::EventView>> event = replay_->Next();
  if (!event.ok()) return End(event.status());
  if (!*event) return End(absl::OkStatus());
  message_.Clear();
  *message_.mutable_event() = rpc::ToProto(**event);
  const core::GameState& state = replay_->state();
  const absl::Status filled =
      rpc::Fill(*state.ruleset, state.position, *message_.mutable_position());
  if (!filled.ok()) return End(filled);

  const int64_t pause_ms = PauseMs((*event)->record.at);
  previous_at_ = (*event)->record.at;
  if (pause_ms == 0) return Write();
  calls_.scheduler().PostAfter(pause_ms, [self = shared_from_this()] { self->Write(); });
}

int64_t ReplayStream::PauseMs(base::Instant next) const {
  if (request_.speed() == 0 || previous_at_.micros == 0) return 0;
  const double ms =
      static_cast<double>(next.micros - previous_at_.micros) / 1000 / request_.speed();
  return std::clamp<int64_t>(std::llround(ms), 0, kMaxPauseMs);
}

void ReplayStream::Write() {
  const base::MutexLock lock(mutex_);
  if (!ended_) StartWrite(&message_);
}

void ReplayStream::OnWriteDone(bool ok) {
  if (!ok) return End(absl::CancelledError("the client is gone"));
  {
    const base::MutexLock lock(mutex_);
    if (ended_) return;
  }
  OnScheduler(&ReplayStream::ReadNext);
}

// At once: a replay begins anew where the client likes.
void ReplayStream::OnDrain() { End(base::Draining()); }

void ReplayStream::OnCancel() { End(absl::CancelledError("the client is gone")); }

void ReplayStream::End(const absl::Status& status) {
  const base::MutexLock lock(mutex_);
  if (ended_) return;
  ended_ = true;
  Finish(absl::IsCancelled(status) ? grpc::Status(grpc::StatusCode::CANCELLED, "cancelled")
                                   : rpc::ToGrpc(status));
}

void ReplayStream::OnDone() { const std::shared_ptr<ReplayStream> dies_here = std::move(self_); }

}  // namespace astragal::history
