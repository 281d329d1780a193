#include "storage/pg_tournament_store.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "services/base/status.h"
#include "storage/failures.h"

namespace astragal::storage {
namespace {

using base::Error;
using base::Reason;

#define ASTRAGAL_NOW "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
#define ASTRAGAL_HEAD_COLUMNS "id, name, status, version, due_at, created_by, created_at"
#define ASTRAGAL_ENTRY_COLUMNS \
  "version, kind, player, round, board, number, detail, by, reason, request, body_hash, at"
// Entries as arrays, $5 to $16.
#define ASTRAGAL_INSERT_ENTRIES                                                        \
  "INSERT INTO tournament_log (tournament, " ASTRAGAL_ENTRY_COLUMNS                    \
  ") SELECT $1::uuid, e.* FROM unnest($5::int[], $6::smallint[], $7::uuid[],"          \
  " $8::smallint[], $9::int[], $10::bigint[], $11::bytea[], $12::uuid[], $13::text[]," \
  " $14::uuid[], $15::bytea[], $16::bigint[]) AS e (" ASTRAGAL_ENTRY_COLUMNS ")"

enum StatementIndex : size_t {
  kCreate,
  kFindCreated,
  kAppend,
  kSchedule,
  kTakeDue,
  kGetHead,
  kReadLog,
  kListAll,
  kListByStatus,
};

// $1 id, $2 status, $3 version, $4 due_at.
constexpr std::array kStatements = {
    Statement{"create_tournament",
              "WITH made AS (INSERT INTO tournaments (id, name, status, version, due_at,"
              " leased_until, created_by, request, body_hash, created_at) VALUES ($1::uuid,"
              " $17::text, $2::smallint, $3::int, $4::bigint, 0, $18::uuid, $19::uuid,"
              " $20::bytea, $21::bigint) ON CONFLICT DO NOTHING RETURNING id), logged AS"
              " (" ASTRAGAL_INSERT_ENTRIES
              " WHERE EXISTS (SELECT FROM made)) SELECT EXISTS (SELECT FROM made)"},
    Statement{"find_created_tournament",
              "SELECT id, body_hash FROM tournaments WHERE created_by = $1::uuid"
              " AND request = $2::uuid"},
    Statement{"append_to_tournament",
              "WITH head AS (UPDATE tournaments SET status = $2::smallint, version = $3::int,"
              " due_at = $4::bigint, leased_until = 0 WHERE id = $1::uuid AND version = $17::int"
              " RETURNING id), logged AS (" ASTRAGAL_INSERT_ENTRIES
              " WHERE EXISTS (SELECT FROM head)) SELECT EXISTS (SELECT FROM head)"},
    Statement{"schedule_tournament",
              "UPDATE tournaments SET due_at = $3::bigint, leased_until = 0 WHERE id = $1::uuid"
              " AND version = $2::int"},
    Statement{"take_due_tournaments",
              "WITH due AS MATERIALIZED (SELECT id FROM tournaments WHERE due_at <= " ASTRAGAL_NOW
              " AND leased_until <= " ASTRAGAL_NOW
              " ORDER BY due_at LIMIT $2::bigint FOR NO KEY UPDATE SKIP LOCKED)"
              " UPDATE tournaments t SET leased_until = " ASTRAGAL_NOW
              " + $1::bigint * 1000 FROM due WHERE t.id = due.id RETURNING t.id"},
    Statement{"get_tournament",
              "SELECT " ASTRAGAL_HEAD_COLUMNS " FROM tournaments WHERE id = $1::uuid"},
    Statement{"read_tournament_log",
              "SELECT " ASTRAGAL_ENTRY_COLUMNS
              " FROM tournament_log WHERE tournament = $1::uuid AND version > $2::bigint"
              " ORDER BY version LIMIT $3::bigint"},
    Statement{"list_tournaments",
              "SELECT " ASTRAGAL_HEAD_COLUMNS " FROM tournaments WHERE id < $1::uuid"
              " ORDER BY id DESC LIMIT $2::bigint"},
    Statement{"list_tournaments_by_status",
              "SELECT " ASTRAGAL_HEAD_COLUMNS " FROM tournaments WHERE status = $3::smallint"
              " AND id < $1::uuid ORDER BY id DESC LIMIT $2::bigint"},
};

void AddUuid(const base::IdBytes& id, ArrayText& out) {
  id == base::IdBytes{} ? out.Null() : out.Uuid(id);
}

// $1 to $16.
Params HeadAndEntries(const TournamentHead& head, absl::Span<const TournamentEntry> entries) {
  Params params;
  params.Uuid(head.id.bytes()).Int(head.status).Int(head.version);
  head.due_at ? params.Int(head.due_at->micros) : params.Null();
  ArrayText versions, kinds, players, rounds, boards, numbers, details, bys, reasons, requests;
  ArrayText hashes, times;
  for (const TournamentEntry& entry : entries) {
    const bool asked = entry.request != base::RequestId{};
    versions.Int(entry.version);
    kinds.Int(static_cast<int>(entry.kind));
    AddUuid(entry.player.bytes(), players);
    rounds.Int(entry.round);
    boards.Int(entry.board);
    numbers.Int(entry.number);
    details.Bytea(entry.detail);
    AddUuid(entry.by.bytes(), bys);
    reasons.Text(entry.reason);
    AddUuid(entry.request.bytes, requests);
    asked ? hashes.Hash(entry.body_hash) : hashes.Null();
    times.Int(entry.at.micros);
  }
  for (ArrayText* column : {&versions, &kinds, &players, &rounds, &boards, &numbers, &details, &bys,
                            &reasons, &requests, &hashes, &times}) {
    params.Text(std::move(*column).Take());
  }
  return params;
}

TournamentHead HeadFromRow(const Rows& rows, size_t row) {
  TournamentHead head;
  head.id = rows.Uuid<TournamentId>(row, 0);
  head.name = rows.Text(row, 1);
  head.status = static_cast<uint8_t>(rows.Int(row, 2));
  head.version = static_cast<uint32_t>(rows.Int(row, 3));
  if (!rows.IsNull(row, 4)) head.due_at = rows.At(row, 4);
  head.created_by = rows.Uuid<base::PlayerId>(row, 5);
  head.created_at = rows.At(row, 6);
  return head;
}

TournamentEntry EntryFromRow(const Rows& rows, size_t row) {
  TournamentEntry entry;
  int column = 0;
  entry.version = static_cast<uint32_t>(rows.Int(row, column++));
  entry.kind = static_cast<TournamentEntryKind>(rows.Int(row, column++));
  entry.player = rows.Uuid<base::PlayerId>(row, column++);
  entry.round = static_cast<uint16_t>(rows.Int(row, column++));
  entry.board = static_cast<uint32_t>(rows.Int(row, column++));
  entry.number = rows.Int(row, column++);
  entry.detail = rows.Bytes(row, column++);
  entry.by = rows.Uuid<base::PlayerId>(row, column++);
  entry.reason = rows.Text(row, column++);
  if (!rows.IsNull(row, column)) {
    entry.request.bytes = UuidFromText(rows.Text(row, column));
    entry.body_hash = rows.Hash(row, column + 1);
  }
  entry.at = rows.At(row, column + 2);
  return entry;
}

int64_t Limited(size_t limit, size_t most) { return static_cast<int64_t>(std::min(limit, most)); }

}  // namespace

absl::StatusOr<TournamentId> PgTournamentStore::Create(const TournamentHead& head,
                                                       const TournamentEntry& first) {
  Params params = HeadAndEntries(head, {&first, 1});
  params.Text(head.name).Uuid(head.created_by.bytes()).Uuid(first.request.bytes);
  params.Hash(first.body_hash).Int(head.created_at.micros);
  const absl::StatusOr<Rows> made = pool_.Write(kStatements[kCreate], params);
  if (!made.ok()) return Public(made.status());
  if (made->Bool(0, 0)) return head.id;
  const absl::StatusOr<Rows> found = pool_.Read(
      kStatements[kFindCreated], Params().Uuid(head.created_by.bytes()).Uuid(first.request.bytes));
  if (!found.ok()) return Public(found.status());
  if (found->empty()) return Error(Reason::kInternal, "a tournament vanished");
  if (found->Hash(0, 1) != first.body_hash) {
    return Error(Reason::kRequestIdReused, "this request id was used for something else");
  }
  return found->Uuid<TournamentId>(0, 0);
}

absl::StatusOr<bool> PgTournamentStore::Append(const TournamentHead& head, uint32_t seen,
                                               absl::Span<const TournamentEntry> entries) {
  Params params = HeadAndEntries(head, entries);
  params.Int(seen);
  const absl::StatusOr<Rows> rows = pool_.Write(kStatements[kAppend], params);
  if (!rows.ok()) return Public(rows.status());
  return rows->Bool(0, 0);
}

absl::Status PgTournamentStore::Schedule(TournamentId id, uint32_t version,
                                         std::optional<base::Instant> due_at) {
  Params params;
  params.Uuid(id.bytes()).Int(version);
  due_at ? params.Int(due_at->micros) : params.Null();
  return Public(pool_.Write(kStatements[kSchedule], params).status());
}

absl::StatusOr<std::vector<TournamentId>> PgTournamentStore::TakeDue(int64_t lease_ms,
                                                                     size_t limit) {
  const absl::StatusOr<Rows> rows =
      pool_.Write(kStatements[kTakeDue], Params().Int(lease_ms).Int(Limited(limit, kMaxListed)));
  if (!rows.ok()) return Public(rows.status());
  std::vector<TournamentId> ids;
  for (size_t row = 0; row < rows->size(); ++row) ids.push_back(rows->Uuid<TournamentId>(row, 0));
  return ids;
}

absl::StatusOr<TournamentHead> PgTournamentStore::GetHead(TournamentId id) {
  const absl::StatusOr<Rows> rows = pool_.Read(kStatements[kGetHead], Params().Uuid(id.bytes()));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return Error(Reason::kNotFound, "no such tournament");
  return HeadFromRow(*rows, 0);
}

absl::StatusOr<std::vector<TournamentEntry>> PgTournamentStore::ReadLog(TournamentId id,
                                                                        uint32_t after,
                                                                        size_t limit) {
  Params params;
  params.Uuid(id.bytes()).Int(after).Int(Limited(limit, kMaxEntries));
  const absl::StatusOr<Rows> rows = pool_.Read(kStatements[kReadLog], params);
  if (!rows.ok()) return Public(rows.status());
  std::vector<TournamentEntry> entries;
  for (size_t row = 0; row < rows->size(); ++row) entries.push_back(EntryFromRow(*rows, row));
  return entries;
}

absl::StatusOr<std::vector<TournamentHead>> PgTournamentStore::List(uint8_t status,
                                                                    TournamentId before,
                                                                    size_t limit) {
  base::IdBytes highest;
  highest.fill(0xFF);
  Params params;
  params.Uuid(before.is_nil() ? highest : before.bytes()).Int(Limited(limit, kMaxListed));
  if (status != 0) params.Int(status);
  const absl::StatusOr<Rows> rows =
      pool_.Read(kStatements[status == 0 ? kListAll : kListByStatus], params);
  if (!rows.ok()) return Public(rows.status());
  std::vector<TournamentHead> heads;
  for (size_t row = 0; row < rows->size(); ++row) heads.push_back(HeadFromRow(*rows, row));
  return heads;
}

}  // namespace astragal::storage
