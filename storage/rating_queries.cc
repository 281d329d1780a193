#include "storage/rating_queries.h"

namespace astragal::storage {

#define ASTRAGAL_POOL "number, name, ruleset, seats, profile, next_order, revision, created_at"
#define ASTRAGAL_NUMBERS                                                                    \
  "rating, deviation, volatility, matches, opponents, wins, draws, last_at, peak, peak_at," \
  " fibs_rating, fibs_experience"
#define ASTRAGAL_LISTED "player, pinned, " ASTRAGAL_NUMBERS ", lower_bound, listed"
#define ASTRAGAL_STEP                                                                     \
  "player, rated_order, revision, counted, information, rating_before, deviation_before," \
  " volatility_before, " ASTRAGAL_NUMBERS
#define ASTRAGAL_MATCH                                                                           \
  "rated_order, match, finished_at, players, places, length, first_mover, exempt, early, state," \
  " revision, reason"

// Kinds and endings by number, as the statements name them.
static_assert(static_cast<int>(EventKind::kThrow) == 4 &&
              static_cast<int>(EventKind::kAction) == 5 &&
              static_cast<int>(EventKind::kUndone) == 12 &&
              static_cast<int>(EventKind::kTurnEnded) == 13);
static_assert(static_cast<int>(Ending::kAborted) == 6 && static_cast<int>(Ending::kNotBegun) == 8);

const Statement kFinishedGames = {
    "rating_finished_games",
    "SELECT o.id, o.game, g.ruleset, g.rules_version, g.options, g.clock_kind, g.reserve_ms,"
    " g.increment_ms, g.first_turn_ms, g.match, h.ending, h.updated_at, s.players, s.places, "
    "s.bots,"
    " a.actions, EXISTS (SELECT FROM rated_matches m WHERE m.match = coalesce(g.match, "
    "g.id)),"
    " CASE WHEN h.ending = 6 THEN (SELECT e.player FROM events e WHERE e.game_id = o.game"
    " AND e.sequence = h.sequence) END,"
    " CASE WHEN h.ending = 8 AND 4 = (SELECT e.kind FROM events e WHERE e.game_id = o.game"
    " AND e.kind IN (4, 5, 12, 13) ORDER BY e.sequence DESC LIMIT 1)"
    " THEN h.position ELSE '' END,"
    " g.seats > 2 AND EXISTS (SELECT FROM game_seats q JOIN households f ON f.player = q.player"
    " WHERE q.game_id = o.game GROUP BY f.household HAVING count(*) > 1)"
    " FROM (SELECT id, game FROM rating_outbox WHERE due <= $1::bigint ORDER BY id"
    " LIMIT $2::bigint) AS o"
    " CROSS JOIN LATERAL (SELECT * FROM games WHERE games.id = o.game OFFSET 0) AS g"
    " CROSS JOIN LATERAL (SELECT ending, updated_at, sequence, position FROM heads"
    " WHERE game_id = o.game OFFSET 0) AS h"
    " CROSS JOIN LATERAL (SELECT array_agg(coalesce(replace(q.player::text, '-', ''), '0')"
    " ORDER BY q.seat) AS players,"
    " array_agg(q.place ORDER BY q.seat) AS places,"
    " array_agg(coalesce((SELECT p.bot FROM players p WHERE p.id = q.player), false)::int"
    " ORDER BY q.seat) AS bots"
    " FROM game_seats q WHERE q.game_id = o.game) AS s"
    " CROSS JOIN LATERAL (SELECT count(*) AS actions FROM events e"
    " WHERE e.game_id = o.game AND e.kind = 5) AS a"
    " ORDER BY o.id"};

const Statement kDiscardGames = {"rating_discard_games",
                                 "DELETE FROM rating_outbox WHERE id = ANY ($1::bigint[])"};
const Statement kPostponeGames = {
    "rating_postpone_games",
    "UPDATE rating_outbox SET due = $2::bigint WHERE id = ANY ($1::bigint[])"};

const Statement kMakePool = {
    "rating_make_pool",
    "INSERT INTO rating_pools (name, ruleset, seats, profile, next_order, revision, shadow,"
    " refreshed_at, created_at) VALUES ($1::text, $2::text, $3::smallint, $4::text, 1, 1, 0,"
    " $5::bigint, $5::bigint)"
    " ON CONFLICT DO NOTHING"};
const Statement kGetPool = {"rating_get_pool",
                            "SELECT " ASTRAGAL_POOL " FROM rating_pools WHERE name = $1::text"};
const Statement kListPools = {"rating_list_pools",
                              "SELECT " ASTRAGAL_POOL
                              " FROM rating_pools WHERE name > $1::text ORDER BY name"
                              " LIMIT $2::bigint"};
const Statement kPoolsByNumber = {"rating_pools_by_number",
                                  "SELECT " ASTRAGAL_POOL
                                  " FROM rating_pools WHERE number = ANY ($1::int[])"};
const Statement kPoolsToRefresh = {"rating_pools_to_refresh",
                                   "SELECT " ASTRAGAL_POOL
                                   " FROM rating_pools WHERE refreshed_at < $1::bigint"
                                   " ORDER BY number LIMIT $2::bigint"};
const Statement kMarkRefreshed = {
    "rating_mark_refreshed",
    "UPDATE rating_pools SET refreshed_at = $2::bigint WHERE number = $1::int"};

const Statement kFindStandings = {"rating_find_standings", "SELECT " ASTRAGAL_LISTED
                                                           " FROM ratings WHERE pool = $1::int"
                                                           " AND player = ANY ($2::uuid[])"};
const Statement kAllStandings = {"rating_all_standings",
                                 "SELECT " ASTRAGAL_LISTED
                                 " FROM ratings WHERE pool = $1::int AND player > $2::uuid"
                                 " ORDER BY player LIMIT $3::bigint"};
const Statement kRatingsOf = {"rating_ratings_of", "SELECT pool, " ASTRAGAL_LISTED
                                                   " FROM ratings WHERE player = $1::uuid"
                                                   " ORDER BY pool"};

#define ASTRAGAL_PAIR "low, high, pool, matches, wins, draws, recent"
const Statement kFindPairs = {
    "rating_find_pairs",
    "SELECT p.* FROM unnest($2::uuid[], $3::uuid[]) AS a (low, high)"
    " CROSS JOIN LATERAL (SELECT " ASTRAGAL_PAIR
    " FROM rating_pairs WHERE low = a.low AND high = a.high AND pool = $1::int OFFSET 0) AS p"};
const Statement kHeadToHead = {"rating_head_to_head",
                               "SELECT " ASTRAGAL_PAIR
                               " FROM rating_pairs WHERE low = $1::uuid AND high = $2::uuid"
                               " ORDER BY pool"};

const Statement kListAfter = {"rating_list_after",
                              "SELECT " ASTRAGAL_LISTED
                              " FROM ratings WHERE pool = $1::int AND listed"
                              " AND (lower_bound, player) < ($2::double precision, $3::uuid)"
                              " ORDER BY lower_bound DESC, player DESC LIMIT $4::bigint"};
const Statement kListBefore = {"rating_list_before",
                               "SELECT " ASTRAGAL_LISTED
                               " FROM ratings WHERE pool = $1::int AND listed"
                               " AND (lower_bound, player) > ($2::double precision, $3::uuid)"
                               " ORDER BY lower_bound, player LIMIT $4::bigint"};
const Statement kCountBefore = {
    "rating_count_before",
    "SELECT (SELECT coalesce(sum(players), 0)::bigint FROM rating_ranks"
    " WHERE pool = $1::int AND points > floor($2::double precision)::int)"
    " + (SELECT count(*) FROM ratings WHERE pool = $1::int AND listed"
    " AND (lower_bound, player) > ($2::double precision, $3::uuid)"
    " AND lower_bound < floor($2::double precision) + 1)"};

// Of each step its newest revision that is not above the pool's. A subquery, so that it is one seek
// for each row whatever the planner thinks: as a join it read the whole table for every page.
#define ASTRAGAL_HOLDING(alias)                                                                   \
  alias                                                                                           \
      ".revision = (SELECT max(newer.revision) FROM rating_steps newer WHERE newer.pool = " alias \
      ".pool AND newer.player = " alias ".player AND newer.rated_order = " alias                  \
      ".rated_order AND newer.revision <= $4::int)"

const Statement kHistory = {
    "rating_history",
    "SELECT s.*, m.* FROM (SELECT " ASTRAGAL_STEP
    " FROM rating_steps held WHERE pool = $1::int AND player = $2::uuid"
    " AND rated_order < $3::bigint AND revision <= $4::int AND counted AND " ASTRAGAL_HOLDING("held")
    " ORDER BY pool DESC, player DESC, rated_order DESC LIMIT $5::bigint) AS s"
    " CROSS JOIN LATERAL (SELECT " ASTRAGAL_MATCH
    " FROM rated_matches WHERE pool = $1::int AND rated_order = s.rated_order OFFSET 0) AS m"
    " ORDER BY s.rated_order DESC"};
const Statement kStepAt = {
    "rating_step_at",
    "SELECT " ASTRAGAL_STEP
    " FROM rating_steps held WHERE pool = $1::int AND player = $2::uuid AND revision <= $4::int"
    " AND counted AND " ASTRAGAL_HOLDING("held")
    " AND (SELECT finished_at FROM rated_matches m WHERE m.pool = held.pool"
    " AND m.rated_order = held.rated_order) <= $3::bigint"
    " ORDER BY pool DESC, player DESC, rated_order DESC LIMIT 1"};
// The last matches, and with them the games that the player let come to nothing.
const Statement kConduct = {
    "rating_conduct",
    "WITH rated AS MATERIALIZED (SELECT m.finished_at AS at, m.early AND"
    " m.places[array_position(m.players, $1::uuid)] > 1 AS lost_early"
    " FROM ratings r CROSS JOIN LATERAL (SELECT DISTINCT rated_order FROM rating_steps s"
    " WHERE s.pool = r.pool AND s.player = $1::uuid ORDER BY rated_order DESC LIMIT $2::bigint)"
    " AS s"
    " CROSS JOIN LATERAL (SELECT early, places, players, finished_at FROM rated_matches"
    " WHERE pool = r.pool AND rated_order = s.rated_order OFFSET 0) AS m"
    " WHERE r.player = $1::uuid ORDER BY m.finished_at DESC LIMIT $2::bigint),"
    " missed AS MATERIALIZED (SELECT ended_at AS at FROM no_shows WHERE player = $1::uuid"
    " ORDER BY ended_at DESC LIMIT $2::bigint),"
    " latest AS (SELECT at, false AS missed, lost_early FROM rated"
    " UNION ALL SELECT at, true, false FROM missed ORDER BY at DESC LIMIT $2::bigint)"
    " SELECT count(*), count(*) FILTER (WHERE missed),"
    " (SELECT count(*) FROM rated WHERE lost_early),"
    " count(*) FILTER (WHERE NOT missed AND NOT lost_early) FROM latest"};
const Statement kNoteNoShows = {
    "rating_note_no_shows",
    "WITH gone AS (DELETE FROM rating_outbox WHERE id = ANY ($1::bigint[]))"
    " INSERT INTO no_shows (player, game, ended_at)"
    " SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::bigint[]) ON CONFLICT DO NOTHING"};
const Statement kMatchesOfPlayer = {
    "rating_matches_of_player",
    "SELECT " ASTRAGAL_MATCH
    " FROM (SELECT DISTINCT rated_order AS at FROM rating_steps WHERE pool = $1::int"
    " AND player = $2::uuid AND rated_order > $4::bigint) AS s"
    " CROSS JOIN LATERAL (SELECT " ASTRAGAL_MATCH
    " FROM rated_matches WHERE pool = $1::int"
    " AND rated_order = s.at OFFSET 0) AS m"
    " WHERE m.finished_at >= $3::bigint ORDER BY m.rated_order LIMIT $5::bigint"};
const Statement kFindMatch = {"rating_find_match", "SELECT pool, " ASTRAGAL_MATCH
                                                   " FROM rated_matches WHERE match = $1::uuid"};

const Statement kReadMatches = {"rating_read_matches",
                                "SELECT " ASTRAGAL_MATCH
                                ", estimates FROM rated_matches WHERE pool = $1::int"
                                " AND rated_order > $2::bigint ORDER BY rated_order"
                                " LIMIT $3::bigint"};
// All revisions of these matches lie side by side in the index, newest first when it is read
// backwards: of each step the first one is taken, and nothing is looked up.
const Statement kReadSteps = {"rating_read_steps",
                              "SELECT DISTINCT ON (rated_order, player) " ASTRAGAL_STEP
                              " FROM rating_steps WHERE pool = $1::int AND rated_order > $2::bigint"
                              " AND rated_order <= $3::bigint AND revision <= $4::int"
                              " ORDER BY rated_order DESC, player DESC, revision DESC"};
const Statement kCountStandings = {"rating_count_standings",
                                   "SELECT count(*) FROM ratings WHERE matches > 0 AND NOT pinned"};
// A step that does not count (a match annulled since) leaves the one before it as the last.
const Statement kWrongStandings = {
    "rating_wrong_standings",
    "SELECT p.name, r.player FROM ratings r JOIN rating_pools p ON p.number = r.pool"
    " LEFT JOIN LATERAL (SELECT rating, deviation, matches FROM rating_steps held"
    " WHERE pool = r.pool AND player = r.player AND revision <= p.revision AND counted"
    " AND revision = (SELECT max(newer.revision) FROM rating_steps newer"
    " WHERE newer.pool = held.pool AND newer.player = held.player"
    " AND newer.rated_order = held.rated_order AND newer.revision <= p.revision)"
    " ORDER BY rated_order DESC LIMIT 1) AS last ON true"
    " WHERE r.matches > 0 AND NOT r.pinned AND (last.rating, last.deviation, last.matches)"
    " IS DISTINCT FROM (r.rating, r.deviation, r.matches)"
    " ORDER BY p.name, r.player LIMIT $1::bigint"};
const Statement kBeginShadow = {"rating_begin_shadow",
                                "UPDATE rating_pools SET shadow = shadow + 1 WHERE number = $1::int"
                                " AND revision = $2::int RETURNING shadow"};
const Statement kDropShadow = {
    "rating_drop_shadow", "DELETE FROM rating_steps WHERE pool = $1::int AND revision > $2::int"};

// ---- Checkpoints

const Statement kPoolsWithoutCheckpoint = {
    "rating_pools_without_checkpoint",
    "SELECT " ASTRAGAL_POOL
    " FROM rating_pools p CROSS JOIN LATERAL (SELECT max(taken_at) AS taken_at,"
    " coalesce(max(rated_order), 0) AS rated_order FROM rating_checkpoints c"
    " WHERE c.pool = p.number) AS last WHERE next_order > last.rated_order + 1"
    " AND coalesce(last.taken_at, created_at) < $1::bigint ORDER BY number LIMIT $2::bigint"};
// One statement reads everything as of one moment, and no lock keeps the pool from being rated.
const Statement kTakeCheckpoint = {
    "rating_take_checkpoint",
    "WITH taken AS (INSERT INTO rating_checkpoints (pool, rated_order, revision, taken_at)"
    " SELECT number, next_order - 1, revision, $2::bigint FROM rating_pools"
    " WHERE number = $1::int ON CONFLICT DO NOTHING RETURNING rated_order),"
    " standings AS (INSERT INTO rating_checkpoint_standings SELECT t.rated_order, r.*"
    " FROM taken t CROSS JOIN ratings r WHERE r.pool = $1::int AND NOT r.pinned),"
    " pairs AS (INSERT INTO rating_checkpoint_pairs SELECT t.rated_order, p.*"
    " FROM taken t CROSS JOIN rating_pairs p WHERE p.pool = $1::int)"
    " SELECT count(*) FROM taken"};
const Statement kDropCheckpoints = {
    "rating_drop_checkpoints",
    "WITH gone AS (DELETE FROM rating_checkpoints WHERE pool = $1::int AND rated_order <="
    " (SELECT rated_order FROM rating_checkpoints WHERE pool = $1::int"
    " ORDER BY rated_order DESC OFFSET $2::bigint LIMIT 1) RETURNING rated_order),"
    " standings AS (DELETE FROM rating_checkpoint_standings s USING gone"
    " WHERE s.pool = $1::int AND s.rated_order = gone.rated_order),"
    " pairs AS (DELETE FROM rating_checkpoint_pairs p USING gone"
    " WHERE p.pool = $1::int AND p.rated_order = gone.rated_order)"
    " SELECT count(*) FROM gone"};
const Statement kFindCheckpoint = {
    "rating_find_checkpoint",
    "SELECT c.rated_order FROM rating_checkpoints c WHERE c.pool = $1::int"
    " AND c.rated_order < $2::bigint AND c.revision <= $3::int AND NOT EXISTS"
    " (SELECT FROM rating_revisions v WHERE v.pool = c.pool AND v.revision > c.revision"
    " AND v.revision <= $3::int AND v.first_order <= c.rated_order)"
    " ORDER BY c.rated_order DESC LIMIT 1"};
const Statement kCheckpointStandings = {
    "rating_checkpoint_standings",
    "SELECT " ASTRAGAL_LISTED
    " FROM rating_checkpoint_standings WHERE pool = $1::int AND rated_order = $2::bigint"
    " AND player > $3::uuid ORDER BY player LIMIT $4::bigint"};
const Statement kCheckpointPairs = {
    "rating_checkpoint_pairs",
    "SELECT " ASTRAGAL_PAIR
    " FROM rating_checkpoint_pairs WHERE pool = $1::int AND rated_order = $2::bigint"
    " AND (low, high) > ($3::uuid, $4::uuid) ORDER BY low, high LIMIT $5::bigint"};

// ---- Writing. The columns of rows, from arrays whose first parameter is `first`.

#define ASTRAGAL_STEPS_OF(p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16,  \
                          p17, p18, p19, p20)                                                     \
  "unnest(" p1 "::uuid[], " p2 "::bigint[], " p3 "::int[], " p4 "::bool[], " p5                   \
  "::double precision[], " p6 "::double precision[], " p7 "::double precision[], " p8             \
  "::double precision[], " p9 "::double precision[], " p10 "::double precision[], " p11           \
  "::double precision[], " p12 "::int[], " p13 "::int[], " p14 "::int[], " p15 "::int[], " p16    \
  "::bigint[], " p17 "::double precision[], " p18 "::bigint[], " p19 "::double precision[], " p20 \
  "::double precision[]) AS s (" ASTRAGAL_STEP ")"
#define ASTRAGAL_STANDINGS_OF(p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, \
                              p16)                                                              \
  "unnest(" p1 "::uuid[], " p2 "::bool[], " p3 "::double precision[], " p4                      \
  "::double precision[], " p5 "::double precision[], " p6 "::int[], " p7 "::int[], " p8         \
  "::int[], " p9 "::int[], " p10 "::bigint[], " p11 "::double precision[], " p12                \
  "::bigint[], " p13 "::double precision[], " p14 "::double precision[], " p15                  \
  "::double precision[], " p16 "::bool[]) AS r (" ASTRAGAL_LISTED ")"
#define ASTRAGAL_MATCHES_OF(p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12)                     \
  "unnest(" p1 "::bigint[], " p2 "::uuid[], " p3 "::bigint[], " p4 "::text[], " p5 "::text[], " p6 \
  "::smallint[], " p7 "::smallint[], " p8 "::bool[], " p9 "::bool[], " p10 "::smallint[], " p11    \
  "::int[], " p12 "::text[]) AS m (" ASTRAGAL_MATCH ")"
#define ASTRAGAL_PAIRS_OF(p1, p2, p3, p4, p5, p6)                                           \
  "unnest(" p1 "::uuid[], " p2 "::uuid[], " p3 "::int[], " p4 "::int[], " p5 "::int[], " p6 \
  "::text[]) AS p (low, high, matches, wins, draws, recent)"
#define ASTRAGAL_IF_HELD "EXISTS (SELECT FROM held)"
#define ASTRAGAL_UPSERT_STANDINGS                                                                 \
  " ON CONFLICT (pool, player) DO UPDATE SET pinned = EXCLUDED.pinned, rating = EXCLUDED.rating," \
  " deviation = EXCLUDED.deviation, volatility = EXCLUDED.volatility,"                            \
  " matches = EXCLUDED.matches, opponents = EXCLUDED.opponents, wins = EXCLUDED.wins,"            \
  " draws = EXCLUDED.draws, last_at = EXCLUDED.last_at, peak = EXCLUDED.peak,"                    \
  " peak_at = EXCLUDED.peak_at, fibs_rating = EXCLUDED.fibs_rating,"                              \
  " fibs_experience = EXCLUDED.fibs_experience, lower_bound = EXCLUDED.lower_bound,"              \
  " listed = EXCLUDED.listed"
#define ASTRAGAL_UPSERT_PAIRS                                                \
  " ON CONFLICT (low, high, pool) DO UPDATE SET matches = EXCLUDED.matches," \
  " wins = EXCLUDED.wins, draws = EXCLUDED.draws, recent = EXCLUDED.recent"

// The lock keeps another recomputation from beginning before this is done.
const Statement kWriteShadow = {
    "rating_write_shadow",
    "WITH held AS MATERIALIZED (SELECT number FROM rating_pools WHERE number = $1::int"
    " AND revision = $2::int AND shadow = $3::int FOR SHARE), written AS (INSERT INTO rating_steps"
    " (pool, " ASTRAGAL_STEP ") SELECT $1::int, s.* FROM " ASTRAGAL_STEPS_OF(
        "$4", "$5", "$6", "$7", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$16", "$17",
        "$18", "$19", "$20", "$21", "$22", "$23") " WHERE " ASTRAGAL_IF_HELD
                                                  ") SELECT " ASTRAGAL_IF_HELD};

// An answer, unless its account is null. A second one of a request undoes the whole statement.
#define ASTRAGAL_NOW "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
#define ASTRAGAL_ANSWER(p1, p2, p3, p4)                                               \
  "INSERT INTO answers (account, request, body_hash, payload, created_at) SELECT " p1 \
  "::uuid, " p2 "::uuid, " p3 "::bytea, " p4 "::bytea, " ASTRAGAL_NOW " WHERE " p1    \
  "::uuid IS NOT NULL"

const Statement kRelist = {
    "rating_relist",
    "UPDATE ratings SET lower_bound = r.lower_bound, listed = r.listed FROM " ASTRAGAL_STANDINGS_OF(
        "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15",
        "$16", "$17") " WHERE ratings.pool = $1::int AND ratings.player = r.player"
                      " AND ratings.matches = r.matches"};

const Statement kPin = {
    "rating_pin",
    "WITH held AS (UPDATE rating_pools SET next_order = next_order WHERE number = $1::int"
    " AND next_order = $2::bigint AND revision = $3::int RETURNING number), rated AS (INSERT INTO"
    " ratings (pool, " ASTRAGAL_LISTED ") SELECT $1::int, r.* FROM " ASTRAGAL_STANDINGS_OF(
        "$4", "$5", "$6", "$7", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$16", "$17",
        "$18", "$19") " WHERE " ASTRAGAL_IF_HELD ASTRAGAL_UPSERT_STANDINGS
                      "), answered AS (" ASTRAGAL_ANSWER("$20", "$21", "$22",
                                                         "$23") " AND " ASTRAGAL_IF_HELD
                                                                ") SELECT " ASTRAGAL_IF_HELD};

const Statement kRate = {
    "rating_rate",
    "WITH held AS (UPDATE rating_pools SET next_order = next_order + cardinality($5::bigint[])"
    " WHERE number = $1::int AND next_order = $2::bigint AND revision = $3::int RETURNING number),"
    " gone AS (DELETE FROM rating_outbox WHERE id = ANY ($4::bigint[]) AND " ASTRAGAL_IF_HELD
    "), logged AS (INSERT INTO rated_matches (pool, " ASTRAGAL_MATCH
    ", estimates) SELECT $1::int, m.rated_order, m.match, m.finished_at, m.players::uuid[],"
    " m.places::smallint[], m.length, m.first_mover, m.exempt, m.early, m.state, m.revision,"
    " m.reason, coalesce((($59::text[])[(m.rated_order - $2::bigint + 1)::int])::smallint[], '{}')"
    " FROM " ASTRAGAL_MATCHES_OF(
        "$5", "$6", "$7", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15",
        "$16") " WHERE " ASTRAGAL_IF_HELD
               "), stepped AS (INSERT INTO rating_steps (pool, " ASTRAGAL_STEP
               ") SELECT $1::int, s.* FROM " ASTRAGAL_STEPS_OF(
                   "$17", "$18", "$19", "$20", "$21", "$22", "$23", "$24", "$25", "$26", "$27",
                   "$28", "$29", "$30", "$31", "$32", "$33", "$34", "$35",
                   "$36") " WHERE " ASTRAGAL_IF_HELD
                          "), rated AS (INSERT INTO ratings (pool, " ASTRAGAL_LISTED
                          ") SELECT $1::int, r.* FROM " ASTRAGAL_STANDINGS_OF(
                              "$37", "$38", "$39", "$40", "$41", "$42", "$43", "$44", "$45", "$46",
                              "$47", "$48", "$49", "$50", "$51",
                              "$52") " WHERE " ASTRAGAL_IF_HELD ASTRAGAL_UPSERT_STANDINGS
                                     "), paired AS (INSERT INTO rating_pairs (low, high, pool, "
                                     "matches, wins, draws, recent)"
                                     " SELECT p.low, p.high, $1::int, p.matches, p.wins, p.draws, "
                                     "p.recent::bigint[]"
                                     " FROM " ASTRAGAL_PAIRS_OF(
                                         "$53", "$54", "$55", "$56", "$57",
                                         "$58") " WHERE " ASTRAGAL_IF_HELD ASTRAGAL_UPSERT_PAIRS
                                                ") SELECT " ASTRAGAL_IF_HELD};

// The reasons and what was before are kept; pairs without matches go. Whose rating becomes another
// one is told so.
const Statement kSwitch = {
    "rating_switch",
    "WITH held AS (UPDATE rating_pools SET revision = revision + 1 WHERE number = $1::int"
    " AND next_order = $2::bigint AND revision = $3::int AND shadow = $39::int RETURNING number),"
    " moved AS MATERIALIZED (SELECT r.player, coalesce(b.rating, 0) AS before, r.rating AS after"
    " FROM " ASTRAGAL_STANDINGS_OF("$17", "$18", "$19", "$20", "$21", "$22", "$23", "$24", "$25",
                                   "$26", "$27", "$28", "$29", "$30", "$31", "$32")
    " LEFT JOIN ratings b ON b.pool = $1::int AND b.player = r.player"
    " WHERE b.rating IS DISTINCT FROM r.rating AND " ASTRAGAL_IF_HELD
    "), told AS (INSERT INTO rating_news (player, pool, revision, rating_before, rating_after)"
    " SELECT player, $1::int, $3::int + 1, before, after FROM moved"
    " ON CONFLICT (player, pool) DO UPDATE SET revision = EXCLUDED.revision,"
    " rating_before = EXCLUDED.rating_before, rating_after = EXCLUDED.rating_after), changes AS"
    " MATERIALIZED (SELECT * FROM " ASTRAGAL_MATCHES_OF("$5", "$6", "$7", "$8", "$9", "$10", "$11",
                                                        "$12", "$13", "$14", "$15", "$16")
    "), noted AS (INSERT INTO rating_changes (pool, revision, match, places_before, state_before,"
    " places, state, reason, changed_at) SELECT $1::int, $3::int + 1, c.match, b.places, b.state,"
    " c.places::smallint[], c.state, c.reason, $4::bigint FROM changes c CROSS JOIN LATERAL"
    " (SELECT places, state FROM rated_matches WHERE pool = $1::int AND rated_order ="
    " c.rated_order OFFSET 0) AS b WHERE " ASTRAGAL_IF_HELD
    "), corrected AS (UPDATE rated_matches m SET places = c.places::smallint[], state = c.state,"
    " revision = $3::int + 1, reason = c.reason FROM changes c WHERE m.pool = $1::int"
    " AND m.rated_order = c.rated_order AND " ASTRAGAL_IF_HELD
    "), rated AS (INSERT INTO ratings (pool, " ASTRAGAL_LISTED
    ") SELECT $1::int, r.* FROM " ASTRAGAL_STANDINGS_OF(
        "$17", "$18", "$19", "$20", "$21", "$22", "$23", "$24", "$25", "$26", "$27", "$28", "$29",
        "$30", "$31", "$32") " WHERE " ASTRAGAL_IF_HELD ASTRAGAL_UPSERT_STANDINGS
    "), pairs AS MATERIALIZED (SELECT * FROM " ASTRAGAL_PAIRS_OF("$33", "$34", "$35", "$36", "$37",
                                                                 "$38")
    "), paired AS (INSERT INTO rating_pairs (low, high, pool, matches, wins, draws, recent)"
    " SELECT p.low, p.high, $1::int, p.matches, p.wins, p.draws, p.recent::bigint[] FROM pairs p"
    " WHERE p.matches > 0 AND " ASTRAGAL_IF_HELD ASTRAGAL_UPSERT_PAIRS
    "), parted AS (DELETE FROM rating_pairs o USING pairs p WHERE o.low = p.low AND o.high = p.high"
    " AND o.pool = $1::int AND p.matches = 0 AND " ASTRAGAL_IF_HELD
    "), revised AS (INSERT INTO rating_revisions (pool, revision, first_order, switched_at, players)"
    " SELECT $1::int, $3::int + 1, $40::bigint, $4::bigint, cardinality($17::uuid[])"
    " WHERE " ASTRAGAL_IF_HELD
    "), answered AS (" ASTRAGAL_ANSWER("$41", "$42", "$43", "$44") " AND " ASTRAGAL_IF_HELD
    ") SELECT " ASTRAGAL_IF_HELD};

}  // namespace astragal::storage
