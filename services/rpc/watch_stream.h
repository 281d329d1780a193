// What every server stream is, whatever it shows: messages one after another as fast as the client
// takes them, heartbeats while there is nothing to say, and an end that says why.
//
// A stream of a service derives from WatchStream and says three things: how it opens, what comes
// next, and how it hands over when the server goes down. It holds no queue: what is not written yet
// is its source's business (a bounded buffer, or a difference between two pictures), which wakes
// the stream when there may be something. So a slow reader costs one message here.
//
// Keeps itself alive until gRPC says it is done. Thread-safe. Whatever calls it from outside gRPC
// holds a shared_ptr meanwhile.
#ifndef ASTRAGAL_SERVICES_RPC_WATCH_STREAM_H_
#define ASTRAGAL_SERVICES_RPC_WATCH_STREAM_H_

#include <google/protobuf/message.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/mutex.h"
#include "services/base/status.h"
#include "services/rpc/call.h"
#include "services/rpc/status.h"

namespace astragal::rpc {

// What a stream found when it looked for its next message.
enum class Next {
  kMessage,  // it was filled in
  kNothing,  // nothing yet: the source wakes the stream
  kEnd,      // there will be none: the stream ends OK
};

// Who makes the messages: a stream whose next one needs the database works on the scheduler only;
// one that need not wait writes the next message from where gRPC says that the last one is written.
enum class Making { kBlocks, kIsQuick };

template <typename Message>
class WatchStream : public grpc::ServerWriteReactor<Message>,
                    public Stream,
                    public std::enable_shared_from_this<WatchStream<Message>> {
 public:
  // How long nothing is said at most.
  static constexpr int64_t kHeartbeatMs = 10'000;

  // Counts the stream in and opens it on the scheduler. To be called once, on a stream that is held
  // by a shared_ptr. What fails ends the stream: gRPC tells the client.
  WatchStream* Begin(const grpc::CallbackServerContext& context,
                     const google::protobuf::Message& request);

  // There may be something new. Any thread, perhaps under a lock of the source: leaves the work to
  // the scheduler.
  void Wake();

  void OnWriteDone(bool ok) final ABSL_LOCKS_EXCLUDED(mutex_);
  void OnCancel() final;
  void OnDone() final;
  void OnDrain() final ABSL_LOCKS_EXCLUDED(mutex_);
  void OnRightsChanged() final;

 protected:
  WatchStream(Calls& calls, Making making) : calls_(calls), making_(making) {}

  // The next four are called one at a time and never at once, so that what they touch needs no lock
  // of its own.

  // Subscribes to the source (may block) for a caller whom the gate let in. The source may wake the
  // stream from now on.
  virtual absl::Status Open(const core::Identity& viewer) = 0;
  // Fills in the next message, which is empty. An error ends the stream.
  virtual absl::StatusOr<Next> MakeNext(Message& message) = 0;
  // Fills in a heartbeat; false: this stream has none. Quick.
  virtual bool MakeHeartbeat(Message& message) = 0;
  // How the stream ends when the server goes down: where to resume. OK if nothing would follow
  // anyway. Quick.
  virtual absl::Status HandOver() { return base::Draining(); }

  Calls& calls() { return calls_; }

 private:
  void OpenAndGo() ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends the stream unless its caller may still watch.
  void Recheck() ABSL_LOCKS_EXCLUDED(mutex_);
  // By whoever has the turn: goes on until a message is being written or there is none.
  void Go() ABSL_LOCKS_EXCLUDED(mutex_);
  void Advance() ABSL_LOCKS_EXCLUDED(mutex_);
  // Hands the message to gRPC, which tells OnWriteDone once it is on its way.
  void Write() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Beat() ABSL_LOCKS_EXCLUDED(mutex_);
  void BeatLater();
  void End(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);
  void EndLocked(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Calls& calls_;
  const Making making_;
  std::shared_ptr<WatchStream> self_;  // until OnDone
  std::atomic<bool> awake_ = false;    // the scheduler has an Advance of this stream

  Message message_;                 // of whoever has the turn
  std::optional<Gate::Pass> pass_;  // set by Begin, and its player by OpenAndGo
  std::atomic<bool> entered_ = false;

  base::Mutex mutex_;
  // Somebody has the turn: opens the stream, makes a message, or it is being written.
  bool busy_ ABSL_GUARDED_BY(mutex_) = true;
  bool again_ ABSL_GUARDED_BY(mutex_) = false;  // it was woken meanwhile
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status end_ ABSL_GUARDED_BY(mutex_);
};

template <typename Message>
WatchStream<Message>* WatchStream<Message>::Begin(const grpc::CallbackServerContext& context,
                                                  const google::protobuf::Message& request) {
  self_ = this->shared_from_this();
  absl::Status begun = calls_.AddStream(context, request, self_, pass_);
  if (begun.ok()) begun = calls_.scheduler().Post([stream = self_] { stream->OpenAndGo(); });
  if (!begun.ok()) End(begun);
  return this;
}

template <typename Message>
void WatchStream<Message>::OpenAndGo() {
  const absl::StatusOr<core::Identity> viewer = calls_.EnterStream(*pass_);
  if (!viewer.ok()) return End(viewer.status());
  entered_ = true;
  if (const absl::Status opened = Open(*viewer); !opened.ok()) return End(opened);
  Go();
  BeatLater();
}

template <typename Message>
void WatchStream<Message>::Go() {
  while (true) {
    {
      const base::MutexLock lock(mutex_);
      if (ended_) return;
      if (draining_) return EndLocked(HandOver());
      again_ = false;
    }
    message_.Clear();
    const absl::StatusOr<Next> found = MakeNext(message_);
    const base::MutexLock lock(mutex_);
    if (ended_) return;
    if (!found.ok()) return EndLocked(found.status());
    if (*found == Next::kEnd) return EndLocked(absl::OkStatus());
    if (*found == Next::kMessage) {
      pass_->method->sent.fetch_add(1, std::memory_order_relaxed);
      return Write();
    }
    if (again_ || draining_) continue;
    busy_ = false;
    return;
  }
}

template <typename Message>
void WatchStream<Message>::Advance() {
  {
    const base::MutexLock lock(mutex_);
    if (ended_) return;
    again_ = true;
    if (std::exchange(busy_, true)) return;
  }
  Go();
}

template <typename Message>
void WatchStream<Message>::Wake() {
  if (awake_.exchange(true)) return;
  const absl::Status posted = calls_.scheduler().Post([weak = this->weak_from_this()] {
    const std::shared_ptr<WatchStream> stream = weak.lock();
    if (stream == nullptr) return;
    stream->awake_ = false;  // before it looks: what comes from now on wakes it again
    stream->Advance();
  });
  if (!posted.ok()) awake_ = false;  // the next thing, or the heartbeat, wakes it
}

template <typename Message>
void WatchStream<Message>::Write() {
  pass_->method->unsent.fetch_add(1, std::memory_order_relaxed);
  this->StartWrite(&message_);
}

template <typename Message>
void WatchStream<Message>::OnWriteDone(bool ok) {
  pass_->method->unsent.fetch_sub(1, std::memory_order_relaxed);
  if (!ok) return End(absl::CancelledError("the client is gone"));
  if (making_ == Making::kIsQuick) return Go();
  const absl::Status posted = calls_.scheduler().Post([stream = self_] { stream->Go(); });
  if (!posted.ok()) End(posted);
}

template <typename Message>
void WatchStream<Message>::OnDrain() {
  const base::MutexLock lock(mutex_);
  draining_ = true;
  if (ended_ || busy_) return;  // whoever has the turn ends it
  EndLocked(HandOver());
}

template <typename Message>
void WatchStream<Message>::OnRightsChanged() {
  if (!entered_) return;
  (void)calls_.scheduler().Post([weak = this->weak_from_this()] {
    if (const std::shared_ptr<WatchStream> stream = weak.lock()) stream->Recheck();
  });
}

template <typename Message>
void WatchStream<Message>::Recheck() {
  const absl::StatusOr<core::Identity> viewer = calls_.gate().Authenticate(*pass_);
  const absl::Status may = viewer.ok() ? calls_.gate().Allow(*pass_, *viewer) : viewer.status();
  // While the store is away nobody can be judged.
  if (absl::IsUnauthenticated(may) || absl::IsPermissionDenied(may)) End(may);
}

template <typename Message>
void WatchStream<Message>::BeatLater() {
  calls_.scheduler().PostAfter(kHeartbeatMs, [weak = this->weak_from_this()] {
    if (const std::shared_ptr<WatchStream> stream = weak.lock()) stream->Beat();
  });
}

template <typename Message>
void WatchStream<Message>::Beat() {
  {
    const base::MutexLock lock(mutex_);
    if (ended_) return;
    if (!busy_) {
      message_.Clear();
      busy_ = MakeHeartbeat(message_);
      if (busy_) Write();
    }
  }
  BeatLater();
}

template <typename Message>
void WatchStream<Message>::OnCancel() {
  End(absl::CancelledError("the client is gone"));
}

template <typename Message>
void WatchStream<Message>::End(const absl::Status& status) {
  const base::MutexLock lock(mutex_);
  if (!ended_) EndLocked(status);
}

template <typename Message>
void WatchStream<Message>::EndLocked(const absl::Status& status) {
  ended_ = true;
  end_ = status;
  this->Finish(absl::IsCancelled(status) ? grpc::Status(grpc::StatusCode::CANCELLED, "cancelled")
                                         : ToGrpc(status));
}

template <typename Message>
void WatchStream<Message>::OnDone() {
  {
    const base::MutexLock lock(mutex_);
    if (pass_) calls_.EndStream(*pass_, entered_, end_);
  }
  const std::shared_ptr<WatchStream> dies_here = std::move(self_);
}

}  // namespace astragal::rpc

#endif  // ASTRAGAL_SERVICES_RPC_WATCH_STREAM_H_
