#include "storage/match_queries.h"

namespace astragal::storage {

// Players travel as one text, separated by blanks, so that a match is one row.
#define ASTRAGAL_MATCH_COLUMNS                                                               \
  "m.id, m.kind, m.length, m.first_mover, m.match_clock, m.timeout_loses, m.created_by, "    \
  "m.created_at, (SELECT string_agg(s.player::text, ' ' ORDER BY s.seat) FROM match_seats s" \
  " WHERE s.match = m.id), g.ruleset, g.rules_version, g.visibility"

const Statement kGetMatch = {"get_match",
                             "SELECT " ASTRAGAL_MATCH_COLUMNS
                             " FROM matches m JOIN games g ON g.match = m.id AND g.match_game = 1"
                             " WHERE m.id = $1::uuid"};

const Statement kListMatches = {
    "list_matches",
    "SELECT " ASTRAGAL_MATCH_COLUMNS
    " FROM (SELECT match FROM match_seats WHERE player = $3::uuid AND match < $1::uuid"
    " ORDER BY match DESC) AS own JOIN matches m ON m.id = own.match"
    " JOIN games g ON g.match = own.match AND g.match_game = 1"
    " WHERE g.visibility = 1 OR $4::bool ORDER BY own.match DESC LIMIT $2::bigint"};

}  // namespace astragal::storage
