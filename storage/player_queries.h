// The statements of PgPlayerStore. Internal to storage; the tests read their plans.
#ifndef ASTRAGAL_STORAGE_PLAYER_QUERIES_H_
#define ASTRAGAL_STORAGE_PLAYER_QUERIES_H_

#include "storage/connection.h"

namespace astragal::storage {

// Mutations: $1 to $4 are the answer (account, request, body hash, payload). First column: whether
// it happened.
extern const Statement kCreatePlayer;  // $5-$8 id, name, bot, created_at; $9-$14 a key
extern const Statement kRenamePlayer;  // $5 id, $6 name, $7 version; second column: version found
extern const Statement
    kCreateKey;  // $5-$11 id, player, hash, label, created_at, expires_at, scopes
extern const Statement kRevokeKey;  // $5 player, $6 key, $7 at; second column: whether it exists

extern const Statement kFindAnswer;    // $1 account, $2 request
extern const Statement kSweepAnswers;  // $1 kept for ms, $2 limit

extern const Statement kGetPlayer;        // $1 id
extern const Statement kGetPlayerByName;  // $1 name
extern const Statement kListPlayers;      // $1 after, $2 limit
extern const Statement kGetPlayers;       // $1 ids
extern const Statement kFindKey;          // $1 hash
extern const Statement kRevokedSince;     // $1 instant, $2 limit
extern const Statement kListKeys;         // $1 player, $2 before, $3 limit

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_PLAYER_QUERIES_H_
