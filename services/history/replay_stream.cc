#include "services/history/replay_stream.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "services/base/status.h"
#include "services/rpc/nouns.h"

namespace astragal::history {

using base::Error;
using base::Reason;

absl::Status ReplayStream::Open(const core::Identity& viewer) {
  const double speed = request_.speed();
  if (!std::isfinite(speed) || speed < 0 || speed > kMaxSpeed) {
    return rpc::BadField("speed", "must be 0 to 1,000");
  }
  const absl::StatusOr<base::GameId> id = rpc::ReadId<base::GameId>(request_.game_id(), "game");
  if (!id.ok()) return id.status();
  absl::StatusOr<core::Replay> replay = core::Replay::OpenFor(viewer.player, world_, *id);
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

absl::StatusOr<bool> ReplayStream::ReadStep() {
  if (replay_->state().sequence >= last_) return false;
  const absl::StatusOr<std::optional<core::EventView>> event = replay_->Next();
  if (!event.ok()) return event.status();
  if (!*event) return false;
  step_.emplace();
  *step_->mutable_event() = rpc::ToProto(**event);
  const core::GameState& state = replay_->state();
  const absl::Status filled = rpc::Fill(*state.ruleset, state.position, *step_->mutable_position());
  if (!filled.ok()) return filled;
  Pause(PauseMs((*event)->record.at));
  previous_at_ = (*event)->record.at;
  return true;
}

void ReplayStream::Pause(int64_t pause_ms) {
  is_time_ = pause_ms == 0;
  if (is_time_) return;
  calls().scheduler().PostAfter(pause_ms, [weak = weak_from_this()] {
    const auto stream = std::static_pointer_cast<ReplayStream>(weak.lock());
    if (stream == nullptr) return;
    stream->is_time_ = true;
    stream->Wake();
  });
}

absl::StatusOr<rpc::Next> ReplayStream::MakeNext(v1::StreamReplayResponse& message) {
  if (!step_) {
    const absl::StatusOr<bool> read = ReadStep();
    if (!read.ok()) return read.status();
    if (!*read) return rpc::Next::kEnd;
  }
  if (!is_time_) return rpc::Next::kNothing;
  message = *std::move(step_);
  step_.reset();
  return rpc::Next::kMessage;
}

int64_t ReplayStream::PauseMs(base::Instant next) const {
  if (request_.speed() == 0 || previous_at_.micros == 0) return 0;
  const double ms =
      static_cast<double>(next.micros - previous_at_.micros) / 1000 / request_.speed();
  return std::clamp<int64_t>(std::llround(ms), 0, kMaxPauseMs);
}

}  // namespace astragal::history
