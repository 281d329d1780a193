// The statements of PgRatingStore, and how records become parameters and rows records. Internal to
// storage; the tests read the plans of these statements.
#ifndef ASTRAGAL_STORAGE_RATING_QUERIES_H_
#define ASTRAGAL_STORAGE_RATING_QUERIES_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "storage/connection.h"
#include "storage/rating_store.h"

namespace astragal::storage {

extern const Statement kFinishedGames;   // $1 now, $2 limit
extern const Statement kDiscardGames;    // $1 outbox rows
extern const Statement kPostponeGames;   // $1 outbox rows, $2 due
extern const Statement kMakePool;        // $1 name, $2 ruleset, $3 seats, $4 profile, $5 created_at
extern const Statement kGetPool;         // $1 name
extern const Statement kListPools;       // $1 after, $2 limit
extern const Statement kPoolsByNumber;   // $1 numbers
extern const Statement kPoolsToRefresh;  // $1 before, $2 limit
extern const Statement kMarkRefreshed;   // $1 pool, $2 at
extern const Statement kFindStandings;   // $1 pool, $2 players
extern const Statement kAllStandings;    // $1 pool, $2 after, $3 limit
extern const Statement kRatingsOf;       // $1 player
extern const Statement kFindPairs;       // $1 pool, $2 lows, $3 highs
extern const Statement kHeadToHead;      // $1 low, $2 high
extern const Statement kListAfter;       // $1 pool, $2 lower bound, $3 player, $4 limit
extern const Statement kListBefore;      // $1 pool, $2 lower bound, $3 player, $4 limit
extern const Statement kCountBefore;     // $1 pool, $2 lower bound, $3 player
extern const Statement kHistory;         // $1 pool, $2 player, $3 before, $4 revision, $5 limit
extern const Statement kStepAt;          // $1 pool, $2 player, $3 at, $4 revision
extern const Statement kConduct;         // $1 player, $2 limit: as Conduct
extern const Statement kNoteNoShows;     // $1 outbox rows, $2 players, $3 games, $4 ends
extern const Statement kMatchesOfPlayer;         // $1 pool, $2 player, $3 since, $4 after, $5 limit
extern const Statement kFindMatch;               // $1 match
extern const Statement kReadMatches;             // $1 pool, $2 after, $3 limit
extern const Statement kReadSteps;               // $1 pool, $2 after, $3 until, $4 revision
extern const Statement kCountStandings;          // nothing
extern const Statement kWrongStandings;          // $1 limit
extern const Statement kBeginShadow;             // $1 pool, $2 revision: the number, if any
extern const Statement kDropShadow;              // $1 pool, $2 revision
extern const Statement kPoolsWithoutCheckpoint;  // $1 before, $2 limit
extern const Statement kTakeCheckpoint;          // $1 pool, $2 now
extern const Statement kDropCheckpoints;         // $1 pool, $2 how many stay
extern const Statement kFindCheckpoint;          // $1 pool, $2 order, $3 revision
extern const Statement kCheckpointStandings;     // $1 pool, $2 checkpoint, $3 after, $4 limit
extern const Statement kCheckpointPairs;  // $1 pool, $2 checkpoint, $3 low, $4 high, $5 limit
// $1 pool, $2 revision, $3 shadow, then the columns of steps: whether it happened.
extern const Statement kWriteShadow;
extern const Statement kRelist;  // $1 pool, then the columns of standings
// $1 pool, $2 order, $3 revision, then one standing's columns, then the answer (account, or null:
// none; request, body hash, payload).
extern const Statement kPin;
// $1 pool, $2 order, $3 revision, $4 outbox rows, then the columns of matches, steps, standings and
// pairs, then an array of estimates for each match: whether it happened.
extern const Statement kRate;
// $1 pool, $2 order, $3 revision, $4 at, then the columns of matches, standings and pairs, then the
// shadow, the first match that changes, and the answer.
extern const Statement kSwitch;

// One element for each row, to be unnested.
struct MatchRows {
  std::array<ArrayText, 12> of;
  ArrayText estimates;  // not among the columns: of kRate alone
  void Add(const RatedMatchRecord& match);
};
struct StepRows {
  std::array<ArrayText, 20> of;
  void Add(const StepRecord& step);
};
struct StandingRows {
  std::array<ArrayText, 16> of;
  void Add(const ListedStanding& standing);
};
struct PairRows {
  std::array<ArrayText, 6> of;
  void Add(const PairStanding& pair);
};

template <typename Columns>
void Append(Columns columns, Params& params) {
  for (ArrayText& column : columns.of) params.Text(std::move(column).Take());
}

FinishedGame FinishedGameFromRow(const Rows& rows, size_t row);
PoolRecord PoolFromRow(const Rows& rows, size_t row);
// `column`: of the first field.
ListedStanding ListedFromRow(const Rows& rows, size_t row, int column);
StepRecord StepFromRow(const Rows& rows, size_t row, int column);
RatedMatchRecord MatchFromRow(const Rows& rows, size_t row, int column);
PairStanding PairFromRow(const Rows& rows, size_t row);

inline constexpr int kStepColumns = 20;
inline constexpr int kMatchColumns = 12;

// Numbers of a column of smallint[] or integer[].
std::vector<int32_t> IntsFromArray(std::string_view text);

// Doubles as text that is read back to the same bits.
std::string NumberText(double number);
double NumberFromText(std::string_view text);

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_RATING_QUERIES_H_
