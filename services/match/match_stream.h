// One WatchMatch call: a reactor between a core::MatchWatch and a client.
#ifndef ASTRAGAL_SERVICES_MATCH_MATCH_STREAM_H_
#define ASTRAGAL_SERVICES_MATCH_MATCH_STREAM_H_

#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "astragal/v1/match_service.pb.h"
#include "services/base/mutex.h"
#include "services/core/matches.h"
#include "services/rpc/call.h"

namespace astragal::match {

// Keeps itself alive until gRPC says it is done. One write is under way at a time; what happens
// meanwhile is in the next one. Thread-safe.
class MatchStream : public grpc::ServerWriteReactor<v1::WatchMatchResponse>,
                    public rpc::Stream,
                    public std::enable_shared_from_this<MatchStream> {
 public:
  static constexpr int64_t kHeartbeatMs = 10'000;

  static MatchStream* Begin(core::Matches& matches, const base::Clock& clock, rpc::Calls& calls,
                            const std::string& token, const v1::WatchMatchRequest& request);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void OnDrain() override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  MatchStream(core::Matches& matches, const base::Clock& clock, rpc::Calls& calls)
      : matches_(matches), clock_(clock), calls_(calls) {}
  void Open(const std::string& token, const v1::WatchMatchRequest& request);
  // Leaves the work to the scheduler: names are read there.
  void Wake();
  void Advance() ABSL_LOCKS_EXCLUDED(mutex_);
  // What is to be sent, if nothing is being written.
  core::MatchPtr TakeNext() ABSL_LOCKS_EXCLUDED(mutex_);
  void Send(const core::MatchState& match) ABSL_LOCKS_EXCLUDED(mutex_);
  void Heartbeat() ABSL_LOCKS_EXCLUDED(mutex_);
  void End(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_);
  void EndLocked(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  core::Matches& matches_;
  const base::Clock& clock_;
  rpc::Calls& calls_;
  std::shared_ptr<MatchStream> self_;  // until OnDone
  std::atomic<bool> awake_ = false;    // the scheduler has an Advance of this stream

  base::Mutex mutex_;
  std::shared_ptr<core::MatchWatch> watch_ ABSL_GUARDED_BY(mutex_);
  v1::WatchMatchResponse message_ ABSL_GUARDED_BY(mutex_);
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;    // or a message is being made
  bool last_sent_ ABSL_GUARDED_BY(mutex_) = false;  // the match is over and the client knows
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace astragal::match

#endif  // ASTRAGAL_SERVICES_MATCH_MATCH_STREAM_H_
