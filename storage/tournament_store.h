// The store of tournaments: one log of entries for each, and a head that guards and schedules it.
// Same contract as GameStore: blocking, thread-safe, STORE_UNAVAILABLE changes nothing unless it
// says that nobody knows.
//
// Truth is the log. Entries are only added, all of a call or none, and only behind the version that
// the caller has seen: whoever was slower reads what came in between and judges again.
#ifndef ASTRAGAL_STORAGE_TOURNAMENT_STORE_H_
#define ASTRAGAL_STORAGE_TOURNAMENT_STORE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "services/base/clock.h"
#include "services/base/crypto.h"
#include "services/base/ids.h"

namespace astragal::storage {

using TournamentId = base::Id<struct TournamentTag>;

// Numbers are for ever. What a kind's fields mean is said in core/tournaments/state.h.
enum class TournamentEntryKind : uint8_t {
  kCreated = 1,
  kRegistrationOpened = 2,
  kRegistered = 3,
  kCheckInOpened = 4,
  kCheckedIn = 5,
  kStarted = 6,
  kRoundDrafted = 7,
  kRoundPublished = 8,
  kRoundUnpublished = 9,
  kResults = 10,
  kResultOverridden = 11,
  kRoundClosed = 12,
  kFinished = 13,
  kReopened = 14,
  kCancelled = 15,
  kPaused = 16,
  kResumed = 17,
  kWithdrawn = 18,
  kPlayerPaused = 19,
  kPlayerReturned = 20,
  kExpelled = 21,
  kByeRequested = 22,
  kRoundsChanged = 23,
  kPairForbidden = 24,
  kAdjusted = 25,
  kRoleGiven = 26,
  kReplayed = 27,
  kChallenged = 28,
  kTieBreaksChanged = 29,
  kRatingCorrected = 30,
  kNextStageCreated = 31,
};

struct TournamentEntry {
  uint32_t version = 0;  // from 1, no gaps
  TournamentEntryKind kind = TournamentEntryKind::kCreated;
  base::PlayerId player;  // whom it concerns; nil
  uint16_t round = 0;     // from 1; 0: none
  uint32_t board = 0;     // from 1; 0: none
  int64_t number = 0;
  std::string detail;  // bytes, at most 1 MiB
  base::PlayerId by;   // nil: the server
  std::string reason;  // at most 500 characters
  base::RequestId request;
  base::Bytes32 body_hash{};  // with a request
  base::Instant at;

  friend bool operator==(const TournamentEntry&, const TournamentEntry&) = default;
};

// What lists show and schedules need.
struct TournamentHead {
  TournamentId id;
  std::string name;
  uint8_t status = 0;  // see core/tournaments/state.h
  uint32_t version = 0;
  std::optional<base::Instant> due_at;  // when a server must look at it by itself
  base::PlayerId created_by;
  base::Instant created_at;

  friend bool operator==(const TournamentHead&, const TournamentHead&) = default;
};

class TournamentStore {
 public:
  // Most tournaments, and most entries, of one answer.
  static constexpr size_t kMaxListed = 1'000;
  static constexpr size_t kMaxEntries = 2'000;
  // Most entries of one Append.
  static constexpr size_t kMaxAppended = 1'000;

  virtual ~TournamentStore() = default;

  // Stores a new tournament with its first entry, whose request makes it. The id: this one, or the
  // one that the same request of the same player made before. REQUEST_ID_REUSED.
  virtual absl::StatusOr<TournamentId> Create(const TournamentHead& head,
                                              const TournamentEntry& first) = 0;
  // Adds entries behind `seen`; `head` is the head after them. False: it has moved on, and nothing
  // was stored. Ends the lease.
  virtual absl::StatusOr<bool> Append(const TournamentHead& head, uint32_t seen,
                                      absl::Span<const TournamentEntry> entries) = 0;
  // Sets when it is due next, if it still has this version, and ends the lease.
  virtual absl::Status Schedule(TournamentId id, uint32_t version,
                                std::optional<base::Instant> due_at) = 0;
  // Those that are due (by the database's clock) and that nobody has taken: at most `limit`, taken
  // for `lease_ms`.
  virtual absl::StatusOr<std::vector<TournamentId>> TakeDue(int64_t lease_ms, size_t limit) = 0;

  // NOT_FOUND.
  virtual absl::StatusOr<TournamentHead> GetHead(TournamentId id) = 0;
  // Entries with version > after, ascending, at most `limit` (<= kMaxEntries). Empty at the end.
  virtual absl::StatusOr<std::vector<TournamentEntry>> ReadLog(TournamentId id, uint32_t after,
                                                               size_t limit) = 0;
  // Newest first, ids below `before` (nil: from the start), at most `limit`; of this status, 0: of
  // any.
  virtual absl::StatusOr<std::vector<TournamentHead>> List(uint8_t status, TournamentId before,
                                                           size_t limit) = 0;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_TOURNAMENT_STORE_H_
