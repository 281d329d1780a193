// The store of games: the interface that core works with, and its one real implementation on
// PostgreSQL (PgGameStore in pg_game_store.h). Tests use a simulated one.
//
// All functions block on the database; none may be called on a gRPC thread. Thread-safe. Unless
// said otherwise they fail with STORE_UNAVAILABLE and have then changed nothing.
#ifndef ASTRAGAL_STORAGE_GAME_STORE_H_
#define ASTRAGAL_STORAGE_GAME_STORE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "storage/records.h"

namespace astragal::storage {

// What one command wants to have stored. All of it or nothing.
struct GameCommit {
  std::optional<GameFacts> create;  // set for a new game; then expected_sequence is 0
  uint32_t expected_sequence = 0;   // the head the events were made from
  std::vector<EventRecord> events;  // at least one; sequences follow expected_sequence without gap
  GameHead head;                    // after the last of them
  std::vector<SeatRecord> seats;    // seats that changed (new games: all)
  // With `create`: proposals of the lobby that the game is made of. All must be open still, and are
  // taken with it.
  std::vector<base::ProposalId> takes;
  std::optional<MatchRecord> match;  // with `create`: its match, where that begins with it
};

enum class CommitOutcome : uint8_t {
  kCommitted,
  kMovedOn,  // the head is not at expected_sequence any more: judge again from the new head
  kBusy,     // another node holds the head's lock this very moment: try in the next batch
  kDuplicateRequest,  // this player used this request id before: look it up
  kRejected,          // the database refused these rows (a constraint): a fault of ours
  kTaken,             // one of the proposals is not open, or another node is taking it
};

struct CommitReport {
  std::vector<CommitOutcome> outcomes;  // one per commit of the batch, in order
  base::Instant committed_at;           // the database's clock
};

// One line of a list of games.
struct GameSummary {
  base::GameId id;
  std::string ruleset;
  uint32_t rules_version = 0;
  GameStatus status = GameStatus::kOpen;
  Ending ending = Ending::kNone;
  uint32_t sequence = 0;
  int8_t actor = -1;  // as GameHead::actor
  base::Instant created_at;
  base::Instant updated_at;
  std::vector<SeatRecord> seats;
};

struct GameFilter {
  std::optional<std::string> ruleset;
  std::optional<GameStatus> status;
  std::optional<base::PlayerId> player;  // holds a seat
  bool with_hidden = false;              // of that player: unlisted and private games too
};

// Where a game stands, for watchers of other nodes' moves.
struct HeadMark {
  base::GameId id;
  uint32_t sequence = 0;
};

// A game with the beginning of its log.
struct StoredLog {
  StoredGame game;
  std::vector<EventRecord> events;
};

class GameStore {
 public:
  virtual ~GameStore() = default;

  // Stores a batch of at most kMaxBatch commits of different games in one transaction. Returns only
  // after the database said it is durable. A failure whose outcome is unknown (the connection broke
  // between sending and answer) is ABORTED with STORE_UNAVAILABLE: nobody knows whether it
  // happened.
  static constexpr size_t kMaxBatch = 512;
  virtual absl::StatusOr<CommitReport> Commit(absl::Span<const GameCommit> batch) = 0;

  // NOT_FOUND when there is none.
  virtual absl::StatusOr<StoredGame> Load(base::GameId id) = 0;

  // Events with sequence > after, ascending, at most `limit` (<= kMaxEvents). Empty at the end.
  static constexpr size_t kMaxEvents = 4'096;
  virtual absl::StatusOr<std::vector<EventRecord>> Events(base::GameId id, uint32_t after,
                                                          size_t limit) = 0;

  // First event of the command this player sent to this game under this id; nullopt: never seen.
  virtual absl::StatusOr<std::optional<EventRecord>> FindRequest(base::GameId game,
                                                                 base::PlayerId player,
                                                                 base::RequestId request) = 0;
  // The game this player created under this id.
  virtual absl::StatusOr<std::optional<base::GameId>> FindCreated(base::PlayerId player,
                                                                  base::RequestId request) = 0;

  // Heads of those of these games that exist, in any order.
  virtual absl::StatusOr<std::vector<HeadMark>> Heads(absl::Span<const base::GameId> games) = 0;

  // Games whose deadline lies at or before `until`, at most `limit`, oldest first. Each is given to
  // one caller: for kDueLeaseMs nobody else gets it.
  static constexpr int64_t kDueLeaseMs = 2'000;
  virtual absl::StatusOr<std::vector<base::GameId>> TakeDue(base::Instant until, size_t limit) = 0;

  // This node lives. Answers with the outages that ended after `known_until`; if all nodes were
  // silent for kOutageMs, that is one more.
  static constexpr int64_t kOutageMs = 2'500;
  virtual absl::StatusOr<std::vector<Outage>> Beat(base::Instant known_until) = 0;

  // Public games only, unless the filter says otherwise. Newest first, ids below `before` (nil:
  // from the start), at most `limit` (<= 1,000).
  virtual absl::StatusOr<std::vector<GameSummary>> List(const GameFilter& filter,
                                                        base::GameId before, size_t limit) = 0;

  // Those of these games (<= kMaxLogs) that exist, in any order, each with its first kLogPage
  // events at most: what Load and Events say, for readers of many games. A log that is packed is
  // empty here; Events has it.
  static constexpr size_t kMaxLogs = 32;
  static constexpr size_t kLogPage = 1'024;
  virtual absl::StatusOr<std::vector<StoredLog>> Logs(absl::Span<const base::GameId> games) = 0;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_GAME_STORE_H_
