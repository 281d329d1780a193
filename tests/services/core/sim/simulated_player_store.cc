#include "tests/services/core/sim/simulated_player_store.h"

#include <cctype>
#include <utility>

#include "services/base/status.h"

namespace astragal::tests {

using base::Error;
using base::Reason;

namespace {

absl::Status Away() { return Error(Reason::kStoreUnavailable, "the simulated database is away"); }
absl::Status Missing() { return Error(Reason::kNotFound, "there is none"); }
absl::Status Taken() {
  return Error(Reason::kAlreadyExists, "the name is taken").With("field", "name");
}

std::string Lower(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace

std::optional<storage::Mutation> SimulatedPlayerStore::Repeated(const Answer& answer) const {
  const auto found = answers_.find({answer.account, answer.request.bytes});
  if (found == answers_.end()) return std::nullopt;
  return Mutation{true, found->second};
}

storage::Mutation SimulatedPlayerStore::Keep(const Answer& answer) {
  answers_[{answer.account, answer.request.bytes}] = answer;
  return {false, answer};
}

auto SimulatedPlayerStore::CreatePlayer(const PlayerRecord& player, const KeyRecord& key,
                                        const Answer& answer) -> Or<Mutation> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  if (auto repeated = Repeated(answer)) return *repeated;
  if (!by_name_.emplace(Lower(player.name), player.id).second) return Taken();
  players_[player.id] = player;
  keys_[key.id] = key;
  return Keep(answer);
}

auto SimulatedPlayerStore::GetPlayer(base::PlayerId id) -> Or<PlayerRecord> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  const auto found = players_.find(id);
  if (found == players_.end()) return Missing();
  return found->second;
}

auto SimulatedPlayerStore::GetPlayerByName(const std::string& name) -> Or<PlayerRecord> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  const auto found = by_name_.find(Lower(name));
  if (found == by_name_.end()) return Missing();
  return players_.at(found->second);
}

auto SimulatedPlayerStore::ListPlayers(const std::string& after, size_t limit)
    -> Or<std::vector<PlayerRecord>> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  std::vector<PlayerRecord> players;
  for (auto item = by_name_.upper_bound(Lower(after)); item != by_name_.end(); ++item) {
    if (players.size() < limit) players.push_back(players_.at(item->second));
  }
  return players;
}

auto SimulatedPlayerStore::GetPlayers(const std::vector<base::PlayerId>& ids)
    -> Or<std::vector<PlayerRecord>> {
  const std::lock_guard lock(mutex_);
  ++reads;
  if (away_) return Away();
  std::vector<PlayerRecord> players;
  for (const base::PlayerId& id : ids) {
    const auto found = players_.find(id);
    if (found != players_.end()) players.push_back(found->second);
  }
  return players;
}

auto SimulatedPlayerStore::RenamePlayer(base::PlayerId id, const std::string& name,
                                        uint32_t expected_version, const Answer& answer)
    -> Or<Mutation> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  if (auto repeated = Repeated(answer)) return *repeated;
  const auto found = players_.find(id);
  if (found == players_.end()) return Missing();
  if (found->second.version != expected_version) {
    return Error(Reason::kStaleVersion, "renamed meanwhile")
        .With("current_version", found->second.version);
  }
  const auto holder = by_name_.find(Lower(name));
  if (holder != by_name_.end() && holder->second != id) return Taken();
  by_name_.erase(Lower(found->second.name));
  by_name_[Lower(name)] = id;
  found->second.name = name;
  ++found->second.version;
  return Keep(answer);
}

auto SimulatedPlayerStore::RevokedSince(base::Instant at, size_t limit)
    -> Or<std::vector<base::Bytes32>> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  std::vector<base::Bytes32> hashes;
  for (const auto& [id, key] : keys_) {
    if (key.revoked_at && *key.revoked_at >= at && hashes.size() < limit) {
      hashes.push_back(key.hash);
    }
  }
  return hashes;
}

auto SimulatedPlayerStore::FindKey(const base::Bytes32& hash) -> Or<std::optional<KeyRecord>> {
  std::optional<KeyRecord> found;
  {
    const std::lock_guard lock(mutex_);
    ++reads;
    if (away_) return Away();
    for (const auto& [id, key] : keys_) {
      if (key.hash == hash) found = key;
    }
  }
  // A copy: a hook may take itself away.
  if (const auto hook = after_find_key) hook();
  return found;
}

auto SimulatedPlayerStore::CreateKey(const KeyRecord& key, const Answer& answer) -> Or<Mutation> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  if (auto repeated = Repeated(answer)) return *repeated;
  keys_[key.id] = key;
  return Keep(answer);
}

auto SimulatedPlayerStore::ListKeys(base::PlayerId player, base::KeyId before, size_t limit)
    -> Or<std::vector<KeyRecord>> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  std::vector<KeyRecord> keys;
  for (auto item = keys_.rbegin(); item != keys_.rend(); ++item) {
    if (keys.size() >= limit || (!before.is_nil() && item->first >= before)) continue;
    if (item->second.player == player) keys.push_back(item->second);
  }
  return keys;
}

auto SimulatedPlayerStore::RevokeKey(base::PlayerId player, base::KeyId key, base::Instant at,
                                     const Answer& answer) -> Or<Mutation> {
  const std::lock_guard lock(mutex_);
  if (away_) return Away();
  if (auto repeated = Repeated(answer)) return *repeated;
  const auto found = keys_.find(key);
  if (found == keys_.end() || found->second.player != player) return Missing();
  if (!found->second.revoked_at) found->second.revoked_at = at;
  return Keep(answer);
}

std::string SimulatedPlayerStore::Dump() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const auto& [id, player] : players_) text += player.name;
  for (const auto& [id, key] : keys_) text += key.label + std::string(base::AsView(key.hash));
  for (const auto& [id, answer] : answers_) text += answer.payload;
  return text;
}

}  // namespace astragal::tests
