#include "storage/sign_in_store.h"

#include "services/base/status.h"
#include "storage/failures.h"

namespace astragal::storage {
namespace {

const Statement kFind = {"find_sign_in",
                         "SELECT player FROM sign_ins WHERE issuer = $1::text AND subject = "
                         "$2::text"};

const Statement kCreate = {"create_sign_in",
                           "WITH made AS (INSERT INTO players (id, name, bot, created_at, version)"
                           " VALUES ($3::uuid, $4::text, $5::bool, $6::bigint, 1) RETURNING id)"
                           " INSERT INTO sign_ins (issuer, subject, player, created_at)"
                           " SELECT $1::text, $2::text, id, $6::bigint FROM made"};

}  // namespace

absl::StatusOr<std::optional<base::PlayerId>> SignInStore::Find(const std::string& issuer,
                                                                const std::string& subject) {
  const absl::StatusOr<Rows> rows = pool_.Read(kFind, Params().Text(issuer).Text(subject));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return std::optional<base::PlayerId>();
  return std::make_optional(rows->Uuid<base::PlayerId>(0, 0));
}

absl::StatusOr<bool> SignInStore::Create(const std::string& issuer, const std::string& subject,
                                         const PlayerRecord& player) {
  Params params;
  params.Text(issuer).Text(subject).Uuid(player.id.bytes()).Text(player.name).Bool(player.bot);
  params.Int(player.created_at.micros);
  const absl::Status done = pool_.Write(kCreate, params).status();
  if (done.ok()) return true;
  if (Violates(done, "a person of an issuer is one player")) return false;
  if (Violates(done, "a name belongs to one player whatever its case")) {
    return base::Error(base::Reason::kAlreadyExists, "this name is taken").With("field", "name");
  }
  return Public(done);
}

}  // namespace astragal::storage
