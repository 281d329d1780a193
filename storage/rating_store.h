// The store of ratings: the outbox of finished rated games, pools, their logs of matches, the steps
// of each player, and standings. Storage keeps numbers; what they mean is in
// services/algorithms/rating_pool.h, who computes them is services/core/ratings.h.
//
// Same contract as GameStore: blocking, thread-safe, STORE_UNAVAILABLE changes nothing (but ABORTED
// with it: nobody knows). Writing statements are one transaction each; they hold the pool's row and
// do nothing unless the pool is where the caller saw it, so that any number of workers on any
// number of nodes rate each match once, in one order.
#ifndef ASTRAGAL_STORAGE_RATING_STORE_H_
#define ASTRAGAL_STORAGE_RATING_STORE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "services/base/clock.h"
#include "services/base/ids.h"
#include "storage/answer.h"
#include "storage/records.h"

namespace astragal::storage {

// A game of the outbox with what rating it needs. Seats in order.
struct FinishedGame {
  int64_t id = 0;  // of the outbox row
  base::GameId game;
  std::string ruleset;
  uint32_t rules_version = 0;
  std::vector<int64_t> options;
  ClockPolicy clock;
  base::MatchId match;  // nil: of none
  Ending ending = Ending::kNone;
  base::Instant finished_at;
  std::vector<base::PlayerId> players;
  std::vector<int32_t> places;
  std::vector<bool> bots;
  int64_t actions = 0;         // of all seats
  bool rated_already = false;  // its match, or itself, is in a pool's log
  base::PlayerId aborted_by;   // of kAborted: who called it off; nil: unknown
  // Of kNotBegun, where the seat to act has done nothing since the last throw: the position.
  std::string waiting_position;
  bool one_household = false;  // two of three or more seats
};

// A rated game that came to nothing because of one player.
struct NoShow {
  int64_t outbox = 0;  // row
  base::PlayerId player;
  base::GameId game;
  base::Instant ended_at;
};

// What a player made of the last games: rated matches, and rated games that came to nothing because
// of him.
struct Conduct {
  int64_t games = 0;
  int64_t no_shows = 0;      // of them
  int64_t early_losses = 0;  // of as many rated matches
  int64_t completed = 0;     // of the games: neither missed nor lost early
};

struct PoolRecord {
  int32_t number = 0;
  std::string name;
  std::string ruleset;
  uint8_t seats = 2;  // 2; or 4 for three and four
  std::string profile;
  int64_t next_order = 1;
  int32_t revision = 1;
  base::Instant created_at;
};

enum class MatchState : uint8_t { kCounted = 1, kAnnulled = 2, kCorrected = 3 };

struct RatedMatchRecord {
  int64_t rated_order = 0;
  base::MatchId match;  // or the game's id
  base::Instant finished_at;
  std::vector<base::PlayerId> players;
  std::vector<int32_t> places;
  int32_t length = 1;
  int32_t first_mover = -1;
  bool exempt = false;
  bool early = false;
  // What its players had estimated of themselves in this pool, one for each seat; empty: nobody
  // had. Only Matches reads it.
  std::vector<int32_t> estimates;
  MatchState state = MatchState::kCounted;
  int32_t revision = 1;
  std::string reason;
};

// A player's row of a pool; doubles as computed.
struct StandingRecord {
  base::PlayerId player;
  bool pinned = false;
  double rating = 0;
  double deviation = 0;
  double volatility = 0;
  int32_t matches = 0;
  int32_t opponents = 0;
  int32_t wins = 0;
  int32_t draws = 0;
  base::Instant last_at;
  double peak = 0;
  base::Instant peak_at;
  double fibs_rating = 1500;
  double fibs_experience = 0;

  friend bool operator==(const StandingRecord&, const StandingRecord&) = default;
};

// A standing as the list orders it.
struct ListedStanding {
  StandingRecord standing;
  double lower_bound = 0;
  bool listed = false;
};

struct StepRecord {
  int64_t rated_order = 0;
  int32_t revision = 1;
  bool counted = true;
  double information = 1;
  double rating_before = 0;
  double deviation_before = 0;
  double volatility_before = 0;
  StandingRecord after;  // names the player
};

// A step and the match it belongs to.
struct HistoryEntry {
  StepRecord step;
  RatedMatchRecord match;
};

using PlayerPair = std::pair<base::PlayerId, base::PlayerId>;

struct PairStanding {
  base::PlayerId low;
  base::PlayerId high;
  int32_t pool = 0;
  int32_t matches = 0;
  int32_t wins = 0;  // of `low`
  int32_t draws = 0;
  std::vector<int64_t> recent;  // instants, in microseconds

  friend bool operator==(const PairStanding&, const PairStanding&) = default;
};

// How strong a player said he is before his first match in a pool.
struct EstimateRecord {
  base::PlayerId player;
  int32_t level = 0;  // steps above the pool's start, -1 to 1
  base::Instant made_at;
};

// What rating some matches of one pool comes to.
struct RatingBatch {
  int32_t pool = 0;
  int64_t expected_order = 1;  // of the pool, as it was read
  int32_t expected_revision = 1;
  std::vector<int64_t> outbox;  // rows that are done with it
  std::vector<RatedMatchRecord> matches;
  std::vector<StepRecord> steps;
  std::vector<ListedStanding> standings;
  std::vector<PairStanding> pairs;
};

// What a recomputation ends with. Its steps were written before, in a revision above the pool's.
struct RatingSwitch {
  int32_t pool = 0;
  int64_t expected_order = 1;
  int32_t expected_revision = 1;          // the new one is one more
  int32_t shadow = 0;                     // as BeginShadow gave it
  std::vector<RatedMatchRecord> matches;  // those whose places or state change
  std::vector<ListedStanding> standings;  // those that change
  std::vector<PairStanding> pairs;        // those that change; without matches: removed
  // The first match that the new revision says something else about: checkpoints after it no longer
  // hold.
  int64_t first_order = 1;
  base::Instant at;
  std::optional<Answer> answer;  // kept with it
};

// Standings against the steps they follow from.
struct StandingsCheck {
  int64_t compared = 0;
  std::vector<std::pair<std::string, base::PlayerId>> wrong;  // pool and player
};

// A list as it was on a day (UTC, "2026-11-01"), soon after its midnight.
struct Snapshot {
  std::string day;
  base::Instant taken_at;
  int64_t players = 0;
  bool official = false;  // the first one of its month: kept for ever
};
// Whether a name of a list means this one: its day, "latest", or "official" if it is. Of those that
// fit the newest is meant.
inline bool IsNamed(const Snapshot& snapshot, std::string_view name) {
  return name == "latest" || snapshot.day == name || (name == "official" && snapshot.official);
}

// A place in a list: entries after it come next.
struct ListMark {
  double lower_bound = 0;
  base::PlayerId player;
};

class RatingStore {
 public:
  // Rows of one answer: of lists and of what is read in pages.
  static constexpr size_t kMaxListed = 1'000;
  static constexpr size_t kMaxRead = 20'000;
  static constexpr size_t kMaxCheckpoints = 3;
  static constexpr int kSnapshotDays = 7;

  virtual ~RatingStore() = default;

  // ---- Requests

  virtual absl::StatusOr<std::optional<Answer>> FindAnswer(base::PlayerId account,
                                                           base::RequestId request) = 0;
  // Of a request that changed nothing. The first one stays.
  virtual absl::Status KeepAnswer(const Answer& answer) = 0;

  // ---- The outbox

  // Games due at `now`, oldest first, at most `limit` (<= kMaxListed).
  virtual absl::StatusOr<std::vector<FinishedGame>> FinishedGames(base::Instant now,
                                                                  size_t limit) = 0;
  // Done with, whatever came of them.
  virtual absl::Status Discard(absl::Span<const int64_t> outbox) = 0;
  // Done with, and noted. A player is noted once for a game.
  virtual absl::Status NoteNoShows(absl::Span<const NoShow> missed) = 0;
  // Not before `due` again.
  virtual absl::Status Postpone(absl::Span<const int64_t> outbox, base::Instant due) = 0;

  // ---- Pools

  // The pool of this name, made with these values if there is none.
  virtual absl::StatusOr<PoolRecord> EnsurePool(const PoolRecord& pool) = 0;
  // NOT_FOUND.
  virtual absl::StatusOr<PoolRecord> GetPool(const std::string& name) = 0;
  // By name, above `after`.
  virtual absl::StatusOr<std::vector<PoolRecord>> ListPools(const std::string& after,
                                                            size_t limit) = 0;
  virtual absl::StatusOr<std::vector<PoolRecord>> PoolsByNumber(
      absl::Span<const int32_t> numbers) = 0;

  // ---- Rating

  // Those of these players that have a rating in the pool.
  virtual absl::StatusOr<std::vector<ListedStanding>> Standings(
      int32_t pool, absl::Span<const base::PlayerId> players) = 0;
  // Those of these pairs (the lower id first) that met in this pool.
  virtual absl::StatusOr<std::vector<PairStanding>> Pairs(int32_t pool,
                                                          absl::Span<const PlayerPair> pairs) = 0;
  // What those of these players who did have estimated of themselves in this pool.
  virtual absl::StatusOr<std::vector<EstimateRecord>> Estimates(
      int32_t pool, absl::Span<const base::PlayerId> players) = 0;
  // ALREADY_EXISTS: he has estimated himself, or was rated. ABORTED with STALE_VERSION: the request
  // was answered before.
  virtual absl::Status Estimate(int32_t pool, const EstimateRecord& estimate,
                                const Answer& answer) = 0;
  // False: the pool has moved on, nothing was written. ALREADY_EXISTS: one of the matches was
  // rated.
  virtual absl::StatusOr<bool> Rate(const RatingBatch& batch) = 0;
  // Sets and fixes a rating, or frees it again, and keeps the answer to that. False: the pool has
  // moved on. ABORTED with STALE_VERSION: the request was answered before.
  virtual absl::StatusOr<bool> Pin(const PoolRecord& pool, const ListedStanding& standing,
                                   const std::optional<Answer>& answer) = 0;

  // ---- Reading

  virtual absl::StatusOr<std::vector<std::pair<int32_t, ListedStanding>>> RatingsOf(
      base::PlayerId player) = 0;
  // Steps that hold, newest first, of matches below `before` (0: from the newest).
  virtual absl::StatusOr<std::vector<HistoryEntry>> History(const PoolRecord& pool,
                                                            base::PlayerId player, int64_t before,
                                                            size_t limit) = 0;
  // The last step that holds of matches that ended at or before `at`.
  virtual absl::StatusOr<std::optional<StepRecord>> StepAt(const PoolRecord& pool,
                                                           base::PlayerId player,
                                                           base::Instant at) = 0;
  // Listed players in the order of their lower bounds, highest first, after `after`; or lowest
  // first, before it.
  virtual absl::StatusOr<std::vector<ListedStanding>> ListAfter(
      int32_t pool, const std::optional<ListMark>& after, size_t limit) = 0;
  virtual absl::StatusOr<std::vector<ListedStanding>> ListBefore(int32_t pool,
                                                                 const ListMark& before,
                                                                 size_t limit) = 0;
  // How many are listed before this place.
  virtual absl::StatusOr<int64_t> CountBefore(int32_t pool, const ListMark& place) = 0;
  // In all pools.
  virtual absl::StatusOr<std::vector<PairStanding>> HeadToHead(base::PlayerId one,
                                                               base::PlayerId other) = 0;
  // Of the player's last `limit` games in all pools.
  virtual absl::StatusOr<Conduct> ConductOf(base::PlayerId player, size_t limit) = 0;
  // NOT_FOUND when it is in no pool's log.
  virtual absl::StatusOr<std::pair<int32_t, RatedMatchRecord>> FindMatch(base::MatchId match) = 0;

  // ---- Recomputing

  // The log, above `after`, in order, at most `limit` (<= kMaxRead).
  virtual absl::StatusOr<std::vector<RatedMatchRecord>> Matches(int32_t pool, int64_t after,
                                                                size_t limit) = 0;
  // Those of one player that ended at `since` or later, likewise.
  virtual absl::StatusOr<std::vector<RatedMatchRecord>> MatchesOf(int32_t pool,
                                                                  base::PlayerId player,
                                                                  base::Instant since,
                                                                  int64_t after, size_t limit) = 0;
  // Steps that hold of the matches above `after` and up to `until`, in their order; of at most
  // kMaxRead matches.
  virtual absl::StatusOr<std::vector<StepRecord>> Steps(const PoolRecord& pool, int64_t after,
                                                        int64_t until) = 0;
  // All rows of the pool, by player above `after`.
  virtual absl::StatusOr<std::vector<ListedStanding>> AllStandings(int32_t pool,
                                                                   base::PlayerId after,
                                                                   size_t limit) = 0;
  // The latest checkpoint before `order` that holds in the pool's revision: the match it was taken
  // after.
  virtual absl::StatusOr<std::optional<int64_t>> FindCheckpoint(const PoolRecord& pool,
                                                                int64_t order) = 0;
  // Its standings, but for pinned ones, by player above `after`; and its pairs above `after`. At
  // most `limit` (<= kMaxRead).
  virtual absl::StatusOr<std::vector<ListedStanding>> CheckpointStandings(int32_t pool,
                                                                          int64_t checkpoint,
                                                                          base::PlayerId after,
                                                                          size_t limit) = 0;
  virtual absl::StatusOr<std::vector<PairStanding>> CheckpointPairs(int32_t pool,
                                                                    int64_t checkpoint,
                                                                    const PlayerPair& after,
                                                                    size_t limit) = 0;
  // Compares each standing with what the player's last step that holds came to; up to `limit`
  // (<= kMaxListed) that are wrong. Reads all pools: for a store that nobody waits for.
  virtual absl::StatusOr<StandingsCheck> CheckStandings(size_t limit) = 0;
  // Begins a recomputation and ends every other one of this pool: steps above its revision are
  // forgotten. The number is for WriteShadow and Switch. ABORTED with STALE_VERSION: the pool has
  // another revision now.
  virtual absl::StatusOr<int32_t> BeginShadow(const PoolRecord& pool) = 0;
  // ABORTED with STALE_VERSION: another recomputation has begun.
  virtual absl::Status WriteShadow(const PoolRecord& pool, int32_t shadow,
                                   absl::Span<const StepRecord> steps) = 0;
  // False: the pool has moved on, nothing was written. ABORTED with STALE_VERSION: the request was
  // answered before.
  virtual absl::StatusOr<bool> Switch(const RatingSwitch& change) = 0;

  // ---- Snapshots

  // Of the list as it is now, unless the day has one; forgets what is older than
  // kSnapshotDays and not official.
  virtual absl::Status TakeSnapshot(int32_t pool, const std::string& day, base::Instant now) = 0;
  // Newest first, at most kMaxListed.
  virtual absl::StatusOr<std::vector<Snapshot>> Snapshots(int32_t pool) = 0;
  // The standings with ranks above `after`, by rank.
  virtual absl::StatusOr<std::vector<ListedStanding>> SnapshotRows(int32_t pool,
                                                                   const std::string& day,
                                                                   int64_t after, size_t limit) = 0;
  // Those of these players who are in it, in no order.
  virtual absl::StatusOr<std::vector<ListedStanding>> SnapshotOf(
      int32_t pool, const std::string& day, absl::Span<const base::PlayerId> players) = 0;
  // nullopt: not in it.
  virtual absl::StatusOr<std::optional<int64_t>> RankIn(int32_t pool, const std::string& day,
                                                        base::PlayerId player) = 0;

  // ---- Households

  // These players live together from now on, and with nobody else; one player: alone. ABORTED with
  // STALE_VERSION: the request was answered before.
  virtual absl::Status SetHousehold(absl::Span<const base::PlayerId> players,
                                    const Answer& answer) = 0;

  // ---- Housekeeping

  // Ages what the list says of a pool that was not looked at since `before`: standings that were
  // listed, by player above `after`. MarkRefreshed ends it.
  virtual absl::StatusOr<std::vector<PoolRecord>> PoolsToRefresh(base::Instant before,
                                                                 size_t limit) = 0;
  virtual absl::Status Relist(int32_t pool, absl::Span<const ListedStanding> standings) = 0;
  virtual absl::Status MarkRefreshed(int32_t pool, base::Instant at) = 0;
  // Pools that were rated since their last checkpoint, which is older than `before`, or which have
  // none and are.
  virtual absl::StatusOr<std::vector<PoolRecord>> PoolsWithoutCheckpoint(base::Instant before,
                                                                         size_t limit) = 0;
  // Takes one after the pool's last match, and forgets all but the last kMaxCheckpoints.
  virtual absl::Status TakeCheckpoint(int32_t pool, base::Instant now) = 0;
};

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_RATING_STORE_H_
