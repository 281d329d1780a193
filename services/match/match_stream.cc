#include "services/match/match_stream.h"

#include <utility>

#include "services/base/status.h"
#include "services/match/nouns.h"
#include "services/rpc/status.h"

namespace astragal::match {

MatchStream* MatchStream::Begin(core::Matches& matches, const base::Clock& clock, rpc::Calls& calls,
                                const std::string& token, const v1::WatchMatchRequest& request) {
  std::shared_ptr<MatchStream> stream(new MatchStream(matches, clock, calls));
  stream->self_ = stream;
  absl::Status begun = calls.AddStream(request, stream);
  if (begun.ok()) {
    begun = calls.scheduler().Post([stream, token, request] { stream->Open(token, request); });
  }
  if (!begun.ok()) stream->End(begun);
  return stream.get();
}

void MatchStream::Open(const std::string& token, const v1::WatchMatchRequest& request) {
  const absl::StatusOr<base::PlayerId> viewer = calls_.Viewer(token);
  if (!viewer.ok()) return End(viewer.status());
  const auto id = rpc::ReadId<base::MatchId>(request.match_id(), "match");
  if (!id.ok()) return End(id.status());
  // The watch may outlive this stream by a moment: it must not keep or touch it then.
  auto watch = matches_.StartWatch(*id, *viewer, [weak = weak_from_this()] {
    if (const std::shared_ptr<MatchStream> stream = weak.lock()) stream->Wake();
  });
  if (!watch.ok()) return End(watch.status());
  {
    const base::MutexLock lock(mutex_);
    if (ended_) return;
    watch_ = *std::move(watch);
  }
  Advance();
  calls_.scheduler().PostAfter(kHeartbeatMs, [weak = weak_from_this()] {
    if (const std::shared_ptr<MatchStream> stream = weak.lock()) stream->Heartbeat();
  });
}

void MatchStream::Wake() {
  if (awake_.exchange(true)) return;
  const absl::Status posted = calls_.scheduler().Post([weak = weak_from_this()] {
    const std::shared_ptr<MatchStream> stream = weak.lock();
    if (stream == nullptr) return;
    stream->awake_ = false;  // before it looks: what comes from now on wakes it again
    stream->Advance();
  });
  if (!posted.ok()) awake_ = false;  // the next heartbeat looks
}

core::MatchPtr MatchStream::TakeNext() {
  const base::MutexLock lock(mutex_);
  if (ended_ || writing_ || watch_ == nullptr) return nullptr;
  if (last_sent_ || draining_) {
    EndLocked(last_sent_ ? absl::OkStatus() : absl::Status(base::Draining()));
    return nullptr;
  }
  core::MatchPtr match = watch_->Next();
  writing_ = match != nullptr;
  return match;
}

void MatchStream::Advance() {
  if (const core::MatchPtr match = TakeNext()) Send(*match);
}

void MatchStream::Send(const core::MatchState& match) {
  const auto names = calls_.accounts().Names(match.match.record.players);
  if (!names.ok()) return End(names.status());
  const base::MutexLock lock(mutex_);
  if (ended_) return;
  message_.Clear();
  *message_.mutable_match() = ToProto(match, *names);
  last_sent_ = match.Stage() == core::MatchStage::kOver;
  StartWrite(&message_);
}

void MatchStream::OnWriteDone(bool ok) {
  {
    const base::MutexLock lock(mutex_);
    writing_ = false;
    if (!ok && !ended_) EndLocked(absl::CancelledError("the client is gone"));
  }
  Wake();
}

void MatchStream::OnDrain() {
  {
    const base::MutexLock lock(mutex_);
    draining_ = true;
    if (!ended_ && !writing_) EndLocked(base::Draining());
  }
}

void MatchStream::Heartbeat() {
  Advance();
  {
    const base::MutexLock lock(mutex_);
    if (ended_) return;
    if (!writing_ && !draining_ && !last_sent_) {
      writing_ = true;
      message_.Clear();
      *message_.mutable_heartbeat()->mutable_server_time() = rpc::ToProto(clock_.Now());
      StartWrite(&message_);
    }
  }
  calls_.scheduler().PostAfter(kHeartbeatMs, [weak = weak_from_this()] {
    if (const std::shared_ptr<MatchStream> stream = weak.lock()) stream->Heartbeat();
  });
}

void MatchStream::OnCancel() { End(absl::CancelledError("the client is gone")); }

void MatchStream::End(const absl::Status& status) {
  const base::MutexLock lock(mutex_);
  if (!ended_) EndLocked(status);
}

void MatchStream::EndLocked(const absl::Status& status) {
  ended_ = true;
  watch_.reset();
  Finish(absl::IsCancelled(status) ? grpc::Status(grpc::StatusCode::CANCELLED, "cancelled")
                                   : rpc::ToGrpc(status));
}

void MatchStream::OnDone() { const std::shared_ptr<MatchStream> dies_here = std::move(self_); }

}  // namespace astragal::match
