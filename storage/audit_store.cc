#include "storage/audit_store.h"

#include <algorithm>

#include "services/base/status.h"
#include "storage/failures.h"

namespace astragal::storage {
namespace {

#define ASTRAGAL_AUDIT_COLUMNS "id, at, actor, key, request, action, subject, reason, detail"
// $1 to $9 are an entry.
#define ASTRAGAL_AUDIT_APPEND                                                         \
  "INSERT INTO audit (" ASTRAGAL_AUDIT_COLUMNS                                        \
  ") VALUES ($1::uuid, $2::bigint, $3::uuid, $4::uuid, $5::uuid, $6::text, $7::text," \
  " $8::text, $9::text) ON CONFLICT (actor, request) DO NOTHING RETURNING id"

const Statement kAppend = {
    "append_audit", "WITH made AS (" ASTRAGAL_AUDIT_APPEND ") SELECT EXISTS (SELECT FROM made)"};

const Statement kRestrict = {
    "restrict_player",
    "WITH made AS (" ASTRAGAL_AUDIT_APPEND
    "), done AS (INSERT INTO restrictions (player, kind, until, changed_at)"
    " SELECT $10::uuid, $11::smallint, $12::bigint, $2::bigint"
    " WHERE EXISTS (SELECT FROM made)"
    " ON CONFLICT (player) DO UPDATE SET kind = excluded.kind, until = excluded.until,"
    " changed_at = excluded.changed_at) SELECT EXISTS (SELECT FROM made)"};

// Whether the entry that is there already tells of the same act. A statement of its own: one that
// waited for another call's entry does not see it.
const Statement kSame = {"same_audit",
                         "SELECT EXISTS (SELECT FROM audit WHERE actor = $1::uuid"
                         " AND request = $2::uuid AND action = $3::text AND subject = $4::text"
                         " AND reason = $5::text AND detail = $6::text)"};

const Statement kList = {"list_audit",
                         "SELECT " ASTRAGAL_AUDIT_COLUMNS
                         " FROM audit WHERE id < $1::uuid AND ($2::text = '' OR subject = $2::text)"
                         " ORDER BY id DESC LIMIT $3::bigint"};

Params EntryParams(const AuditEntry& entry) {
  Params params;
  params.Uuid(entry.id).Int(entry.at.micros).Uuid(entry.actor.bytes()).Uuid(entry.key.bytes());
  params.Uuid(entry.request.bytes).Text(entry.action).Text(entry.subject).Text(entry.reason);
  params.Text(entry.detail);
  return params;
}

AuditEntry FromRow(const Rows& rows, size_t row) {
  AuditEntry entry;
  entry.id = rows.Uuid<base::PlayerId>(row, 0).bytes();
  entry.at = rows.At(row, 1);
  entry.actor = rows.Uuid<base::PlayerId>(row, 2);
  entry.key = rows.Uuid<base::KeyId>(row, 3);
  entry.request.bytes = rows.Uuid<base::PlayerId>(row, 4).bytes();
  entry.action = rows.Text(row, 5);
  entry.subject = rows.Text(row, 6);
  entry.reason = rows.Text(row, 7);
  entry.detail = rows.Text(row, 8);
  return entry;
}

// True: the row says that the entry was made. Else it was there, or REQUEST_ID_REUSED.
absl::StatusOr<bool> MadeOrSame(const absl::StatusOr<Rows>& made, const AuditEntry& entry,
                                Pool& pool) {
  if (!made.ok()) return Public(made.status());
  if (made->Bool(0, 0)) return true;
  Params params;
  params.Uuid(entry.actor.bytes()).Uuid(entry.request.bytes).Text(entry.action);
  params.Text(entry.subject).Text(entry.reason).Text(entry.detail);
  const absl::StatusOr<Rows> same = pool.Read(kSame, params);
  if (!same.ok()) return Public(same.status());
  if (same->Bool(0, 0)) return false;
  return base::Error(base::Reason::kRequestIdReused, "this request_id was used for another request")
      .With("field", "request_id");
}

}  // namespace

absl::StatusOr<bool> AuditStore::Append(const AuditEntry& entry) {
  return MadeOrSame(pool_.Write(kAppend, EntryParams(entry)), entry, pool_);
}

absl::StatusOr<std::vector<AuditEntry>> AuditStore::List(const std::string& subject,
                                                         const base::IdBytes& before,
                                                         size_t limit) {
  base::IdBytes below = before;
  if (below == base::IdBytes{}) below.fill(0xFF);
  const auto most = static_cast<int64_t>(std::min(limit, kMaxListed));
  const absl::StatusOr<Rows> rows = pool_.Read(kList, Params().Uuid(below).Text(subject).Int(most));
  if (!rows.ok()) return Public(rows.status());
  std::vector<AuditEntry> entries;
  for (size_t row = 0; row < rows->size(); ++row) entries.push_back(FromRow(*rows, row));
  return entries;
}

absl::Status AuditStore::Restrict(base::PlayerId player, uint8_t restriction,
                                  std::optional<base::Instant> until, const AuditEntry& entry) {
  Params params = EntryParams(entry);
  params.Uuid(player.bytes()).Int(restriction);
  until ? params.Int(until->micros) : params.Null();
  return MadeOrSame(pool_.Write(kRestrict, params), entry, pool_).status();
}

}  // namespace astragal::storage
