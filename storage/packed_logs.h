// The logs of games that have ended in their packed form, and which games have none yet. What the
// bytes mean is not storage's business (core/packed_log.h).
//
// A log is in one of three places: in the table of events, one row an event; packed, one row a
// game; or archived, that is in a file that an operator keeps. The head of a game, its seats and
// everything that lists and ratings need stay where they are. PackedLogs is an interface, so that
// core can be tested without a database; PgPackedLogs is the real one. All functions block and fail
// with STORE_UNAVAILABLE, having changed nothing. Thread-safe.
#ifndef ASTRAGAL_STORAGE_PACKED_LOGS_H_
#define ASTRAGAL_STORAGE_PACKED_LOGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "services/base/clock.h"
#include "services/base/ids.h"
#include "storage/pool.h"

namespace astragal::storage {

struct PackedLog {
  std::string bytes;    // empty: archived
  std::string archive;  // where to, in the operator's words; empty: not archived
};

class PackedLogs {
 public:
  static constexpr size_t kMaxBytes = size_t{16} * 1024 * 1024;  // of a packed log
  static constexpr size_t kMaxListed = 1'000;

  virtual ~PackedLogs() = default;

  // Nothing while the log is in the table of events.
  virtual absl::StatusOr<std::optional<PackedLog>> Read(base::GameId game) = 0;
  // Games above `after` (nil: from the oldest) that ended before `ended_before` and whose log is
  // in the table of events, ascending, at most `limit` (<= kMaxListed).
  virtual absl::StatusOr<std::vector<base::GameId>> Unpacked(base::GameId after,
                                                             base::Instant ended_before,
                                                             size_t limit) = 0;
  // Takes `bytes` for the log of a game that has ended at `sequence`, in place of its events. False
  // when it has not ended so, or was packed before.
  virtual absl::StatusOr<bool> Pack(base::GameId game, uint32_t sequence,
                                    const std::string& bytes) = 0;
  // Forgets the packed logs of these games (<= kMaxListed), which are in `archive` now. How many
  // there were; those that are not packed stay.
  virtual absl::StatusOr<size_t> Archive(absl::Span<const base::GameId> games,
                                         const std::string& archive) = 0;
  // Takes an archived log back. False when it is not archived.
  virtual absl::StatusOr<bool> Restore(base::GameId game, const std::string& bytes) = 0;
};

class PgPackedLogs : public PackedLogs {
 public:
  explicit PgPackedLogs(Pool& pool) : pool_(pool) {}

  absl::StatusOr<std::optional<PackedLog>> Read(base::GameId game) override;
  absl::StatusOr<std::vector<base::GameId>> Unpacked(base::GameId after, base::Instant ended_before,
                                                     size_t limit) override;
  absl::StatusOr<bool> Pack(base::GameId game, uint32_t sequence,
                            const std::string& bytes) override;
  absl::StatusOr<size_t> Archive(absl::Span<const base::GameId> games,
                                 const std::string& archive) override;
  absl::StatusOr<bool> Restore(base::GameId game, const std::string& bytes) override;

 private:
  Pool& pool_;
};

// The tests read their plans.
std::vector<Statement> PackedLogStatements();

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_PACKED_LOGS_H_
