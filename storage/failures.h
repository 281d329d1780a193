// What can go wrong with a database, as statuses. Pure functions.
//
// connection.cc turns every exception of libpqxx into a status here, once; nothing above it sees an
// exception. Such a status keeps the server's SQLSTATE and words in payloads of storage's own,
// which never leave storage: the stores answer with Public().
#ifndef ASTRAGAL_STORAGE_FAILURES_H_
#define ASTRAGAL_STORAGE_FAILURES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace astragal::storage {

// What a caller can do about a failed statement.
enum class Failure : uint8_t {
  kNone,
  kUnavailable,  // nothing changed; the server is away, full, read-only or too slow: try later
  kInDoubt,      // the connection broke while the statement ran: it may have happened
  kTryAgain,     // nothing changed; a deadlock or a serialization failure: try at once
  kRefused,      // nothing changed; a constraint or a value that the server does not take
  kBroken,       // nothing changed; a statement or a schema that makes no sense: a fault of ours
};

// How long a client should wait while the store is away.
inline constexpr int64_t kRetryAfterMs = 500;

// UNAVAILABLE with STORE_UNAVAILABLE.
absl::Status Unavailable(std::string_view message, int64_t retry_after_ms = kRetryAfterMs);
// ABORTED with STORE_UNAVAILABLE: nobody knows whether the statement happened.
absl::Status InDoubt();

// A failed statement by its SQLSTATE; "" when the connection broke.
absl::Status FromSqlState(std::string_view sqlstate, std::string_view words);

Failure FailureOf(const absl::Status& status);
// Of a status made by FromSqlState: the server's code and its words (they name the constraint).
std::string SqlStateOf(const absl::Status& status);
std::string WordsOf(const absl::Status& status);
// Whether a constraint or unique index of this name was violated.
bool Violates(const absl::Status& status, std::string_view constraint);

// The same failure as a caller of a store may see it: without SQL, with a reason.
absl::Status Public(const absl::Status& status);

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_FAILURES_H_
