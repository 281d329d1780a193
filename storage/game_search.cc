#include "storage/game_search.h"

#include <array>

#include "storage/failures.h"
#include "storage/game_queries.h"
#include "storage/sql_text.h"
#include "storage/summary_columns.h"

namespace astragal::storage {
namespace {

// Each walk is led by the index that has its order, that over the games of matches by the index of
// matches: those are few. Parameters of all: $1 before, $2 walked at most, $3 limit, $4 player, $5
// with hidden, $6 ruleset, $7 opponent, $8 place, $9 ending, $10 ended from, $11 until, $12 least
// events, $13 most, $14 options, $15 matches; null does not matter.
#define ASTRAGAL_SEARCH(walk)                                                                    \
  "WITH walked AS MATERIALIZED (" walk                                                           \
  " LIMIT $2::bigint), last AS MATERIALIZED (SELECT (SELECT id FROM walked ORDER BY id LIMIT 1)" \
  " AS id, (SELECT count(*) FROM walked) AS walked)"                                             \
  " SELECT found.*, last.id, last.walked FROM last LEFT JOIN LATERAL "                           \
  "(SELECT " ASTRAGAL_SUMMARY_COLUMNS                                                            \
  " FROM walked w JOIN games g ON g.id = w.id JOIN heads h ON h.game_id = w.id"                  \
  " WHERE h.status IN (3, 4)"                                                                    \
  " AND (g.visibility = 1 OR $5::bool)"                                                          \
  " AND ($6::text IS NULL OR g.ruleset = $6::text)"                                              \
  " AND ($7::uuid IS NULL OR EXISTS (SELECT FROM game_seats s WHERE s.game_id = w.id"            \
  " AND s.player = $7::uuid))"                                                                   \
  " AND ($8::int IS NULL OR EXISTS (SELECT FROM game_seats s WHERE s.game_id = w.id"             \
  " AND s.player = $4::uuid AND s.place = $8::int))"                                             \
  " AND ($9::smallint IS NULL OR h.ending = $9::smallint)"                                       \
  " AND ($10::bigint IS NULL OR h.updated_at >= $10::bigint)"                                    \
  " AND ($11::bigint IS NULL OR h.updated_at < $11::bigint)"                                     \
  " AND ($12::int IS NULL OR h.sequence >= $12::int)"                                            \
  " AND ($13::int IS NULL OR h.sequence <= $13::int)"                                            \
  " AND ($14::bigint[] IS NULL OR NOT EXISTS (SELECT FROM unnest($14::bigint[], g.options)"      \
  " AS o (wanted, given) WHERE o.wanted IS NOT NULL AND o.wanted IS DISTINCT FROM o.given))"     \
  " AND ($15::uuid[] IS NULL OR g.match = ANY($15::uuid[]))"                                     \
  " ORDER BY w.id DESC LIMIT $3::bigint) AS found ON true"

constexpr std::array<Statement, 4> kSearches = {{
    {"find_games", ASTRAGAL_SEARCH("SELECT id FROM games WHERE visibility = 1 AND id < $1::uuid"
                                   " ORDER BY id DESC")},
    {"find_games_of_ruleset",
     ASTRAGAL_SEARCH("SELECT id FROM games WHERE visibility = 1 AND ruleset = $6::text"
                     " AND id < $1::uuid ORDER BY id DESC")},
    {"find_games_of_player",
     ASTRAGAL_SEARCH("SELECT DISTINCT game_id AS id FROM game_seats WHERE player = $4::uuid"
                     " AND game_id < $1::uuid ORDER BY game_id DESC")},
    {"find_games_of_matches",
     ASTRAGAL_SEARCH("SELECT of_match.id FROM unnest($15::uuid[]) AS wanted (id) CROSS JOIN LATERAL"
                     " (SELECT m.id FROM games m WHERE m.match = wanted.id AND m.id < $1::uuid"
                     " AND ($4::uuid IS NULL OR EXISTS (SELECT FROM game_seats s"
                     " WHERE s.game_id = m.id AND s.player = $4::uuid)) OFFSET 0) AS of_match"
                     " ORDER BY of_match.id DESC")},
}};
#undef ASTRAGAL_SEARCH

const Statement& StatementOf(const GameSearch& search) {
  if (search.matches) return kSearches[3];
  if (search.player) return kSearches[2];
  return search.ruleset ? kSearches[1] : kSearches[0];
}

template <typename T>
void AddInt(const std::optional<T>& value, Params& params) {
  if (value) {
    params.Int(static_cast<int64_t>(*value));
  } else {
    params.Null();
  }
}

template <typename Id>
void AddId(const std::optional<Id>& value, Params& params) {
  if (value) {
    params.Uuid(value->bytes());
  } else {
    params.Null();
  }
}

std::optional<int64_t> MicrosOf(const std::optional<base::Instant>& at) {
  return at ? std::optional<int64_t>(at->micros) : std::nullopt;
}

void AddOptions(const std::vector<std::optional<int64_t>>& options, Params& params) {
  if (options.empty()) {
    params.Null();
    return;
  }
  ArrayText array;
  for (const std::optional<int64_t>& value : options) {
    if (value) {
      array.Int(*value);
    } else {
      array.Null();
    }
  }
  params.Text(std::move(array).Take());
}

void AddMatches(const std::optional<std::vector<base::MatchId>>& matches, Params& params) {
  if (!matches) {
    params.Null();
    return;
  }
  ArrayText array;
  for (const base::MatchId& match : *matches) array.Uuid(match.bytes());
  params.Text(std::move(array).Take());
}

Params ParamsOf(const GameSearch& search, base::GameId before, size_t limit) {
  base::IdBytes highest;
  highest.fill(0xFF);
  Params params;
  params.Uuid(before.is_nil() ? highest : before.bytes()).Int(kMaxWalked);
  params.Int(static_cast<int64_t>(limit));
  AddId(search.player, params);
  params.Bool(search.player && search.with_hidden);
  if (search.ruleset) {
    params.Text(*search.ruleset);
  } else {
    params.Null();
  }
  AddId(search.opponent, params);
  AddInt(search.place, params);
  AddInt(search.ending, params);
  AddInt(MicrosOf(search.ended_from), params);
  AddInt(MicrosOf(search.ended_until), params);
  AddInt(search.least_events, params);
  AddInt(search.most_events, params);
  AddOptions(search.options, params);
  AddMatches(search.matches, params);
  return params;
}

}  // namespace

absl::StatusOr<FoundGames> FindGames(Pool& pool, const GameSearch& search, base::GameId before,
                                     size_t limit) {
  const absl::StatusOr<Rows> rows = pool.Read(StatementOf(search), ParamsOf(search, before, limit));
  if (!rows.ok()) return Public(rows.status());
  FoundGames found;
  for (size_t row = 0; row < rows->size(); ++row) {
    if (!rows->IsNull(row, 0)) found.games.push_back(SummaryFromRow(*rows, row));
  }
  if (found.games.size() == limit) {
    found.go_on = found.games.back().id;
  } else if (rows->Int(0, kSummaryColumns + 1) == kMaxWalked) {
    found.go_on = rows->Uuid<base::GameId>(0, kSummaryColumns);
  }
  return found;
}

std::vector<Statement> SearchStatements() { return {kSearches.begin(), kSearches.end()}; }

}  // namespace astragal::storage
