#include "services/admin/first_answers.h"

#include "services/base/status.h"
#include "services/rpc/call.h"

namespace astragal::admin {

absl::Status FirstAnswers::Once(const core::Identity& caller, std::string_view method,
                                const std::string& request_id,
                                const google::protobuf::Message& request,
                                google::protobuf::Message& response,
                                const std::function<absl::Status()>& work) {
  const absl::StatusOr<base::RequestId> id = rpc::ReadRequestId(request_id);
  if (!id.ok()) return id.status();
  const Key key(caller.player, id->bytes);
  const base::Bytes32 body_hash = rpc::BodyHash(method, request);
  {
    const base::MutexLock lock(mutex_);
    if (const auto found = kept_.find(key); found != kept_.end()) {
      if (found->second.body_hash != body_hash) return core::RequestReused();
      if (response.ParseFromString(found->second.response)) return absl::OkStatus();
      return base::Error(base::Reason::kInternal, "a kept answer cannot be read");
    }
  }
  if (absl::Status done = work(); !done.ok()) return done;
  const base::MutexLock lock(mutex_);
  if (!kept_.emplace(key, Kept{body_hash, response.SerializeAsString()}).second) {
    return absl::OkStatus();
  }
  by_age_.push_back(key);
  if (by_age_.size() > kMost) {
    kept_.erase(by_age_.front());
    by_age_.pop_front();
  }
  return absl::OkStatus();
}

}  // namespace astragal::admin
