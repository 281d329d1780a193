#include "storage/lobby_queries.h"

namespace astragal::storage {

#define ASTRAGAL_PROPOSAL_COLUMNS \
  "id, kind, state, player, opponent, terms, pool, rating, created_at, expires_at, game"
// Of the transaction's start: stable, so that an index can be asked with it.
#define ASTRAGAL_NOW "(extract(epoch FROM now()) * 1000000)::bigint"
// Stores the answer if `condition` holds and nobody did before. What follows acts only if it did.
#define ASTRAGAL_ANSWER_FIRST(condition)                                                \
  "first AS (INSERT INTO answers (account, request, body_hash, payload, created_at)"    \
  " SELECT $1::uuid, $2::uuid, $3::bytea, $4::bytea, " ASTRAGAL_NOW " WHERE " condition \
  " ON CONFLICT DO NOTHING RETURNING request)"
#define ASTRAGAL_IF_FIRST "EXISTS (SELECT FROM first)"

// Two that race with one id: the second breaks the primary key, and its answer goes with it.
const Statement kCreateProposal = {
    "create_proposal",
    "WITH open AS MATERIALIZED (SELECT count(*) >= $14::bigint AS full_up FROM (SELECT FROM"
    " proposals WHERE player = $7::uuid AND state = 1 AND expires_at > " ASTRAGAL_NOW
    " LIMIT $14::bigint) AS own), twin AS MATERIALIZED (SELECT id FROM proposals"
    " WHERE id = $5::uuid UNION ALL SELECT id FROM proposals WHERE $6::smallint = 3"
    " AND kind = 3 AND state = 1 AND player = $7::uuid AND pool = $10::text AND expires_at"
    " > " ASTRAGAL_NOW " LIMIT 1), " ASTRAGAL_ANSWER_FIRST(
        "NOT (SELECT full_up FROM open) AND NOT EXISTS (SELECT FROM twin)")
    ", made AS (INSERT INTO proposals (id, kind, state, player, opponent, terms, pool, rating,"
    " created_at, expires_at) SELECT $5::uuid, $6::smallint, 1, $7::uuid, $8::uuid, $9::bytea,"
    " $10::text, $11::int, $12::bigint, $13::bigint WHERE " ASTRAGAL_IF_FIRST
    ") SELECT " ASTRAGAL_IF_FIRST ", (SELECT id FROM twin), (SELECT full_up FROM open)"};

const Statement kCloseProposal = {
    "close_proposal",
    "WITH target AS MATERIALIZED (SELECT state, expires_at FROM proposals WHERE id = $5::uuid"
    " AND CASE WHEN $7::smallint = 3 THEN player ELSE opponent END = $6::uuid"
    " FOR NO KEY UPDATE), " ASTRAGAL_ANSWER_FIRST(
        "EXISTS (SELECT FROM target WHERE state = 1 AND expires_at > " ASTRAGAL_NOW ")")
    ", closed AS (UPDATE proposals SET state = $7::smallint WHERE id = $5::uuid"
    " AND " ASTRAGAL_IF_FIRST ") SELECT " ASTRAGAL_IF_FIRST
    ", (SELECT CASE WHEN state = 1 THEN 5 ELSE state END FROM target)"};

const Statement kKeepAnswer = {"keep_answer",
                               "WITH " ASTRAGAL_ANSWER_FIRST("true") " SELECT " ASTRAGAL_IF_FIRST};

const Statement kGetProposal = {
    "get_proposal", "SELECT " ASTRAGAL_PROPOSAL_COLUMNS " FROM proposals WHERE id = $1::uuid"};

const Statement kGetProposals = {
    "get_proposals",
    "SELECT p.* FROM unnest($1::uuid[]) AS wanted (wanted_id) CROSS JOIN LATERAL"
    " (SELECT " ASTRAGAL_PROPOSAL_COLUMNS
    " FROM proposals WHERE id = wanted.wanted_id OFFSET 0) AS p"};

const Statement kListSeeks = {
    "list_seeks", "SELECT " ASTRAGAL_PROPOSAL_COLUMNS
                  " FROM proposals WHERE kind = 1 AND state = 1 AND id < $1::uuid"
                  " AND expires_at > " ASTRAGAL_NOW " ORDER BY id DESC LIMIT $2::bigint"};

const Statement kListOwn = {
    "list_own_proposals",
    "SELECT " ASTRAGAL_PROPOSAL_COLUMNS " FROM ((SELECT " ASTRAGAL_PROPOSAL_COLUMNS
    " FROM proposals WHERE player = $1::uuid AND state = 1 AND id < $2::uuid"
    " AND expires_at > " ASTRAGAL_NOW
    " ORDER BY id DESC LIMIT $3::bigint) UNION ALL (SELECT " ASTRAGAL_PROPOSAL_COLUMNS
    " FROM proposals WHERE opponent = $1::uuid AND state = 1 AND kind = 2 AND id < $2::uuid"
    " AND expires_at > " ASTRAGAL_NOW
    " ORDER BY id DESC LIMIT $3::bigint)) AS own ORDER BY id DESC LIMIT $3::bigint"};

const Statement kListTickets = {"list_tickets", "SELECT " ASTRAGAL_PROPOSAL_COLUMNS
                                                " FROM proposals WHERE state = 1 AND kind = 3"
                                                " AND (pool, id) > ($1::text, $2::uuid)"
                                                " AND expires_at > " ASTRAGAL_NOW
                                                " ORDER BY pool, id LIMIT $3::bigint"};

const Statement kExpireProposals = {
    "expire_proposals",
    "WITH old AS MATERIALIZED (SELECT id FROM proposals WHERE state = 1"
    " AND expires_at <= " ASTRAGAL_NOW
    " ORDER BY expires_at LIMIT $1::bigint FOR UPDATE SKIP LOCKED),"
    " gone AS (UPDATE proposals p SET state = 5 FROM old WHERE p.id = old.id RETURNING p.id)"
    " SELECT count(*) FROM gone"};

const Statement kSweepProposals = {
    "sweep_proposals",
    "WITH old AS MATERIALIZED (SELECT id FROM proposals WHERE expires_at < " ASTRAGAL_NOW
    " - $1::bigint * 1000 ORDER BY expires_at LIMIT $2::bigint FOR UPDATE SKIP LOCKED),"
    " gone AS (DELETE FROM proposals p USING old WHERE p.id = old.id RETURNING p.id)"
    " SELECT count(*) FROM gone"};

ProposalRecord ProposalFromRow(const Rows& rows, size_t row) {
  ProposalRecord proposal;
  proposal.id = rows.Uuid<base::ProposalId>(row, 0);
  proposal.kind = static_cast<ProposalKind>(rows.Int(row, 1));
  proposal.state = static_cast<ProposalState>(rows.Int(row, 2));
  proposal.player = rows.Uuid<base::PlayerId>(row, 3);
  proposal.opponent = rows.Uuid<base::PlayerId>(row, 4);
  proposal.terms = rows.Bytes(row, 5);
  proposal.pool = rows.Text(row, 6);
  proposal.rating = static_cast<int32_t>(rows.Int(row, 7));
  proposal.created_at = rows.At(row, 8);
  proposal.expires_at = rows.At(row, 9);
  proposal.game = rows.Uuid<base::GameId>(row, 10);
  return proposal;
}

}  // namespace astragal::storage
