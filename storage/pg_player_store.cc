#include "storage/pg_player_store.h"

#include <algorithm>

#include "services/base/status.h"
#include "storage/failures.h"
#include "storage/player_queries.h"

namespace astragal::storage {
namespace {

using base::Error;
using base::Reason;

// Names of constraints, as in the migrations, and what their violation means to a caller.
struct Refusal {
  const char* constraint;
  Reason reason;
  const char* message;
};
constexpr Refusal kRefusals[] = {
    {"a name belongs to one player whatever its case", Reason::kAlreadyExists,
     "this name is taken"},
    {"a name has 1 to 256 bytes", Reason::kBadField, "a name has 1 to 256 bytes"},
    {"a label has at most 256 bytes", Reason::kBadField, "a label has at most 256 bytes"},
    {"a key belongs to a player", Reason::kNotFound, "there is no such player"},
};

absl::Status PublicOf(const absl::Status& status) {
  for (const Refusal& refusal : kRefusals) {
    if (Violates(status, refusal.constraint)) return Error(refusal.reason, refusal.message);
  }
  return Public(status);
}

Params AnswerParams(const Answer& answer) {
  Params params;
  params.Uuid(answer.account.bytes()).Uuid(answer.request.bytes);
  params.Hash(answer.body_hash).Bytea(answer.payload);
  return params;
}

void AddInstant(const std::optional<base::Instant>& instant, Params& params) {
  instant ? params.Int(instant->micros) : params.Null();
}

PlayerRecord PlayerFromRow(const Rows& rows, size_t row) {
  PlayerRecord player;
  player.id = rows.Uuid<base::PlayerId>(row, 0);
  player.name = rows.Text(row, 1);
  player.bot = rows.Bool(row, 2);
  player.created_at = rows.At(row, 3);
  player.version = static_cast<uint32_t>(rows.Int(row, 4));
  return player;
}

KeyRecord KeyFromRow(const Rows& rows, size_t row) {
  KeyRecord key;
  key.id = rows.Uuid<base::KeyId>(row, 0);
  key.player = rows.Uuid<base::PlayerId>(row, 1);
  key.hash = rows.Hash(row, 2);
  key.label = rows.Text(row, 3);
  key.created_at = rows.At(row, 4);
  if (!rows.IsNull(row, 5)) key.expires_at = rows.At(row, 5);
  if (!rows.IsNull(row, 6)) key.revoked_at = rows.At(row, 6);
  key.scopes = static_cast<uint32_t>(rows.Int(row, 7));
  return key;
}

KeyRecord FoundKey(const Rows& rows) {
  KeyRecord key = KeyFromRow(rows, 0);
  key.restriction = static_cast<uint8_t>(rows.Int(0, 8));
  if (!rows.IsNull(0, 9)) key.restricted_until = rows.At(0, 9);
  return key;
}

template <typename Record>
absl::StatusOr<std::vector<Record>> All(const absl::StatusOr<Rows>& rows,
                                        Record (*from_row)(const Rows&, size_t)) {
  if (!rows.ok()) return PublicOf(rows.status());
  std::vector<Record> records;
  records.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) records.push_back(from_row(*rows, row));
  return records;
}

absl::StatusOr<PlayerRecord> OnePlayer(const absl::StatusOr<Rows>& rows) {
  if (!rows.ok()) return PublicOf(rows.status());
  if (rows->empty()) return Error(Reason::kNotFound, "there is no such player");
  return PlayerFromRow(*rows, 0);
}

int64_t Limited(size_t limit) {
  return static_cast<int64_t>(std::min(limit, PgPlayerStore::kMaxListed));
}

// For mutations that either happen or are repeats.
absl::Status NeitherDoneNorRepeated(const Rows& /*rows*/) {
  return Error(Reason::kInternal, "an answer vanished while its request was repeated");
}

}  // namespace

template <typename Otherwise>
absl::StatusOr<Mutation> PgPlayerStore::Mutate(const Statement& statement, const Params& params,
                                               const Answer& answer, Otherwise otherwise) {
  absl::StatusOr<Rows> rows = pool_.Write(statement, params);
  if (!rows.ok()) return PublicOf(rows.status());
  if (rows->Bool(0, 0)) return Mutation{false, answer};
  absl::StatusOr<std::optional<Answer>> first = FindAnswer(answer.account, answer.request);
  if (!first.ok()) return first.status();
  if (first->has_value()) return Mutation{true, **first};
  return otherwise(*rows);
}

absl::StatusOr<std::optional<Answer>> PgPlayerStore::FindAnswer(base::PlayerId account,
                                                                base::RequestId request) {
  absl::StatusOr<Rows> rows =
      pool_.Read(kFindAnswer, Params().Uuid(account.bytes()).Uuid(request.bytes));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return std::optional<Answer>();
  return std::make_optional(Answer{account, request, rows->Hash(0, 0), rows->Bytes(0, 1)});
}

absl::StatusOr<Mutation> PgPlayerStore::CreatePlayer(const PlayerRecord& player,
                                                     const KeyRecord& key, const Answer& answer) {
  Params params = AnswerParams(answer);
  params.Uuid(player.id.bytes()).Text(player.name).Bool(player.bot);
  params.Int(player.created_at.micros);
  params.Uuid(key.id.bytes()).Hash(key.hash).Text(key.label).Int(key.created_at.micros);
  AddInstant(key.expires_at, params);
  params.Int(key.scopes);
  return Mutate(kCreatePlayer, params, answer, NeitherDoneNorRepeated);
}

absl::StatusOr<PlayerRecord> PgPlayerStore::GetPlayer(base::PlayerId id) {
  return OnePlayer(pool_.Read(kGetPlayer, Params().Uuid(id.bytes())));
}

absl::StatusOr<PlayerRecord> PgPlayerStore::GetPlayerByName(const std::string& name) {
  return OnePlayer(pool_.Read(kGetPlayerByName, Params().Text(name)));
}

absl::StatusOr<std::vector<PlayerRecord>> PgPlayerStore::ListPlayers(const std::string& after,
                                                                     size_t limit) {
  return All(pool_.Read(kListPlayers, Params().Text(after).Int(Limited(limit))), PlayerFromRow);
}

absl::StatusOr<std::vector<PlayerRecord>> PgPlayerStore::GetPlayers(
    const std::vector<base::PlayerId>& ids) {
  ArrayText wanted;
  for (size_t i = 0; i < ids.size() && i < kMaxListed; ++i) wanted.Uuid(ids[i].bytes());
  return All(pool_.Read(kGetPlayers, Params().Text(std::move(wanted).Take())), PlayerFromRow);
}

absl::StatusOr<Mutation> PgPlayerStore::RenamePlayer(base::PlayerId id, const std::string& name,
                                                     uint32_t expected_version,
                                                     const Answer& answer) {
  Params params = AnswerParams(answer);
  params.Uuid(id.bytes()).Text(name).Int(expected_version);
  return Mutate(kRenamePlayer, params, answer, [](const Rows& rows) -> absl::Status {
    if (rows.IsNull(0, 1)) return Error(Reason::kNotFound, "there is no such player");
    return Error(Reason::kStaleVersion, "the player changed in the meantime")
        .With("current_version", rows.Int(0, 1));
  });
}

absl::StatusOr<std::optional<KeyRecord>> PgPlayerStore::FindKey(const base::Bytes32& hash) {
  absl::StatusOr<Rows> rows = pool_.Read(kFindKey, Params().Hash(hash));
  if (!rows.ok()) return Public(rows.status());
  if (rows->empty()) return std::optional<KeyRecord>();
  return std::make_optional(FoundKey(*rows));
}

absl::StatusOr<std::vector<base::Bytes32>> PgPlayerStore::RevokedSince(base::Instant at,
                                                                       size_t limit) {
  absl::StatusOr<Rows> rows =
      pool_.Read(kRevokedSince, Params().Int(at.micros).Int(static_cast<int64_t>(limit)));
  if (!rows.ok()) return Public(rows.status());
  std::vector<base::Bytes32> hashes;
  hashes.reserve(rows->size());
  for (size_t row = 0; row < rows->size(); ++row) hashes.push_back(rows->Hash(row, 0));
  return hashes;
}

absl::StatusOr<Mutation> PgPlayerStore::CreateKey(const KeyRecord& key, const Answer& answer) {
  Params params = AnswerParams(answer);
  params.Uuid(key.id.bytes()).Uuid(key.player.bytes()).Hash(key.hash).Text(key.label);
  params.Int(key.created_at.micros);
  AddInstant(key.expires_at, params);
  params.Int(key.scopes);
  return Mutate(kCreateKey, params, answer, NeitherDoneNorRepeated);
}

absl::StatusOr<std::vector<KeyRecord>> PgPlayerStore::ListKeys(base::PlayerId player,
                                                               base::KeyId before, size_t limit) {
  base::IdBytes highest;
  highest.fill(0xFF);
  return All(pool_.Read(kListKeys, Params()
                                       .Uuid(player.bytes())
                                       .Uuid(before.is_nil() ? highest : before.bytes())
                                       .Int(Limited(limit))),
             KeyFromRow);
}

absl::StatusOr<Mutation> PgPlayerStore::RevokeKey(base::PlayerId player, base::KeyId key,
                                                  base::Instant at, const Answer& answer) {
  Params params = AnswerParams(answer);
  params.Uuid(player.bytes()).Uuid(key.bytes()).Int(at.micros);
  return Mutate(kRevokeKey, params, answer, [](const Rows& rows) -> absl::Status {
    if (!rows.Bool(0, 1)) return Error(Reason::kNotFound, "there is no such key");
    return NeitherDoneNorRepeated(rows);
  });
}

absl::StatusOr<size_t> PgPlayerStore::SweepAnswers(int64_t kept_ms) {
  absl::StatusOr<Rows> rows =
      pool_.Write(kSweepAnswers, Params().Int(kept_ms).Int(static_cast<int64_t>(kMaxSwept)));
  if (!rows.ok()) return Public(rows.status());
  return static_cast<size_t>(rows->Int(0, 0));
}

}  // namespace astragal::storage
