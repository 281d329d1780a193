#include "services/core/watch.h"

#include <algorithm>
#include <utility>

#include "services/base/status.h"

namespace astragal::core {

using base::Error;
using base::Reason;

namespace {

absl::Status Restored() {
  return Error(Reason::kSequenceUnknown, "the game was restored to an earlier state");
}

}  // namespace

absl::StatusOr<std::shared_ptr<Watch>> Watch::Start(const World& world,
                                                    std::shared_ptr<LiveGame> game,
                                                    std::optional<uint32_t> after, Wake wake) {
  const std::shared_ptr<Watch> watch(new Watch(world, game, std::move(wake)));
  // First the game is brought up to date: what it had missed would only fill the buffer. The state
  // comes with the subscription, so that nothing can happen between it and the stream.
  if (const absl::StatusOr<StatePtr> fresh = game->Refresh(); !fresh.ok()) return fresh.status();
  StatePtr now = game->Subscribe(watch);
  watch->live_from_ = now->sequence;
  if (after && *after != now->sequence) {
    if (absl::Status status = watch->CatchUpFrom(*after, now); !status.ok()) return status;
  } else {
    watch->snapshot_ = std::move(now);
  }
  const base::MutexLock lock(watch->mutex_);
  watch->head_ = std::max(watch->head_, watch->live_from_);
  watch->last_taken_ = watch->snapshot_ == nullptr ? 0 : watch->snapshot_->sequence;
  return watch;
}

absl::Status Watch::CatchUpFrom(uint32_t after, StatePtr now) {
  // The caller may have seen later events elsewhere: events that follow the subscription are in the
  // buffer or in the log, so the log decides.
  absl::StatusOr<Replay> past = Replay::Open(world_, now->facts->id);
  if (!past.ok()) return past.status();
  if (absl::Status skipped = past->SkipTo(after); !skipped.ok()) return skipped;
  if (after > 0) snapshot_ = std::make_shared<const GameState>(past->state());
  const base::MutexLock lock(mutex_);
  if (after < live_from_) {
    past_ = std::make_unique<Replay>(*std::move(past));
  } else {
    live_from_ = after;
  }
  return absl::OkStatus();
}

Watch::~Watch() {
  const base::MutexLock lock(mutex_);
  ready_.clear();
  live_.clear();
  CountBuffers();
}

void Watch::CountBuffers() {
  const auto held = static_cast<int64_t>(ready_.size() + live_.size());
  if (buffered_ != nullptr && held != counted_) {
    buffered_->fetch_add(held - counted_, std::memory_order_relaxed);
  }
  counted_ = held;
}

absl::StatusOr<std::optional<EventPtr>> Watch::Next() {
  const base::MutexLock lock(mutex_);
  if (ready_.empty() && past_ != nullptr) {
    if (absl::Status status = StartReading(); !status.ok()) return status;
    return std::nullopt;
  }
  std::deque<EventPtr>& from = ready_.empty() ? live_ : ready_;
  // Live events may repeat what the past brought.
  while (!from.empty() && from.front()->record.sequence <= last_taken_) from.pop_front();
  if (from.empty()) {
    CountBuffers();
    // Only now is it known how far the reader came.
    if (too_slow_) {
      return Error(Reason::kWatcherTooSlow, "events came faster than they were read")
          .With("resume_after_sequence", last_taken_);
    }
    if (!end_.ok()) return end_;
    return std::nullopt;
  }
  EventPtr event = std::move(from.front());
  from.pop_front();
  CountBuffers();
  last_taken_ = event->record.sequence;
  return event;
}

absl::Status Watch::StartReading() {
  if (reading_) return absl::OkStatus();
  absl::Status posted = world_.scheduler.Post([self = shared_from_this()] { self->ReadPage(); });
  reading_ = posted.ok();
  return posted;
}

void Watch::ReadPage() {
  // Nobody else touches past_ while reading_ is set.
  Replay* past = nullptr;
  {
    const base::MutexLock lock(mutex_);
    past = past_.get();
  }
  std::vector<EventPtr> page;
  absl::Status failed;
  while (failed.ok() && page.size() < kPage && past->state().sequence < live_from_) {
    absl::StatusOr<std::optional<EventView>> event = past->Next();
    if (!event.ok()) {
      failed = event.status();
    } else if (!*event) {
      failed = Restored();  // the log is shorter than it was
    } else {
      page.push_back(std::make_shared<const EventView>(**std::move(event)));
    }
  }
  {
    const base::MutexLock lock(mutex_);
    reading_ = false;
    ready_.insert(ready_.end(), page.begin(), page.end());
    if (!failed.ok() && end_.ok()) end_ = failed;
    if (!failed.ok() || past->state().sequence >= live_from_) past_.reset();
    if (!failed.ok()) {
      too_slow_ = false;  // what is buffered cannot be sent: it would leave a gap
      live_.clear();
    }
    CountBuffers();
  }
  wake_();
}

void Watch::OnEvents(const std::vector<EventPtr>& events) {
  {
    const base::MutexLock lock(mutex_);
    if (too_slow_ || !end_.ok()) return;
    if (!events.empty()) head_ = events.back()->record.sequence;
    if (live_.size() + events.size() > kMaxBuffered) {
      too_slow_ = true;
    } else {
      live_.insert(live_.end(), events.begin(), events.end());
      CountBuffers();
    }
  }
  wake_();
}

uint32_t Watch::head() const {
  const base::MutexLock lock(mutex_);
  return head_;
}

void Watch::OnLost() {
  {
    const base::MutexLock lock(mutex_);
    if (!too_slow_ && end_.ok()) end_ = Restored();
  }
  wake_();
}

}  // namespace astragal::core
