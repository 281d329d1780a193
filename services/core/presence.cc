#include "services/core/presence.h"

#include <algorithm>
#include <utility>

namespace astragal::core {

Attendance::~Attendance() { presence_.Leave(game_, player_); }

std::unique_ptr<Attendance> Presence::Attend(GameId game, PlayerId player,
                                             std::weak_ptr<PresenceViewer> viewer) {
  Viewers told;
  {
    const base::MutexLock lock(mutex_);
    Game& attended = games_[game];
    ++attended.connections;
    // Now and then, so that attaching costs the same however many are there.
    if (attended.viewers.size() > 2 * attended.connections) {
      std::erase_if(attended.viewers, [](const auto& weak) { return weak.expired(); });
    }
    attended.viewers.push_back(std::move(viewer));
    if (!player.is_nil()) ++attended.own[player].connections;
    told = Renew(attended);
  }
  Tell(told);
  return std::make_unique<Attendance>(*this, game, player);
}

void Presence::Leave(GameId game, PlayerId player) {
  const base::MutexLock lock(mutex_);
  const auto found = games_.find(game);
  if (found == games_.end()) return;
  --found->second.connections;
  const auto own = found->second.own.find(player);
  if (own == found->second.own.end()) return;
  if (--own->second.connections == 0) own->second.left_at = clock_.Now();
}

std::vector<PlayerId> Presence::PresentIn(const Game& game) {
  std::set<PlayerId> present = game.elsewhere;
  for (const auto& [player, own] : game.own) present.insert(player);
  return {present.begin(), present.end()};
}

Presence::Viewers Presence::Renew(Game& game) {
  std::vector<PlayerId> present = PresentIn(game);
  Viewers viewers;
  if (present == game.present) return viewers;
  game.present = std::move(present);
  for (const std::weak_ptr<PresenceViewer>& weak : game.viewers) {
    if (std::shared_ptr<PresenceViewer> viewer = weak.lock()) viewers.push_back(std::move(viewer));
  }
  return viewers;
}

void Presence::Tell(const Viewers& viewers) {
  for (const std::shared_ptr<PresenceViewer>& viewer : viewers) viewer->OnPresence();
}

std::vector<PlayerId> Presence::Known(GameId game) const {
  const base::MutexLock lock(mutex_);
  const auto found = games_.find(game);
  return found == games_.end() ? std::vector<PlayerId>() : found->second.present;
}

absl::StatusOr<std::vector<PlayerId>> Presence::Of(GameId game) {
  {
    const base::MutexLock lock(mutex_);
    const auto found = games_.find(game);
    if (found != games_.end() && found->second.connections > 0) return found->second.present;
  }
  const auto rows = store_.Read({&game, 1});
  if (!rows.ok()) return rows.status();
  std::set<PlayerId> present;
  for (const storage::AttendeeRow& row : *rows) present.insert(row.attendee.player);
  return std::vector<PlayerId>(present.begin(), present.end());
}

Presence::Viewers Presence::EndLingering(std::vector<Attendee>& came, std::vector<Attendee>& went) {
  Viewers told;
  const base::Instant now = clock_.Now();
  absl::erase_if(games_, [&](auto& item) {
    Game& game = item.second;
    std::erase_if(game.own, [&](const auto& entry) {
      const auto& [player, own] = entry;
      const bool lingers = now.micros - own.left_at.micros < kLingerMs * 1'000;
      if (own.connections > 0 || lingers) {
        if (!own.written) came.push_back({item.first, player});
        return false;
      }
      went.push_back({item.first, player});
      return true;
    });
    for (auto& viewer : Renew(game)) told.push_back(std::move(viewer));
    return game.connections == 0 && game.own.empty();
  });
  return told;
}

void Presence::Write() {
  std::vector<Attendee> came, went;
  Viewers told;
  {
    const base::MutexLock lock(mutex_);
    told = EndLingering(came, went);
  }
  Tell(told);
  // What could not be written is written with the next look, unless its player has come back.
  unwritten_ends_.insert(went.begin(), went.end());
  for (const Attendee& attendee : came) unwritten_ends_.erase(attendee);
  std::ranges::sort(came);
  const size_t some = std::min(came.size(), storage::PresenceStore::kMaxAsked);
  const size_t others = std::min(unwritten_ends_.size(), storage::PresenceStore::kMaxAsked);
  came.resize(some);
  went.assign(unwritten_ends_.begin(), std::next(unwritten_ends_.begin(), ptrdiff_t(others)));
  if (came.empty() && went.empty()) return;
  if (!store_.Write(came, went).ok()) return;
  for (const Attendee& attendee : went) unwritten_ends_.erase(attendee);
  const base::MutexLock lock(mutex_);
  for (const Attendee& attendee : came) {
    const auto game = games_.find(attendee.game);
    if (game == games_.end()) continue;
    const auto own = game->second.own.find(attendee.player);
    if (own != game->second.own.end()) own->second.written = true;
  }
}

void Presence::Read() {
  std::vector<GameId> games;
  {
    const base::MutexLock lock(mutex_);
    for (const auto& [id, game] : games_) games.push_back(id);
  }
  std::ranges::sort(games);  // a hash map's order differs from run to run, a simulation's may not
  constexpr size_t kPart = storage::PresenceStore::kMaxAsked;
  for (size_t from = 0; from < games.size(); from += kPart) {
    const size_t to = std::min(games.size(), from + kPart);
    const std::vector<GameId> part(games.begin() + ptrdiff_t(from), games.begin() + ptrdiff_t(to));
    const auto rows = store_.Read(part);
    if (!rows.ok()) return;  // the next look asks again
    Tell(Learn(part, *rows));
  }
}

// Players who are connected through this node and have no row were forgotten by a crash of the
// database: they are written again.
Presence::Viewers Presence::Learn(const std::vector<GameId>& games,
                                  const std::vector<storage::AttendeeRow>& rows) {
  std::map<GameId, std::set<PlayerId>> elsewhere;
  std::set<Attendee> written;
  for (const storage::AttendeeRow& row : rows) {
    if (row.own) {
      written.insert(row.attendee);
    } else {
      elsewhere[row.attendee.game].insert(row.attendee.player);
    }
  }
  Viewers told;
  const base::MutexLock lock(mutex_);
  for (const GameId& id : games) {
    const auto found = games_.find(id);
    if (found == games_.end()) continue;
    Game& game = found->second;
    game.elsewhere = std::move(elsewhere[id]);
    for (auto& [player, own] : game.own)
      own.written = own.written && written.contains({id, player});
    for (auto& viewer : Renew(game)) told.push_back(std::move(viewer));
  }
  return told;
}

void Presence::Poll() {
  const base::MutexLock one_at_a_time(poll_mutex_);
  Write();
  Read();
  const base::Instant now = clock_.Now();
  if (now.micros - swept_at_.micros < kSweepEveryMs * 1'000) return;
  if (store_.Sweep().ok()) swept_at_ = now;
}

void Presence::PollForEver() {
  scheduler_.PostAfter(kPollMs, [this] {
    Poll();
    PollForEver();
  });
}

}  // namespace astragal::core
