// The first answers of calls that change this server and nothing else: which rulesets it has
// loaded, in which mode it is. They live as long as what was changed, until the server ends; a
// repeat after that is a new request, as it should be.
#ifndef ASTRAGAL_SERVICES_ADMIN_FIRST_ANSWERS_H_
#define ASTRAGAL_SERVICES_ADMIN_FIRST_ANSWERS_H_

#include <google/protobuf/message.h>

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "services/base/crypto.h"
#include "services/base/ids.h"
#include "services/base/mutex.h"
#include "services/core/accounts.h"

namespace astragal::admin {

// Thread-safe.
class FirstAnswers {
 public:
  // Operators are few; the oldest answers go first.
  static constexpr size_t kMost = 1'000;

  // The answer to a request, which has a field request_id: the first one again, or what `work` puts
  // into `response`. A failure is not kept, so that it can be tried again. Two of one request that
  // come at once may both do `work`. BAD_FIELD, REQUEST_ID_REUSED.
  absl::Status Once(const core::Identity& caller, std::string_view method,
                    const std::string& request_id, const google::protobuf::Message& request,
                    google::protobuf::Message& response, const std::function<absl::Status()>& work)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Key = std::pair<base::PlayerId, base::IdBytes>;
  struct Kept {
    base::Bytes32 body_hash;
    std::string response;
  };

  base::Mutex mutex_;
  std::map<Key, Kept> kept_ ABSL_GUARDED_BY(mutex_);
  std::deque<Key> by_age_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace astragal::admin

#endif  // ASTRAGAL_SERVICES_ADMIN_FIRST_ANSWERS_H_
