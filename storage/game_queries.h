// The reading statements of PgGameStore and how their rows become records. Internal to storage; the
// tests read the plans of these statements.
#ifndef ASTRAGAL_STORAGE_GAME_QUERIES_H_
#define ASTRAGAL_STORAGE_GAME_QUERIES_H_

#include <span>

#include "storage/connection.h"
#include "storage/game_store.h"
#include "storage/match_store.h"

namespace astragal::storage {

extern const Statement kLoadGame;        // $1 game
extern const Statement kLoadGames;       // $1 games
extern const Statement kReadEvents;      // $1 game, $2 after, $3 limit
extern const Statement kReadLogs;        // $1 games, $2 limit for each
extern const Statement kFindRequest;     // $1 game, $2 player, $3 request
extern const Statement kFindCreated;     // $1 player, $2 request
extern const Statement kReadHeads;       // $1 games
extern const Statement kGamesOfMatches;  // $1 matches, $2 limit for each
extern const Statement kTakeDue;         // $1 until, $2 limit, $3 end of the lease
extern const Statement kBeat;            // $1 node, $2 shortest outage in us, $3 known until

// The list for this filter, and its parameters.
const Statement& ListStatement(const GameFilter& filter);
Params ListParams(const GameFilter& filter, base::GameId before, size_t limit);
std::span<const Statement> AllListStatements();

StoredGame GameFromRow(const Rows& rows, size_t row);    // of kLoadGame(s)
EventRecord EventFromRow(const Rows& rows, size_t row);  // of kReadEvents, kReadLogs, kFindRequest
GameSummary SummaryFromRow(const Rows& rows, size_t row);  // of a list
MatchGame MatchGameFromRow(const Rows& rows, size_t row);  // of kGamesOfMatches

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_GAME_QUERIES_H_
