// Who of the staff did what, to whom and why, written down before it is done.
#ifndef ASTRAGAL_SERVICES_ADMIN_AUDIT_H_
#define ASTRAGAL_SERVICES_ADMIN_AUDIT_H_

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/clock.h"
#include "services/base/random.h"
#include "services/core/accounts.h"
#include "storage/audit_store.h"

namespace astragal::admin {

// Owns nothing; the references must outlive it. Thread-safe; Write blocks on the store.
class Audit {
 public:
  static constexpr size_t kMaxReason = 1'024;

  Audit(storage::AuditStore& store, const base::Clock& clock, base::Random& random)
      : store_(store), clock_(clock), random_(random) {}

  // The entry of a call: its request_id and reason are fields of the request, the rest of the
  // request is the detail. `method` is for example "AdminService.SetServerMode", `subject` the id
  // of what it is done to. BAD_FIELD.
  absl::StatusOr<storage::AuditEntry> Entry(const core::Identity& actor, std::string_view method,
                                            const google::protobuf::Message& request,
                                            const std::string& subject);
  // Makes the entry and stores it; a repeat of the request leaves the first one, and the same
  // request_id with anything else is REQUEST_ID_REUSED: nothing is done under another act's entry.
  absl::Status Write(const core::Identity& actor, std::string_view method,
                     const google::protobuf::Message& request, const std::string& subject);

  storage::AuditStore& store() { return store_; }
  const base::Clock& clock() const { return clock_; }

 private:
  storage::AuditStore& store_;
  const base::Clock& clock_;
  base::Random& random_;
};

}  // namespace astragal::admin

#endif  // ASTRAGAL_SERVICES_ADMIN_AUDIT_H_
