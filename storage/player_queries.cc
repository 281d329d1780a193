#include "storage/player_queries.h"

namespace astragal::storage {

#define ASTRAGAL_PLAYER_COLUMNS "id, name, bot, created_at, version"
#define ASTRAGAL_KEY_COLUMNS "id, player, hash, label, created_at, expires_at, revoked_at, scopes"
// How the column name_key is made of a name.
#define ASTRAGAL_NAME_KEY(name) "lower(" name " COLLATE \"und-x-icu\") COLLATE \"C\""
#define ASTRAGAL_NOW "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

// Stores the answer if `condition` holds and nobody did before. What follows acts only if it did.
#define ASTRAGAL_ANSWER_FIRST(condition)                                                \
  "first AS (INSERT INTO answers (account, request, body_hash, payload, created_at)"    \
  " SELECT $1::uuid, $2::uuid, $3::bytea, $4::bytea, " ASTRAGAL_NOW " WHERE " condition \
  " ON CONFLICT DO NOTHING RETURNING request)"
#define ASTRAGAL_IF_FIRST "EXISTS (SELECT FROM first)"

const Statement kCreatePlayer = {
    "create_player",
    "WITH " ASTRAGAL_ANSWER_FIRST("true")
    ", made AS (INSERT INTO players (id, name, bot, created_at, version)"
    " SELECT $5::uuid, $6::text, $7::bool, $8::bigint, 1 WHERE " ASTRAGAL_IF_FIRST ")"
    ", keyed AS (INSERT INTO api_keys (id, player, hash, label, created_at, expires_at, scopes)"
    " SELECT $9::uuid, $5::uuid, $10::bytea, $11::text, $12::bigint, $13::bigint, $14::int"
    " WHERE " ASTRAGAL_IF_FIRST ") SELECT " ASTRAGAL_IF_FIRST};

const Statement kRenamePlayer = {
    "rename_player",
    "WITH target AS MATERIALIZED"
    " (SELECT version FROM players WHERE id = $5::uuid FOR NO KEY UPDATE), "
    ASTRAGAL_ANSWER_FIRST("EXISTS (SELECT FROM target WHERE version = $7::int)")
    ", renamed AS (UPDATE players SET name = $6::text, version = version + 1"
    " WHERE id = $5::uuid AND " ASTRAGAL_IF_FIRST ")"
    " SELECT " ASTRAGAL_IF_FIRST ", (SELECT version FROM target)"};

const Statement kCreateKey = {
    "create_key",
    "WITH " ASTRAGAL_ANSWER_FIRST("true")
    ", made AS (INSERT INTO api_keys (id, player, hash, label, created_at, expires_at, scopes)"
    " SELECT $5::uuid, $6::uuid, $7::bytea, $8::text, $9::bigint, $10::bigint, $11::int"
    " WHERE " ASTRAGAL_IF_FIRST ") SELECT " ASTRAGAL_IF_FIRST};

const Statement kRevokeKey = {
    "revoke_key",
    "WITH target AS MATERIALIZED"
    " (SELECT id FROM api_keys WHERE id = $6::uuid AND player = $5::uuid FOR NO KEY UPDATE), "
    ASTRAGAL_ANSWER_FIRST("EXISTS (SELECT FROM target)")
    ", revoked AS (UPDATE api_keys SET revoked_at = coalesce(revoked_at, $7::bigint)"
    " WHERE id = $6::uuid AND " ASTRAGAL_IF_FIRST ")"
    " SELECT " ASTRAGAL_IF_FIRST ", EXISTS (SELECT FROM target)"};

const Statement kFindAnswer = {
    "find_answer",
    "SELECT body_hash, payload FROM answers WHERE account = $1::uuid AND request = $2::uuid"};

const Statement kSweepAnswers = {
    "sweep_answers",
    "WITH old AS (SELECT account, request FROM answers WHERE created_at < " ASTRAGAL_NOW
    " - $1::bigint * 1000 ORDER BY created_at LIMIT $2::bigint"
    " FOR UPDATE SKIP LOCKED), gone AS (DELETE FROM answers a USING old"
    " WHERE a.account = old.account AND a.request = old.request RETURNING a.request)"
    " SELECT count(*) FROM gone"};

const Statement kGetPlayer = {
    "get_player", "SELECT " ASTRAGAL_PLAYER_COLUMNS " FROM players WHERE id = $1::uuid"};

const Statement kGetPlayerByName = {
    "get_player_by_name", "SELECT " ASTRAGAL_PLAYER_COLUMNS
                          " FROM players WHERE name_key = " ASTRAGAL_NAME_KEY("$1::text")};

const Statement kListPlayers = {"list_players",
                                "SELECT " ASTRAGAL_PLAYER_COLUMNS
                                " FROM players WHERE name_key > " ASTRAGAL_NAME_KEY(
                                    "$1::text") " ORDER BY name_key LIMIT $2::bigint"};

const Statement kGetPlayers = {
    "get_players",
    "SELECT p.* FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL"
    " (SELECT " ASTRAGAL_PLAYER_COLUMNS
    " FROM players WHERE players.id = wanted.id OFFSET 0) AS p"};

const Statement kFindKey = {"find_key",
                            "SELECT " ASTRAGAL_KEY_COLUMNS
                            ", coalesce(restrictions.kind, 0), restrictions.until FROM api_keys"
                            " LEFT JOIN restrictions USING (player) WHERE hash = $1::bytea"};

const Statement kRevokedSince = {"revoked_since",
                                 "(SELECT hash FROM api_keys WHERE revoked_at >= $1::bigint"
                                 " ORDER BY revoked_at LIMIT $2::bigint) UNION ALL"
                                 " (SELECT hash FROM restrictions JOIN api_keys USING (player)"
                                 " WHERE changed_at >= $1::bigint LIMIT $2::bigint)"
                                 " LIMIT $2::bigint"};

const Statement kListKeys = {"list_keys", "SELECT " ASTRAGAL_KEY_COLUMNS
                                          " FROM api_keys WHERE player = $1::uuid AND id < $2::uuid"
                                          " ORDER BY id DESC LIMIT $3::bigint"};

}  // namespace astragal::storage
