#include "services/core/accounts.h"

#include <algorithm>
#include <utility>

#include "services/base/bytes.h"
#include "services/base/status.h"

namespace astragal::core {
namespace {

using base::ByteReader;
using base::ByteWriter;
using base::Error;
using base::Reason;
using storage::KeyRecord;
using storage::PlayerRecord;

constexpr std::string_view kKeyPrefix = "ast_";
constexpr size_t kKeyLength = kKeyPrefix.size() + 64;

bool IsHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool LooksLikeKey(std::string_view token) {
  return token.size() == kKeyLength && token.starts_with(kKeyPrefix) &&
         std::ranges::all_of(token.substr(kKeyPrefix.size()), IsHex);
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' ||
         c == '.' || c == '_' || c == '-';
}

absl::Status CheckName(const std::string& name) {
  const bool good = !name.empty() && name.size() <= Accounts::kMaxNameLength &&
                    std::ranges::all_of(name, IsNameCharacter) && name.front() != ' ' &&
                    name.back() != ' ';
  if (good) return absl::OkStatus();
  return Error(Reason::kBadField,
               "a name is 1 to 40 letters, digits, spaces and ._- and has no space at its ends")
      .With("field", "name");
}

absl::Status CheckLabel(const std::string& label) {
  const bool good = label.size() <= Accounts::kMaxLabelLength &&
                    std::ranges::none_of(label, [](char c) { return c >= 0 && c < ' '; });
  if (good) return absl::OkStatus();
  return Error(Reason::kBadField, "a label is at most 80 bytes without control characters")
      .With("field", "label");
}

// A clock that was set back makes nothing fresh.
bool IsFresh(base::Instant asked_at, base::Instant now, int64_t for_ms) {
  return asked_at <= now && now.micros - asked_at.micros < for_ms * 1000;
}

// Answers are kept as what they said, so that a repeat says the same after later changes.
std::string Encode(const PlayerRecord& player) {
  ByteWriter out;
  out.Put(player.id.bytes()).Put(static_cast<uint8_t>(player.bot)).Put(player.created_at.micros);
  out.Put(player.version).Put(std::string_view(player.name));
  return out.Take();
}

PlayerRecord DecodePlayer(std::string_view bytes) {
  ByteReader in(bytes);
  PlayerRecord player;
  player.id = base::PlayerId(in.GetArray<16>());
  player.bot = in.Get<uint8_t>() != 0;
  player.created_at.micros = in.Get<int64_t>();
  player.version = in.Get<uint32_t>();
  player.name = std::string(bytes.substr(16 + 1 + 8 + 4));
  return player;
}

std::string Encode(const KeyRecord& key) {
  const auto micros = [](const std::optional<base::Instant>& at) { return at ? at->micros : 0; };
  ByteWriter out;
  out.Put(key.id.bytes()).Put(key.created_at.micros).Put(micros(key.expires_at));
  out.Put(micros(key.revoked_at)).Put(std::string_view(key.label));
  // Behind what no label holds: answers from before scopes end with the label.
  out.Put(uint8_t{0}).Put(static_cast<uint8_t>(key.scopes));
  return out.Take();
}

KeyRecord DecodeKey(std::string_view bytes, base::PlayerId player) {
  const auto instant = [](int64_t micros) {
    return micros == 0 ? std::nullopt : std::optional(base::Instant{micros});
  };
  ByteReader in(bytes);
  KeyRecord key;
  key.id = base::KeyId(in.GetArray<16>());
  key.player = player;
  key.created_at.micros = in.Get<int64_t>();
  key.expires_at = instant(in.Get<int64_t>());
  key.revoked_at = instant(in.Get<int64_t>());
  const std::string_view rest = bytes.substr(16 + 3 * 8);
  const size_t end = rest.find('\0');
  key.label = std::string(rest.substr(0, end));
  key.scopes = end == rest.npos ? kPlayerScopes.bits() : static_cast<uint8_t>(rest[end + 1]);
  return key;
}

storage::Answer AnswerFor(const MutationStamp& stamp, std::string payload) {
  return {stamp.account, stamp.request, stamp.body_hash, std::move(payload)};
}

// The payload of a mutation's answer, the first one if it was a repeat. REQUEST_ID_REUSED.
absl::StatusOr<std::string> PayloadOf(const absl::StatusOr<storage::Mutation>& mutation,
                                      const MutationStamp& stamp) {
  if (!mutation.ok()) return mutation.status();
  if (mutation->repeated && mutation->answer.body_hash != stamp.body_hash) return RequestReused();
  return mutation->answer.payload;
}

}  // namespace

absl::Status RequestReused() {
  return Error(Reason::kRequestIdReused, "this request_id was used for another request")
      .With("field", "request_id");
}

absl::StatusOr<Identity> Accounts::Authenticate(std::string_view token) {
  if (token.empty()) {
    return Error(Reason::kTokenMissing, "this call needs metadata `authorization: Bearer KEY`");
  }
  if (const std::optional<Identity> cached = Cached(token)) return *cached;
  // Before the question: a key that is revoked while the answer travels is trusted no longer for
  // it.
  const base::Instant asked_at = clock_.Now();
  const absl::StatusOr<KeyRecord> key = FindKey(token);
  if (!key.ok()) return key.status();
  Identity identity{key->player, key->id, Scopes(key->scopes),
                    static_cast<Restriction>(key->restriction), key->restricted_until};
  if (identity.restricted_until && *identity.restricted_until <= asked_at) {
    identity.restriction = Restriction::kNone;
    identity.restricted_until.reset();
  }
  Remember(key->hash, {identity, asked_at, key->expires_at});
  return identity;
}

absl::StatusOr<KeyRecord> Accounts::FindKey(std::string_view token) {
  const absl::Status invalid = Error(Reason::kTokenInvalid, "this key is not known");
  if (!LooksLikeKey(token)) return invalid;
  const absl::StatusOr<std::optional<KeyRecord>> key = store_.FindKey(base::Sha256(token));
  if (!key.ok()) return key.status();
  if (!*key || (*key)->revoked_at) return invalid;
  if ((*key)->expires_at && *(*key)->expires_at <= clock_.Now()) {
    return Error(Reason::kTokenExpired, "this key has expired");
  }
  return **key;
}

std::optional<Identity> Accounts::Cached(std::string_view token) const {
  if (!LooksLikeKey(token)) return std::nullopt;
  const base::Bytes32 hash = base::Sha256(token);
  const base::Instant now = clock_.Now();
  const base::MutexLock lock(mutex_);
  const auto found = identities_.find(hash);
  if (found == identities_.end()) return std::nullopt;
  const CachedIdentity& cached = found->second;
  if (!IsFresh(std::max(cached.asked_at, heard_at_), now, kIdentityFreshMs)) return std::nullopt;
  if (cached.expires_at && *cached.expires_at <= now) return std::nullopt;
  const std::optional<base::Instant>& until = cached.identity.restricted_until;
  if (until && *until <= now) return std::nullopt;
  return cached.identity;
}

bool Accounts::ForgetRevoked() {
  const base::Instant asked_at = clock_.Now();
  const absl::StatusOr<std::vector<base::Bytes32>> revoked =
      store_.RevokedSince({asked_at.micros - kLookBackMs * 1000}, kMaxRevoked);
  if (!revoked.ok()) return false;
  const base::MutexLock lock(mutex_);
  // Half: what was revoked shortly before the last question may have become visible after it.
  const bool gap = !IsFresh(heard_at_, asked_at, kLookBackMs / 2);
  const size_t before = identities_.size();
  if (gap || revoked->size() >= kMaxRevoked) identities_.clear();
  for (const base::Bytes32& hash : *revoked) identities_.erase(hash);
  // Keys end with accounts that are erased, and then the name is to be seen no more.
  if (gap || !revoked->empty()) names_.clear();
  heard_at_ = asked_at;
  return identities_.size() < before;
}

void Accounts::Remember(const base::Bytes32& hash, const CachedIdentity& cached) {
  const base::MutexLock lock(mutex_);
  // Starting over costs one read for each active key.
  if (identities_.size() >= kMaxCached) identities_.clear();
  identities_[hash] = cached;
}

Accounts::FreshKey Accounts::MakeKey(base::PlayerId player, const std::string& label) {
  base::Bytes32 secret{};
  random_.Fill(secret);
  FreshKey key;
  key.text = std::string(kKeyPrefix) + base::Hex(base::AsView(secret));
  key.record.created_at = clock_.Now();
  key.record.id = base::KeyId::Make(key.record.created_at, random_);
  key.record.player = player;
  key.record.hash = base::Sha256(key.text);
  key.record.label = label;
  key.record.scopes = kPlayerScopes.bits();
  return key;
}

absl::StatusOr<PlayerRecord> Accounts::MakePlayer(const std::string& name, bool bot) {
  if (absl::Status bad = CheckName(name); !bad.ok()) return bad;
  PlayerRecord player;
  player.created_at = clock_.Now();
  player.id = base::PlayerId::Make(player.created_at, random_);
  player.name = name;
  player.bot = bot;
  return player;
}

absl::StatusOr<Accounts::NewPlayer> Accounts::CreatePlayer(const std::string& name, bool bot,
                                                           const MutationStamp& stamp) {
  const absl::StatusOr<PlayerRecord> player = MakePlayer(name, bot);
  if (!player.ok()) return player.status();
  const FreshKey key = MakeKey(player->id, "first key");
  const absl::StatusOr<storage::Mutation> mutation =
      store_.CreatePlayer(*player, key.record, AnswerFor(stamp, Encode(*player)));
  const absl::StatusOr<std::string> payload = PayloadOf(mutation, stamp);
  if (!payload.ok()) return payload.status();
  return NewPlayer{DecodePlayer(*payload), mutation->repeated ? "" : key.text};
}

absl::StatusOr<PlayerRecord> Accounts::GetPlayer(base::PlayerId id) { return store_.GetPlayer(id); }

absl::StatusOr<PlayerRecord> Accounts::GetPlayerByName(const std::string& name) {
  if (absl::Status bad = CheckName(name); !bad.ok()) return bad;
  return store_.GetPlayerByName(name);
}

absl::StatusOr<std::vector<PlayerRecord>> Accounts::ListPlayers(const std::string& after,
                                                                size_t limit) {
  return store_.ListPlayers(after, limit);
}

absl::StatusOr<PlayerRecord> Accounts::Rename(const std::string& name, uint32_t expected_version,
                                              const MutationStamp& stamp) {
  if (absl::Status bad = CheckName(name); !bad.ok()) return bad;
  absl::StatusOr<PlayerRecord> player = store_.GetPlayer(stamp.account);
  if (!player.ok()) return player.status();
  player->name = name;
  player->version = expected_version + 1;
  const absl::StatusOr<std::string> payload = PayloadOf(
      store_.RenamePlayer(stamp.account, name, expected_version, AnswerFor(stamp, Encode(*player))),
      stamp);
  if (!payload.ok()) return payload.status();
  const base::MutexLock lock(mutex_);
  names_.erase(stamp.account);
  return DecodePlayer(*payload);
}

absl::StatusOr<absl::flat_hash_map<base::PlayerId, std::string>> Accounts::Names(
    const std::vector<base::PlayerId>& ids) {
  absl::flat_hash_map<base::PlayerId, std::string> names;
  std::vector<base::PlayerId> unknown;
  const base::Instant now = clock_.Now();
  {
    const base::MutexLock lock(mutex_);
    for (const base::PlayerId& id : ids) {
      if (id.is_nil()) continue;
      const auto found = names_.find(id);
      if (found == names_.end() || !IsFresh(found->second.asked_at, now, kNameFreshMs)) {
        unknown.push_back(id);
      } else {
        names.emplace(id, found->second.name);
      }
    }
  }
  if (unknown.empty()) return names;
  const absl::StatusOr<std::vector<PlayerRecord>> players = store_.GetPlayers(unknown);
  if (!players.ok()) return players.status();
  const base::MutexLock lock(mutex_);
  if (names_.size() + players->size() > kMaxCached) names_.clear();
  for (const PlayerRecord& player : *players) {
    names_[player.id] = {player.name, now};
    names[player.id] = player.name;
  }
  return names;
}

absl::StatusOr<Accounts::NewKey> Accounts::CreateKey(const KeyTerms& terms,
                                                     const MutationStamp& stamp) {
  if (absl::Status bad = CheckLabel(terms.label); !bad.ok()) return bad;
  FreshKey key = MakeKey(terms.player, terms.label);
  key.record.expires_at = terms.expires_at;
  key.record.scopes = terms.scopes.bits();
  if (terms.expires_at && *terms.expires_at <= key.record.created_at) {
    return Error(Reason::kBadField, "a key cannot expire in the past").With("field", "expire_time");
  }
  const absl::StatusOr<storage::Mutation> mutation =
      store_.CreateKey(key.record, AnswerFor(stamp, Encode(key.record)));
  const absl::StatusOr<std::string> payload = PayloadOf(mutation, stamp);
  if (!payload.ok()) return payload.status();
  return NewKey{DecodeKey(*payload, terms.player), mutation->repeated ? "" : key.text};
}

absl::StatusOr<std::vector<KeyRecord>> Accounts::ListKeys(base::PlayerId player, base::KeyId before,
                                                          size_t limit) {
  return store_.ListKeys(player, before, limit);
}

// The key as it is stored, so that the answer of a revocation tells all of it.
absl::StatusOr<KeyRecord> Accounts::KeyById(base::PlayerId player, base::KeyId id) {
  base::IdBytes above = id.bytes();
  for (size_t i = above.size(); i > 0 && ++above[i - 1] == 0; --i) {
  }
  absl::StatusOr<std::vector<KeyRecord>> keys = store_.ListKeys(player, base::KeyId(above), 1);
  if (!keys.ok()) return keys.status();
  if (keys->empty() || keys->front().id != id) {
    return Error(Reason::kNotFound, "this player has no such key").With("field", "key_id");
  }
  return std::move(keys->front());
}

absl::StatusOr<KeyRecord> Accounts::RevokeKey(base::PlayerId player, base::KeyId key,
                                              const MutationStamp& stamp) {
  absl::StatusOr<KeyRecord> stored = KeyById(player, key);
  if (!stored.ok()) return stored.status();
  KeyRecord record = *std::move(stored);
  const base::Instant now = clock_.Now();
  if (!record.revoked_at) record.revoked_at = now;
  const absl::StatusOr<std::string> payload =
      PayloadOf(store_.RevokeKey(player, key, now, AnswerFor(stamp, Encode(record))), stamp);
  if (!payload.ok()) return payload.status();
  const base::MutexLock lock(mutex_);
  absl::erase_if(identities_, [&](const auto& item) { return item.second.identity.key == key; });
  return DecodeKey(*payload, player);
}

}  // namespace astragal::core
