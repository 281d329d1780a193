// What the staff did: an append-only log, and the restrictions of accounts that it explains. Same
// contract as GameStore: blocking, thread-safe, STORE_UNAVAILABLE changes nothing.
//
// An entry is written before, or with, the act that it tells of: nothing is done without one, and
// an act that fails leaves its entry behind.
#ifndef ASTRAGAL_STORAGE_AUDIT_STORE_H_
#define ASTRAGAL_STORAGE_AUDIT_STORE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/clock.h"
#include "services/base/ids.h"
#include "storage/pool.h"

namespace astragal::storage {

struct AuditEntry {
  base::IdBytes id{};  // ordered by time
  base::Instant at;
  base::PlayerId actor;     // nil: the operator without an account
  base::KeyId key;          // nil: the operator's own key or certificate
  base::RequestId request;  // of an actor there is one entry for each
  std::string action;       // the method, for example "ModerationService.RestrictPlayer"
  std::string subject;      // the id of what it was done to; may be empty
  std::string reason;       // 1 to 1,024 bytes
  std::string detail;       // what was asked for, as text; at most 4,096 bytes
};

// Owns nothing; the pool must outlive it.
class AuditStore {
 public:
  static constexpr size_t kMaxListed = 1'000;

  explicit AuditStore(Pool& pool) : pool_(pool) {}

  // False: this request of this actor has its entry already. REQUEST_ID_REUSED: it has one that
  // tells of another act. What is there stays as it is.
  absl::StatusOr<bool> Append(const AuditEntry& entry);
  // Newest first, ids below `before` (all zero: from the start), of one subject (empty: of all).
  absl::StatusOr<std::vector<AuditEntry>> List(const std::string& subject,
                                               const base::IdBytes& before, size_t limit);

  // Sets a player's restriction (a number of core::Restriction) with its entry, in one transaction;
  // a repeat of the request changes nothing. The player must exist. REQUEST_ID_REUSED as Append.
  absl::Status Restrict(base::PlayerId player, uint8_t restriction,
                        std::optional<base::Instant> until, const AuditEntry& entry);

 private:
  Pool& pool_;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_AUDIT_STORE_H_
