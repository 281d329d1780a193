#include "storage/pg_presence_store.h"

#include <algorithm>
#include <utility>

#include "storage/failures.h"

namespace astragal::storage {

#define ASTRAGAL_NOW "(extract(epoch FROM now()) * 1000000)::bigint"

const Statement kWritePresence = {
    "write_presence",
    "WITH gone AS (DELETE FROM presence p USING unnest($3::uuid[], $4::uuid[]) AS w (game_id, "
    "player)"
    " WHERE p.game_id = w.game_id AND p.player = w.player AND p.node = $5)"
    " INSERT INTO presence (game_id, player, node)"
    " SELECT c.game_id, c.player, $5 FROM unnest($1::uuid[], $2::uuid[]) AS c (game_id, player)"
    " ON CONFLICT DO NOTHING"};

const Statement kReadPresence = {
    "read_presence",
    "SELECT p.game_id, p.player, p.node = $3 FROM unnest($1::uuid[]) AS wanted (id)"
    " CROSS JOIN LATERAL (SELECT game_id, player, node FROM presence"
    " WHERE game_id = wanted.id OFFSET 0) AS p"
    " CROSS JOIN LATERAL (SELECT FROM nodes WHERE name = p.node"
    " AND seen_at > " ASTRAGAL_NOW " - $2::bigint OFFSET 0) AS alive"};

// The names are found by seeks, one after the other, whatever the number of rows.
const Statement kSweepPresence = {
    "sweep_presence",
    "WITH RECURSIVE names AS ("
    "(SELECT node FROM presence WHERE node > '' ORDER BY node LIMIT 1) UNION ALL"
    " SELECT (SELECT node FROM presence WHERE node > names.node ORDER BY node LIMIT 1)"
    " FROM names WHERE names.node IS NOT NULL)"
    " DELETE FROM presence p USING names WHERE p.node = names.node AND NOT EXISTS"
    " (SELECT FROM nodes WHERE name = names.node"
    " AND seen_at > " ASTRAGAL_NOW " - $1::bigint)"};

#undef ASTRAGAL_NOW

namespace {

constexpr int64_t kNodeGoneUs = PresenceStore::kNodeGoneMs * 1'000;

void AddColumns(absl::Span<const Attendee> attendees, Params& params) {
  ArrayText games, players;
  for (const Attendee& attendee : attendees) {
    games.Uuid(attendee.game.bytes());
    players.Uuid(attendee.player.bytes());
  }
  params.Text(std::move(games).Take()).Text(std::move(players).Take());
}

}  // namespace

absl::Status PgPresenceStore::Write(absl::Span<const Attendee> came,
                                    absl::Span<const Attendee> went) {
  Params params;
  AddColumns(came, params);
  AddColumns(went, params);
  params.Text(node_);
  const absl::StatusOr<Rows> rows = pool_.Write(kWritePresence, params);
  return rows.ok() ? absl::OkStatus() : Public(rows.status());
}

absl::StatusOr<std::vector<AttendeeRow>> PgPresenceStore::Read(
    absl::Span<const base::GameId> games) {
  ArrayText ids;
  for (const base::GameId& id : games.first(std::min(games.size(), kMaxAsked))) {
    ids.Uuid(id.bytes());
  }
  const absl::StatusOr<Rows> rows =
      pool_.Read(kReadPresence, Params().Text(std::move(ids).Take()).Int(kNodeGoneUs).Text(node_));
  if (!rows.ok()) return Public(rows.status());
  std::vector<AttendeeRow> attendees;
  attendees.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) {
    attendees.push_back({{rows->Uuid<base::GameId>(row, 0), rows->Uuid<base::PlayerId>(row, 1)},
                         rows->Bool(row, 2)});
  }
  return attendees;
}

absl::Status PgPresenceStore::Sweep() {
  const absl::StatusOr<Rows> rows = pool_.Write(kSweepPresence, Params().Int(kNodeGoneUs));
  return rows.ok() ? absl::OkStatus() : Public(rows.status());
}

}  // namespace astragal::storage
