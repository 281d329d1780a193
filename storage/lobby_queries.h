// The statements of PgLobbyStore. Internal to storage; the tests read their plans.
#ifndef ASTRAGAL_STORAGE_LOBBY_QUERIES_H_
#define ASTRAGAL_STORAGE_LOBBY_QUERIES_H_

#include "storage/connection.h"
#include "storage/lobby_store.h"

namespace astragal::storage {

// Mutations: $1 to $4 are the answer (account, request, body hash, payload). First column: whether
// it happened.
// $5-$13 id, kind, player, opponent, terms, pool, rating, created_at, expires_at, $14 most open;
// then the one that is in the way, and whether there are too many.
extern const Statement kCreateProposal;
extern const Statement kCloseProposal;  // $5 id, $6 by, $7 state; then the state found
extern const Statement kKeepAnswer;

extern const Statement kGetProposal;   // $1 id
extern const Statement kGetProposals;  // $1 ids
extern const Statement kListSeeks;     // $1 before, $2 limit
extern const Statement kListOwn;       // $1 player, $2 before, $3 limit
extern const Statement kListTickets;   // $1 after pool, $2 after id, $3 limit

extern const Statement kExpireProposals;  // $1 limit
extern const Statement kSweepProposals;   // $1 kept for ms, $2 limit

ProposalRecord ProposalFromRow(const Rows& rows, size_t row);

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_LOBBY_QUERIES_H_
