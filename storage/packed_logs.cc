#include "storage/packed_logs.h"

#include <algorithm>

#include "storage/failures.h"
#include "storage/sql_text.h"

namespace astragal::storage {
namespace {

constexpr Statement kRead = {"read_packed_log",
                             "SELECT log, archive FROM packed_logs WHERE game_id = $1::uuid"};

// A game that was created later than $3 has not ended before: ids say when they were made.
constexpr Statement kUnpacked = {
    "unpacked_games",
    "SELECT game_id FROM heads WHERE status IN (3, 4) AND log_form = 0"
    " AND game_id > $1::uuid AND game_id < $2::uuid AND updated_at < $3::bigint"
    " ORDER BY game_id LIMIT $4::bigint"};

// The events go only after the packed log has come: the trigger of the table sees to that.
constexpr Statement kPack = {
    "pack_log",
    "WITH ended AS (UPDATE heads SET log_form = 1 WHERE game_id = $1::uuid AND log_form = 0"
    " AND status IN (3, 4) AND sequence = $2::int RETURNING game_id),"
    " packed AS (INSERT INTO packed_logs (game_id, log) SELECT game_id, $3::bytea FROM ended"
    " RETURNING game_id),"
    " gone AS (DELETE FROM events e USING packed p WHERE e.game_id = $1::uuid"
    " AND e.game_id = p.game_id RETURNING e.sequence)"
    " SELECT count(*) FROM gone"};

constexpr Statement kArchive = {
    "archive_logs",
    "WITH archived AS (UPDATE packed_logs p SET log = NULL, archive = $2"
    " FROM unnest($1::uuid[]) AS wanted (id) WHERE p.game_id = wanted.id AND p.log IS NOT NULL"
    " RETURNING p.game_id),"
    " noted AS (UPDATE heads h SET log_form = 2 FROM archived a WHERE h.game_id = a.game_id"
    " RETURNING h.game_id)"
    " SELECT count(*) FROM noted"};

constexpr Statement kRestore = {
    "restore_log",
    "WITH restored AS (UPDATE packed_logs SET log = $2::bytea, archive = NULL"
    " WHERE game_id = $1::uuid AND log IS NULL RETURNING game_id),"
    " noted AS (UPDATE heads h SET log_form = 1 FROM restored r WHERE h.game_id = r.game_id"
    " RETURNING h.game_id)"
    " SELECT count(*) FROM noted"};

// The least id of its millisecond.
base::IdBytes FirstIdOf(base::Instant at) {
  base::IdBytes bytes{};
  const auto ms = static_cast<uint64_t>(std::max<int64_t>(at.micros / 1'000, 0));
  for (size_t i = 0; i < 6; ++i) bytes[i] = static_cast<uint8_t>(ms >> (8 * (5 - i)));
  return bytes;
}

absl::StatusOr<int64_t> CountOf(absl::StatusOr<Rows> rows) {
  if (!rows.ok()) return Public(rows.status());
  return rows->Int(0, 0);
}

}  // namespace

absl::StatusOr<std::optional<PackedLog>> PgPackedLogs::Read(base::GameId game) {
  const absl::StatusOr<Rows> rows = pool_.Read(kRead, Params().Uuid(game.bytes()));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return std::optional<PackedLog>();
  PackedLog found;
  if (!rows->IsNull(0, 0)) found.bytes = rows->Bytes(0, 0);
  if (!rows->IsNull(0, 1)) found.archive = std::string(rows->Text(0, 1));
  return std::make_optional(std::move(found));
}

absl::StatusOr<std::vector<base::GameId>> PgPackedLogs::Unpacked(base::GameId after,
                                                                 base::Instant ended_before,
                                                                 size_t limit) {
  Params params;
  params.Uuid(after.bytes()).Uuid(FirstIdOf(ended_before)).Int(ended_before.micros);
  params.Int(static_cast<int64_t>(std::min(limit, kMaxListed)));
  const absl::StatusOr<Rows> rows = pool_.Read(kUnpacked, params);
  if (!rows.ok()) return Public(rows.status());
  std::vector<base::GameId> games;
  for (size_t row = 0; row < rows->size(); ++row) {
    games.push_back(rows->Uuid<base::GameId>(row, 0));
  }
  return games;
}

absl::StatusOr<bool> PgPackedLogs::Pack(base::GameId game, uint32_t sequence,
                                        const std::string& bytes) {
  const auto gone =
      CountOf(pool_.Write(kPack, Params().Uuid(game.bytes()).Int(sequence).Bytea(bytes)));
  if (!gone.ok()) return gone.status();
  return *gone > 0;
}

absl::StatusOr<size_t> PgPackedLogs::Archive(absl::Span<const base::GameId> games,
                                             const std::string& archive) {
  ArrayText ids;
  for (const base::GameId& game : games) ids.Uuid(game.bytes());
  const auto archived =
      CountOf(pool_.Write(kArchive, Params().Text(std::move(ids).Take()).Text(archive)));
  if (!archived.ok()) return archived.status();
  return static_cast<size_t>(*archived);
}

absl::StatusOr<bool> PgPackedLogs::Restore(base::GameId game, const std::string& bytes) {
  const auto restored = CountOf(pool_.Write(kRestore, Params().Uuid(game.bytes()).Bytea(bytes)));
  if (!restored.ok()) return restored.status();
  return *restored > 0;
}

std::vector<Statement> PackedLogStatements() {
  return {kRead, kUnpacked, kPack, kArchive, kRestore};
}

}  // namespace astragal::storage
