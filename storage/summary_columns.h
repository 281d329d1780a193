// The columns of a game in short (GameSummary), as SummaryFromRow reads them: of games g and
// heads h. Internal to storage.
#ifndef ASTRAGAL_STORAGE_SUMMARY_COLUMNS_H_
#define ASTRAGAL_STORAGE_SUMMARY_COLUMNS_H_

namespace astragal::storage {

// Seats travel as one text, seat:player:place:points separated by blanks, so that a game is one
// row.
#define ASTRAGAL_SEATS_OF(game)                                                                 \
  "(SELECT string_agg(concat_ws(':', s.seat, coalesce(s.player::text, ''), s.place, s.points)," \
  " ' ' ORDER BY s.seat) FROM game_seats s WHERE s.game_id = " game ")"

#define ASTRAGAL_SUMMARY_COLUMNS                                       \
  "g.id, g.ruleset, g.rules_version, h.status, h.ending, h.sequence, " \
  "h.actor, g.created_at, h.updated_at, " ASTRAGAL_SEATS_OF("g.id")
inline constexpr int kSummaryColumns = 10;

}  // namespace astragal::storage

#endif  // ASTRAGAL_STORAGE_SUMMARY_COLUMNS_H_
