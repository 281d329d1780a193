// Ratings: rates finished matches from the outbox, once each and in each pool's own order, answers
// what would come of a match, and recomputes pools.
//
// A pool is a fold over its log of matches (algorithms/rating_pool.h). Live rating loads the
// standings it needs, folds some matches over them, and stores the outcome if the pool is still
// where it was; else it looks again. So workers on all nodes may run at once: each match gets one
// order and one set of steps, as if there were one worker. Owns nothing but its configuration;
// thread-safe. All functions block on the store; a failure leaves the outbox as it was, and the
// next round tries again.
#ifndef ASTRAGAL_SERVICES_CORE_RATINGS_H_
#define ASTRAGAL_SERVICES_CORE_RATINGS_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "plugins/host/catalog.h"
#include "services/algorithms/rating_pool.h"
#include "services/base/clock.h"
#include "services/base/scheduler.h"
#include "services/core/rated_match.h"
#include "services/core/rating_rows.h"
#include "services/core/rating_terms.h"
#include "services/core/table_help.h"
#include "storage/rating_store.h"

namespace astragal::core {

// What would come of a match for one seat.
struct PredictedSeat {
  algorithms::Standing stored;  // as after the last match
  algorithms::Standing now;     // aged
  bool pinned = false;
  double first = 0;  // chance to come first; of two the expected score
  algorithms::Standing win;
  algorithms::Standing draw;  // all share the first place
  algorithms::Standing loss;  // last of all, the others in order of their seats
};

struct MatchCorrection {
  base::MatchId match;
  bool annul = false;
  std::vector<int32_t> places;  // otherwise; empty: as they were, counted again
  std::string reason;
};

// Everything that one player played in a pool in these days is void.
struct PlayerAnnulment {
  static constexpr int32_t kDays = 90;

  base::PlayerId player;
  int32_t days = kDays;  // before now; older matches stay
  std::string reason;
};

// What a recomputation found or did.
struct Recomputation {
  storage::PoolRecord pool;  // as it is afterwards
  int64_t checkpoint = 0;    // the match after which it began; 0: at the first
  int64_t matches = 0;       // looked at
  int64_t steps_changed = 0;
  int64_t standings_changed = 0;
  bool switched = false;
  // The first few differences, as sentences.
  std::vector<std::string> differences;
};

// Makes the answer that is kept with what a request came to, in one transaction; none without a
// function.
template <typename Outcome>
using AnswerTo = std::function<storage::Answer(const Outcome&)>;

class Ratings {
 public:
  struct Options {
    RatingProfiles profiles;
    // Reads a match (blocks). Without it games of matches wait in the outbox.
    std::function<absl::StatusOr<MatchForRating>(base::MatchId)> find_match;
    // DATA_LOSS: the log of a game or its dice do not bear an audit (AuditGame), so its match is
    // annulled at once. Any other failure: nobody knows yet, and the match waits. May be empty.
    std::function<absl::Status(base::GameId)> audit;
    // Adds a game to a tally (blocks). Without it tables cannot be examined.
    std::function<absl::Status(base::GameId, HelpTally&)> add_help;
  };

  // Games of one round of rating.
  static constexpr size_t kMaxGames = 256;
  static constexpr int64_t kRoundMs = 500;
  // How long a game waits whose ruleset or match cannot be read.
  static constexpr int64_t kWaitMs = 60'000;
  // How often a pool that moved on is looked at again in one round.
  static constexpr int kMaxTries = 16;
  // Lists are aged so often: once a day, soon after midnight UTC.
  static constexpr int64_t kDayMicros = 86'400'000'000;
  static constexpr int64_t kCheckpointMicros = 30 * kDayMicros;
  static constexpr size_t kMaxDifferences = 100;

  Ratings(storage::RatingStore& store, const host::Catalog& catalog, const base::Clock& clock,
          Options options)
      : store_(store), catalog_(catalog), clock_(clock), options_(std::move(options)) {}

  // Rates what is due, at most kMaxGames games; how many it took from the outbox.
  absl::StatusOr<size_t> Round();
  // Ages the lists of pools that were last aged before today, and takes today's snapshots of them.
  absl::Status RefreshLists();
  // Takes a checkpoint of each pool that was rated since its last one, once a month.
  absl::Status TakeCheckpoints();
  // All of it, for ever.
  void RunForEver(base::Scheduler& scheduler);

  // BAD_FIELD unless these are two to four different players that fit the pool. A player without a
  // rating counts as a newcomer.
  absl::StatusOr<std::vector<PredictedSeat>> Predict(const storage::PoolRecord& pool,
                                                     absl::Span<const base::PlayerId> players,
                                                     int32_t length);
  // Fixes the rating of a player that has none yet. ALREADY_EXISTS: it was rated. ABORTED with
  // STALE_VERSION: the request was answered meanwhile.
  absl::Status Pin(const storage::PoolRecord& pool, base::PlayerId player, double rating,
                   double deviation, const AnswerTo<storage::StandingRecord>& answer = {});

  // Notes how many steps above the start (-1 to 1) somebody says he is, before his first rated
  // match: he begins there. The answer is made of what he begins with. ALREADY_EXISTS: he was
  // rated, or has said so. ABORTED with STALE_VERSION: the request was answered meanwhile.
  absl::Status Estimate(const storage::PoolRecord& pool, base::PlayerId player, int level,
                        const AnswerTo<storage::StandingRecord>& answer);
  // What somebody begins with who has no rating in the pool, as it was at `at`.
  absl::StatusOr<storage::StandingRecord> NewcomerOf(const storage::PoolRecord& pool,
                                                     base::PlayerId player, base::Instant at);

  // The corrections that this comes to: his matches that are not void yet.
  absl::StatusOr<std::vector<MatchCorrection>> CorrectionsOf(const storage::PoolRecord& pool,
                                                             const PlayerAnnulment& annulment);

  // The choices of a player in his last `limit` matches of a pool of tables. STORE_UNAVAILABLE.
  absl::StatusOr<TableHelp> ExamineTables(const storage::PoolRecord& pool, base::PlayerId player,
                                          size_t limit);

  enum class Write { kNever, kIfDifferent };
  // Replays the pool with these corrections, from the last checkpoint before them; without any from
  // the first match on. With kNever only says what is different. Otherwise
  // what is different is written in a new revision that readers see all at once, or not at all.
  // NOT_FOUND: a match that is not in this pool; BAD_FIELD; ABORTED with STALE_VERSION: another
  // recomputation came between, perhaps of the same request.
  absl::StatusOr<Recomputation> Recompute(const storage::PoolRecord& pool,
                                          absl::Span<const MatchCorrection> corrections,
                                          Write write, const AnswerTo<Recomputation>& answer = {});

  storage::RatingStore& store() { return store_; }
  const base::Clock& clock() const { return clock_; }
  const RatingProfiles& profiles() const { return options_.profiles; }

 private:
  // A match that is ready to be rated.
  struct Candidate {
    int64_t outbox = 0;
    std::string pool;
    std::string ruleset;
    uint8_t seats = 2;
    storage::RatedMatchRecord match;
  };
  enum class Verdict { kRate, kDiscard, kWait };

  Verdict JudgeNoShow(const storage::FinishedGame& game, storage::NoShow& missed) const;
  Verdict Judge(const storage::FinishedGame& game, Candidate& candidate) const;
  Verdict JudgeMatch(const storage::FinishedGame& game, Candidate& candidate,
                     std::vector<base::GameId>& played) const;
  Verdict Audit(absl::Span<const base::GameId> played, storage::RatedMatchRecord& match) const;
  absl::Status RatePool(std::vector<Candidate> candidates);
  absl::StatusOr<bool> TryRate(absl::Span<const Candidate> candidates);

  storage::RatingStore& store_;
  const host::Catalog& catalog_;
  const base::Clock& clock_;
  const Options options_;
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_RATINGS_H_
