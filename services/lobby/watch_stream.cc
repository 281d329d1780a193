#include "services/lobby/watch_stream.h"

#include <utility>
#include <vector>

#include "services/base/status.h"
#include "services/lobby/nouns.h"
#include "services/rpc/status.h"

namespace astragal::lobby {

WatchStream* WatchStream::Begin(core::LobbyBoard& board, const base::Clock& clock,
                                rpc::Calls& calls, const std::string& token,
                                const v1::WatchLobbyRequest& request) {
  std::shared_ptr<WatchStream> stream(new WatchStream(board, clock, calls));
  stream->self_ = stream;
  absl::Status begun = calls.AddStream(request, stream);
  if (begun.ok()) begun = calls.scheduler().Post([stream, token] { stream->Open(token); });
  if (!begun.ok()) stream->End(begun);
  return stream.get();
}

void WatchStream::Open(const std::string& token) {
  const absl::StatusOr<base::PlayerId> viewer = calls_.Viewer(token);
  if (!viewer.ok()) return End(viewer.status());
  const absl::StatusOr<core::PicturePtr> first = board_.Subscribe(weak_from_this());
  if (!first.ok()) return End(first.status());
  {
    const base::MutexLock lock(mutex_);
    open_ = true;
  }
  Advance();
  calls_.scheduler().PostAfter(kHeartbeatMs, [weak = weak_from_this()] {
    if (const std::shared_ptr<WatchStream> stream = weak.lock()) stream->Heartbeat();
  });
}

absl::Status WatchStream::Fill(const std::vector<core::ProposalPtr>& proposals,
                               google::protobuf::RepeatedPtrField<v1::Proposal>& out) {
  std::vector<base::PlayerId> players;
  for (const core::ProposalPtr& proposal : proposals) AddPlayers(*proposal, players);
  const auto names = calls_.accounts().Names(players);
  if (!names.ok()) return names.status();
  for (const core::ProposalPtr& proposal : proposals) *out.Add() = ToProto(*proposal, *names);
  return absl::OkStatus();
}

absl::StatusOr<v1::WatchLobbyResponse> WatchStream::MessageFrom(const core::PicturePtr& seen,
                                                                const core::PicturePtr& now) {
  v1::WatchLobbyResponse message;
  absl::Status filled;
  if (seen == nullptr) {
    filled = Fill(now->seeks, *message.mutable_snapshot()->mutable_seeks());
  } else {
    const core::LobbyDifference difference = core::Compare(*seen, *now);
    v1::LobbyChange& change = *message.mutable_change();
    filled = Fill(difference.opened, *change.mutable_opened());
    if (filled.ok()) filled = Fill(difference.closed, *change.mutable_closed());
  }
  if (!filled.ok()) return filled;
  return message;
}

void WatchStream::OnPicture() {
  if (awake_.exchange(true)) return;
  const absl::Status posted = calls_.scheduler().Post([weak = weak_from_this()] {
    const std::shared_ptr<WatchStream> stream = weak.lock();
    if (stream == nullptr) return;
    stream->awake_ = false;  // before it looks: what comes from now on wakes it again
    stream->Advance();
  });
  if (!posted.ok()) awake_ = false;  // the next picture or heartbeat comes
}

void WatchStream::Advance() {
  core::PicturePtr seen;
  const core::PicturePtr now = board_.picture();
  {
    const base::MutexLock lock(mutex_);
    if (!open_ || ended_ || writing_) return;
    if (draining_) return EndLocked(base::Draining());
    if (seen_ == now) return;
    seen = seen_;
    writing_ = true;
  }
  absl::StatusOr<v1::WatchLobbyResponse> message = MessageFrom(seen, now);
  const base::MutexLock lock(mutex_);
  if (ended_) return;
  if (!message.ok()) return EndLocked(message.status());
  seen_ = now;
  message_ = *std::move(message);
  StartWrite(&message_);
}

void WatchStream::OnWriteDone(bool ok) {
  {
    const base::MutexLock lock(mutex_);
    writing_ = false;
    if (!ok && !ended_) EndLocked(absl::CancelledError("the client is gone"));
  }
  OnPicture();  // perhaps there was one meanwhile
}

void WatchStream::OnDrain() {
  const base::MutexLock lock(mutex_);
  draining_ = true;
  if (!ended_ && !writing_) EndLocked(base::Draining());
}

void WatchStream::Heartbeat() {
  {
    const base::MutexLock lock(mutex_);
    if (ended_) return;
    if (!writing_ && !draining_ && seen_ != nullptr) {
      message_.Clear();
      *message_.mutable_heartbeat()->mutable_server_time() = rpc::ToProto(clock_.Now());
      writing_ = true;
      StartWrite(&message_);
    }
  }
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
  Finish(absl::IsCancelled(status) ? grpc::Status(grpc::StatusCode::CANCELLED, "cancelled")
                                   : rpc::ToGrpc(status));
}

void WatchStream::OnDone() { const std::shared_ptr<WatchStream> dies_here = std::move(self_); }

}  // namespace astragal::lobby
