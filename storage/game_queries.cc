#include "storage/game_queries.h"

#include <array>
#include <string_view>
#include <vector>

#include "storage/summary_columns.h"

namespace astragal::storage {

#define ASTRAGAL_EVENT_COLUMNS                                                             \
  "game_id, sequence, kind, seat, number, detail, at, position_hash, chain_hash, player, " \
  "request, body_hash, event_count"

#define ASTRAGAL_GAME_COLUMNS                                                                   \
  "g.id, g.ruleset, g.rules_version, g.build, g.options, g.seats, g.created_by, g.created_at, " \
  "g.restore_epoch, g.commitment, g.sealed_secret, g.visibility, g.rated, g.clock_kind, "       \
  "g.reserve_ms, g.increment_ms, g.first_turn_ms, g.reserves_ms, g.match, g.match_game, "       \
  "h.sequence, h.chain_hash, h.status, h.ending, h.actor, h.throws_drawn, h.position, "         \
  "h.updated_at, h.changed_sequence, h.build, h.proceedings, h.deadline, " ASTRAGAL_SEATS_OF(   \
      "g.id")

const Statement kLoadGame = {
    "load_game", "SELECT " ASTRAGAL_GAME_COLUMNS
                 " FROM games g JOIN heads h ON h.game_id = g.id WHERE g.id = $1::uuid"};

const Statement kLoadGames = {
    "load_games",
    "SELECT l.* FROM unnest($1::uuid[]) AS wanted (wanted_id) CROSS JOIN LATERAL"
    " (SELECT " ASTRAGAL_GAME_COLUMNS
    " FROM games g JOIN heads h ON h.game_id = g.id WHERE g.id = wanted.wanted_id OFFSET 0) AS l"};

const Statement kReadEvents = {"read_events",
                               "SELECT " ASTRAGAL_EVENT_COLUMNS
                               " FROM events WHERE game_id = $1::uuid AND sequence > $2::int"
                               " ORDER BY sequence LIMIT $3::bigint"};

const Statement kReadLogs = {
    "read_logs",
    "SELECT l.* FROM unnest($1::uuid[]) AS wanted (wanted_id) CROSS JOIN LATERAL"
    " (SELECT " ASTRAGAL_EVENT_COLUMNS
    " FROM events WHERE game_id = wanted.wanted_id ORDER BY sequence LIMIT $2::bigint) AS l"
    " ORDER BY l.game_id, l.sequence"};

const Statement kFindRequest = {"find_request",
                                "SELECT " ASTRAGAL_EVENT_COLUMNS
                                " FROM events WHERE game_id = $1::uuid AND player = $2::uuid"
                                " AND request = $3::uuid"};

const Statement kFindCreated = {
    "find_created",
    "SELECT id FROM games WHERE created_by = $1::uuid AND create_request = $2::uuid"};

const Statement kReadHeads = {"read_heads",
                              "SELECT h.game_id, h.sequence FROM unnest($1::uuid[]) AS wanted (id)"
                              " CROSS JOIN LATERAL (SELECT game_id, sequence FROM heads"
                              " WHERE game_id = wanted.id OFFSET 0) AS h"};

const Statement kGamesOfMatches = {
    "games_of_matches",
    "SELECT " ASTRAGAL_SUMMARY_COLUMNS
    ", g.match, g.match_game FROM unnest($1::uuid[]) AS wanted (id)"
    " CROSS JOIN LATERAL (SELECT * FROM games WHERE match = wanted.id ORDER BY match_game"
    " LIMIT $2::bigint) AS g JOIN heads h ON h.game_id = g.id ORDER BY g.match, g.match_game"};

// What is due by its row may have got more time since: then only the row was late.
const Statement kTakeDue = {
    "take_due",
    "WITH due AS MATERIALIZED (SELECT game_id FROM deadlines WHERE due <= $1::bigint"
    " ORDER BY due LIMIT $2::bigint FOR UPDATE SKIP LOCKED),"
    " looked AS MATERIALIZED (SELECT due.game_id, h.deadline FROM due"
    " CROSS JOIN LATERAL (SELECT deadline FROM heads WHERE heads.game_id = due.game_id OFFSET 0)"
    " AS h), moved AS (UPDATE deadlines d"
    " SET due = CASE WHEN l.deadline > $1::bigint THEN l.deadline ELSE $3::bigint END"
    " FROM looked l WHERE d.game_id = l.game_id)"
    " SELECT game_id FROM looked WHERE deadline <= $1::bigint ORDER BY deadline"};

const Statement kBeat = {
    "beat",
    "WITH now AS MATERIALIZED"
    " (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS at),"
    " last AS MATERIALIZED (SELECT max(seen_at) AS at FROM nodes),"
    " gap AS (INSERT INTO outages (began_at, ended_at) SELECT last.at, now.at FROM last, now"
    " WHERE now.at - last.at > $2::bigint ON CONFLICT DO NOTHING RETURNING began_at, ended_at),"
    " beat AS (INSERT INTO nodes (name, seen_at) SELECT $1, at FROM now"
    " ON CONFLICT (name) DO UPDATE SET seen_at = EXCLUDED.seen_at),"
    " forgotten AS (DELETE FROM nodes n USING now WHERE n.name <> $1"
    " AND n.seen_at < now.at - 86400000000 AND n.seen_at < (SELECT at FROM last))"
    " SELECT began_at, ended_at FROM gap UNION ALL"
    " SELECT began_at, ended_at FROM outages WHERE ended_at > $3::bigint"};

namespace {

// One statement for each set of conditions, each led by the index that has its order: $1 before,
// $2 limit, then ruleset, status, player and whether hidden games too as far as they are asked for.
// The index is a sum of these:
constexpr size_t kByRuleset = 1;
constexpr size_t kByStatus = 2;
constexpr size_t kByPlayer = 4;

constexpr std::array<Statement, 8> kLists = {{
    {"list_games",
     "SELECT " ASTRAGAL_SUMMARY_COLUMNS " FROM games g JOIN heads h ON h.game_id = g.id"
     " WHERE g.visibility = 1 AND g.id < $1::uuid ORDER BY g.id DESC LIMIT $2::bigint"},
    {"list_games_by_ruleset",
     "SELECT " ASTRAGAL_SUMMARY_COLUMNS " FROM games g JOIN heads h ON h.game_id = g.id"
     " WHERE g.visibility = 1 AND g.ruleset = $3 AND g.id < $1::uuid ORDER BY g.id DESC LIMIT "
     "$2::bigint"},
    {"list_games_by_status",
     "SELECT " ASTRAGAL_SUMMARY_COLUMNS " FROM heads h JOIN games g ON g.id = h.game_id"
     " WHERE h.listed AND h.status = $3::smallint AND h.game_id < $1::uuid"
     " ORDER BY h.game_id DESC LIMIT $2::bigint"},
    {"list_games_by_ruleset_and_status",
     "SELECT " ASTRAGAL_SUMMARY_COLUMNS " FROM heads h JOIN games g ON g.id = h.game_id"
     " WHERE h.listed AND h.ruleset = $3 AND h.status = $4::smallint AND h.game_id < $1::uuid"
     " ORDER BY h.game_id DESC LIMIT $2::bigint"},
#define ASTRAGAL_LIST_OF_PLAYER(player, with_hidden, condition)                 \
  "SELECT " ASTRAGAL_SUMMARY_COLUMNS                                            \
  " FROM (SELECT DISTINCT game_id FROM game_seats"                              \
  " WHERE player = " player                                                     \
  "::uuid AND game_id < $1::uuid ORDER BY game_id DESC) AS own"                 \
  " JOIN games g ON g.id = own.game_id JOIN heads h ON h.game_id = own.game_id" \
  " WHERE (g.visibility = 1 OR " with_hidden "::bool)" condition                \
  " ORDER BY own.game_id DESC LIMIT $2::bigint"
    {"list_games_by_player", ASTRAGAL_LIST_OF_PLAYER("$3", "$4", "")},
    {"list_games_by_ruleset_and_player",
     ASTRAGAL_LIST_OF_PLAYER("$4", "$5", " AND g.ruleset = $3")},
    {"list_games_by_status_and_player",
     ASTRAGAL_LIST_OF_PLAYER("$4", "$5", " AND h.status = $3::smallint")},
    {"list_games_by_ruleset_status_and_player",
     ASTRAGAL_LIST_OF_PLAYER("$5", "$6", " AND g.ruleset = $3 AND h.status = $4::smallint")},
#undef ASTRAGAL_LIST_OF_PLAYER
}};

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

int64_t IntegerOf(std::string_view text) {
  const std::vector<int64_t> integers = IntegersFromArray(text);
  return integers.empty() ? 0 : integers.front();
}

std::vector<SeatRecord> SeatsFrom(const Rows& rows, size_t row, int column) {
  std::vector<SeatRecord> seats;
  if (rows.IsNull(row, column)) return seats;
  for (const std::string_view text : Split(rows.Text(row, column), ' ')) {
    const std::vector<std::string_view> fields = Split(text, ':');
    if (fields.size() != 4) continue;
    SeatRecord seat;
    seat.seat = static_cast<int8_t>(IntegerOf(fields[0]));
    seat.player = base::PlayerId(UuidFromText(fields[1]));
    seat.place = static_cast<int32_t>(IntegerOf(fields[2]));
    seat.points = IntegerOf(fields[3]);
    seats.push_back(seat);
  }
  return seats;
}

GameTerms TermsFrom(const Rows& rows, size_t row, int& column) {
  GameTerms terms;
  terms.visibility = static_cast<Visibility>(rows.Int(row, column++));
  terms.rated = rows.Text(row, column++) == "t";
  terms.clock.kind = static_cast<ClockKind>(rows.Int(row, column++));
  terms.clock.reserve_ms = rows.Int(row, column++);
  terms.clock.increment_ms = rows.Int(row, column++);
  terms.clock.first_turn_ms = rows.Int(row, column++);
  terms.reserves_ms = IntegersFromArray(rows.Text(row, column++));
  if (!rows.IsNull(row, column)) terms.match = rows.Uuid<base::MatchId>(row, column);
  ++column;
  terms.match_game = static_cast<uint16_t>(rows.Int(row, column++));
  return terms;
}

}  // namespace

const Statement& ListStatement(const GameFilter& filter) {
  return kLists[(filter.ruleset ? kByRuleset : 0) + (filter.status ? kByStatus : 0) +
                (filter.player ? kByPlayer : 0)];
}

std::span<const Statement> AllListStatements() { return kLists; }

Params ListParams(const GameFilter& filter, base::GameId before, size_t limit) {
  base::IdBytes highest;
  highest.fill(0xFF);
  Params params;
  params.Uuid(before.is_nil() ? highest : before.bytes()).Int(static_cast<int64_t>(limit));
  if (filter.ruleset) params.Text(*filter.ruleset);
  if (filter.status) params.Int(static_cast<int>(*filter.status));
  if (filter.player) params.Uuid(filter.player->bytes()).Bool(filter.with_hidden);
  return params;
}

StoredGame GameFromRow(const Rows& rows, size_t row) {
  StoredGame game;
  GameFacts& facts = game.facts;
  int column = 0;
  facts.id = rows.Uuid<base::GameId>(row, column++);
  facts.ruleset = rows.Text(row, column++);
  facts.rules_version = static_cast<uint32_t>(rows.Int(row, column++));
  facts.build = rows.Text(row, column++);
  facts.options = IntegersFromArray(rows.Text(row, column++));
  facts.seats = static_cast<uint8_t>(rows.Int(row, column++));
  facts.created_by = rows.Uuid<base::PlayerId>(row, column++);
  facts.created_at = rows.At(row, column++);
  facts.restore_epoch = static_cast<uint32_t>(rows.Int(row, column++));
  facts.commitment = rows.Hash(row, column++);
  facts.sealed_secret = rows.Bytes(row, column++);
  facts.terms = TermsFrom(rows, row, column);
  GameHead& head = game.head;
  head.id = facts.id;
  head.sequence = static_cast<uint32_t>(rows.Int(row, column++));
  head.chain_hash = rows.Hash(row, column++);
  head.status = static_cast<GameStatus>(rows.Int(row, column++));
  head.ending = static_cast<Ending>(rows.Int(row, column++));
  head.actor = static_cast<int8_t>(rows.Int(row, column++));
  head.throws_drawn = static_cast<uint32_t>(rows.Int(row, column++));
  head.position = rows.Bytes(row, column++);
  head.updated_at = rows.At(row, column++);
  head.changed_sequence = static_cast<uint32_t>(rows.Int(row, column++));
  head.build = rows.Text(row, column++);
  head.proceedings = rows.Bytes(row, column++);
  if (!rows.IsNull(row, column)) head.deadline = rows.At(row, column);
  ++column;
  game.seats = SeatsFrom(rows, row, column);
  return game;
}

EventRecord EventFromRow(const Rows& rows, size_t row) {
  EventRecord event;
  int column = 0;
  event.game = rows.Uuid<base::GameId>(row, column++);
  event.sequence = static_cast<uint32_t>(rows.Int(row, column++));
  event.kind = static_cast<EventKind>(rows.Int(row, column++));
  event.seat = static_cast<int8_t>(rows.Int(row, column++));
  event.number = rows.Int(row, column++);
  event.detail = rows.Bytes(row, column++);
  event.at = rows.At(row, column++);
  event.position_hash = rows.Hash(row, column++);
  event.chain_hash = rows.Hash(row, column++);
  if (rows.IsNull(row, column)) return event;
  RequestStamp stamp;
  stamp.player = rows.Uuid<base::PlayerId>(row, column++);
  stamp.request = base::RequestId{UuidFromText(rows.Text(row, column++))};
  stamp.body_hash = rows.Hash(row, column++);
  stamp.event_count = static_cast<uint16_t>(rows.Int(row, column++));
  event.request = stamp;
  return event;
}

GameSummary SummaryFromRow(const Rows& rows, size_t row) {
  GameSummary summary;
  int column = 0;
  summary.id = rows.Uuid<base::GameId>(row, column++);
  summary.ruleset = rows.Text(row, column++);
  summary.rules_version = static_cast<uint32_t>(rows.Int(row, column++));
  summary.status = static_cast<GameStatus>(rows.Int(row, column++));
  summary.ending = static_cast<Ending>(rows.Int(row, column++));
  summary.sequence = static_cast<uint32_t>(rows.Int(row, column++));
  summary.actor = static_cast<int8_t>(rows.Int(row, column++));
  summary.created_at = rows.At(row, column++);
  summary.updated_at = rows.At(row, column++);
  summary.seats = SeatsFrom(rows, row, column);
  return summary;
}

MatchGame MatchGameFromRow(const Rows& rows, size_t row) {
  MatchGame game;
  game.game = SummaryFromRow(rows, row);
  game.match = rows.Uuid<base::MatchId>(row, kSummaryColumns);
  game.number = static_cast<uint16_t>(rows.Int(row, kSummaryColumns + 1));
  return game;
}

}  // namespace astragal::storage
