#include "services/core/affairs.h"

#include <algorithm>
#include <set>
#include <utility>

#include "services/base/status.h"
#include "services/core/lobby.h"
#include "services/core/replay.h"

namespace astragal::core {
namespace {

using storage::AffairStore;

// What a look found of one player.
struct Found {
  std::vector<storage::GameMark> games;
  std::vector<storage::ProposalMark> proposals;
  std::vector<storage::RatingNews> ratings;
};

using GamesById = absl::flat_hash_map<GameId, GameAffairPtr>;
using ProposalsById = absl::flat_hash_map<ProposalId, ProposalPtr>;

const GameAffairPtr* FindGame(const std::vector<GameAffairPtr>& games, GameId id) {
  const auto found = std::ranges::find(games, id, [](const auto& game) { return game->game.id; });
  return found == games.end() ? nullptr : &*found;
}

const ProposalPtr* FindProposal(const std::vector<ProposalPtr>& proposals, ProposalId id) {
  const auto found = std::ranges::find(proposals, id, [](const auto& p) { return p->record.id; });
  return found == proposals.end() ? nullptr : &*found;
}

bool HasMark(const Found& found, GameId id) {
  return std::ranges::any_of(found.games, [&](const auto& mark) { return mark.game == id; });
}

bool HasProposal(const Found& found, ProposalId id) {
  return std::ranges::any_of(found.proposals,
                             [&](const auto& mark) { return mark.proposal == id; });
}

// What has to be read, because it is not as the picture shows it.
void AddChanged(const AffairPicture& picture, const Found& found, std::set<GameId>& games,
                std::set<ProposalId>& proposals) {
  for (const storage::GameMark& mark : found.games) {
    const GameAffairPtr* known = FindGame(picture.games, mark.game);
    if (known == nullptr) known = FindGame(picture.past_games, mark.game);
    if (known == nullptr || (*known)->game.sequence != mark.sequence) games.insert(mark.game);
  }
  for (const GameAffairPtr& game : picture.games) {
    if (!HasMark(found, game->game.id)) games.insert(game->game.id);
  }
  for (const storage::ProposalMark& mark : found.proposals) {
    const bool shown = FindProposal(picture.proposals, mark.proposal) != nullptr;
    const bool past = FindProposal(picture.past_proposals, mark.proposal) != nullptr;
    if (shown ? !mark.open : !past) proposals.insert(mark.proposal);
  }
  for (const ProposalPtr& proposal : picture.proposals) {
    if (!HasProposal(found, proposal->record.id)) proposals.insert(proposal->record.id);
  }
}

template <typename T>
void Remember(std::vector<T>& past, T item) {
  past.push_back(std::move(item));
  if (past.size() > Affairs::kMaxPast) past.erase(past.begin());
}

// A game that has gone on since the marks were taken is shown as it was read, and one that has
// ended since then is past.
void DrawGames(PlayerId player, const AffairPicture& before, const Found& found,
               const GamesById& read, AffairPicture& after) {
  for (const storage::GameMark& mark : found.games) {
    const auto fresh = read.find(mark.game);
    const GameAffairPtr* known = FindGame(before.games, mark.game);
    if (fresh != read.end()) {
      const bool is_in = !fresh->second->IsOver() && fresh->second->SeatOf(player).has_value();
      if (is_in) after.games.push_back(fresh->second);
    } else if (known != nullptr) {
      after.games.push_back(*known);
    }
  }
  std::ranges::sort(after.games, std::greater(), [](const auto& game) { return game->game.id; });
  for (const GameAffairPtr& game : before.games) {
    if (FindGame(after.games, game->game.id) != nullptr) continue;
    const auto fresh = read.find(game->game.id);
    if (fresh != read.end()) Remember(after.past_games, fresh->second);
  }
  // Begun and ended between two looks.
  for (const storage::GameMark& mark : found.games) {
    const auto fresh = read.find(mark.game);
    const bool is_new = fresh != read.end() && FindGame(before.games, mark.game) == nullptr;
    if (is_new && fresh->second->IsOver()) Remember(after.past_games, fresh->second);
  }
}

void DrawProposals(const AffairPicture& before, const Found& found, const ProposalsById& read,
                   AffairPicture& after) {
  for (const storage::ProposalMark& mark : found.proposals) {
    const auto fresh = read.find(mark.proposal);
    const ProposalPtr* known = FindProposal(before.proposals, mark.proposal);
    const bool is_open =
        fresh != read.end() && fresh->second->record.state == storage::ProposalState::kOpen;
    if (is_open || (fresh == read.end() && known != nullptr)) {
      after.proposals.push_back(is_open ? fresh->second : *known);
    }
  }
  std::ranges::sort(after.proposals, std::greater(), [](const auto& p) { return p->record.id; });
  for (const ProposalPtr& proposal : before.proposals) {
    if (FindProposal(after.proposals, proposal->record.id) != nullptr) continue;
    const auto fresh = read.find(proposal->record.id);
    if (fresh != read.end()) Remember(after.past_proposals, fresh->second);
  }
  // Made and ended between two looks.
  for (const storage::ProposalMark& mark : found.proposals) {
    const auto fresh = read.find(mark.proposal);
    const bool is_new =
        fresh != read.end() && FindProposal(before.proposals, mark.proposal) == nullptr;
    const bool is_open = is_new && FindProposal(after.proposals, mark.proposal) != nullptr;
    if (is_new && !is_open) Remember(after.past_proposals, fresh->second);
  }
}

bool SamePicture(const AffairPicture& one, const AffairPicture& other) {
  return one.games == other.games && one.proposals == other.proposals &&
         one.past_games == other.past_games && one.past_proposals == other.past_proposals &&
         one.ratings == other.ratings;
}

absl::StatusOr<std::vector<Found>> Ask(AffairStore& store, const std::vector<PlayerId>& players,
                                       Instant now) {
  const Instant since{now.micros - Affairs::kRecentMs * 1'000};
  const auto games = store.GamesOf(players, Affairs::kMaxGames, since);
  if (!games.ok()) return games.status();
  const auto proposals = store.ProposalsOf(players, Affairs::kMaxProposals, since);
  if (!proposals.ok()) return proposals.status();
  const Instant told{now.micros - Affairs::kRatingNewsMs * 1'000};
  const auto ratings = store.RatingNewsOf(players, Affairs::kMaxRatingNews, told);
  if (!ratings.ok()) return ratings.status();
  std::vector<Found> found(players.size());
  for (const storage::GameMark& mark : *games) {
    if (mark.player < found.size() && !HasMark(found[mark.player], mark.game)) {
      found[mark.player].games.push_back(mark);
    }
  }
  for (const storage::ProposalMark& mark : *proposals) {
    if (mark.player < found.size()) found[mark.player].proposals.push_back(mark);
  }
  for (const storage::RatingNews& news : *ratings) {
    if (news.player >= found.size()) continue;
    found[news.player].ratings.push_back(news);
    // Where in the question he stood says nothing about it.
    found[news.player].ratings.back().player = 0;
  }
  return found;
}

template <typename Id, typename Read>
absl::Status InParts(const std::set<Id>& ids, Read read) {
  const std::vector<Id> all(ids.begin(), ids.end());
  for (size_t from = 0; from < all.size(); from += AffairStore::kMaxAsked) {
    const size_t to = std::min(all.size(), from + AffairStore::kMaxAsked);
    const absl::Status status = read(std::vector<Id>(all.begin() + static_cast<ptrdiff_t>(from),
                                                     all.begin() + static_cast<ptrdiff_t>(to)));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Games whose ruleset is not loaded here, or that make no sense, are left out: they cannot be
// played here either.
absl::StatusOr<GamesById> ReadGames(const World& world, AffairStore& store,
                                    const std::set<GameId>& ids) {
  GamesById games;
  const absl::Status status = InParts(ids, [&](const std::vector<GameId>& part) -> absl::Status {
    const auto stored = store.LoadGames(part);
    if (!stored.ok()) return stored.status();
    for (const storage::StoredGame& game : *stored) {
      const auto ruleset = RulesetOf(world.catalog, game.facts);
      if (!ruleset.ok()) continue;
      absl::StatusOr<GameAffair> affair = AffairOf(**ruleset, game);
      if (!affair.ok()) continue;
      games[game.facts.id] = std::make_shared<const GameAffair>(*std::move(affair));
    }
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return games;
}

absl::StatusOr<ProposalsById> ReadProposals(const base::Clock& clock, storage::LobbyStore& lobby,
                                            const std::set<ProposalId>& ids) {
  ProposalsById proposals;
  const auto read = [&](const std::vector<ProposalId>& part) -> absl::Status {
    auto records = lobby.GetProposals(part);
    if (!records.ok()) return records.status();
    for (storage::ProposalRecord& record : *records) {
      const bool is_late = record.expires_at <= clock.Now();
      if (record.state == storage::ProposalState::kOpen && is_late) {
        record.state = storage::ProposalState::kExpired;  // before anybody marks it so
      }
      const ProposalId id = record.id;
      absl::StatusOr<Proposal> proposal = ReadProposal(std::move(record));
      if (proposal.ok()) proposals[id] = std::make_shared<const Proposal>(*std::move(proposal));
    }
    return absl::OkStatus();
  };
  if (const absl::Status status = InParts(ids, read); !status.ok()) return status;
  return proposals;
}

}  // namespace

// At most AffairStore::kMaxAsked of them. A picture that has not changed comes back itself.
absl::StatusOr<std::vector<AffairPicturePtr>> Affairs::Draw(const std::vector<Known>& known) {
  std::vector<PlayerId> players;
  for (const Known& one : known) players.push_back(one.player);
  const absl::StatusOr<std::vector<Found>> found = Ask(store_, players, world_.clock.Now());
  if (!found.ok()) return found.status();
  std::set<GameId> changed_games;
  std::set<ProposalId> changed_proposals;
  for (size_t i = 0; i < known.size(); ++i) {
    AddChanged(*known[i].picture, (*found)[i], changed_games, changed_proposals);
  }
  const absl::StatusOr<GamesById> games = ReadGames(world_, store_, changed_games);
  if (!games.ok()) return games.status();
  const absl::StatusOr<ProposalsById> proposals =
      ReadProposals(world_.clock, lobby_, changed_proposals);
  if (!proposals.ok()) return proposals.status();
  std::vector<AffairPicturePtr> drawn;
  for (size_t i = 0; i < known.size(); ++i) {
    const AffairPicture& before = *known[i].picture;
    AffairPicture after;
    after.past_games = before.past_games;
    after.past_proposals = before.past_proposals;
    DrawGames(known[i].player, before, (*found)[i], *games, after);
    DrawProposals(before, (*found)[i], *proposals, after);
    after.ratings = (*found)[i].ratings;
    drawn.push_back(SamePicture(before, after)
                        ? known[i].picture
                        : std::make_shared<const AffairPicture>(std::move(after)));
  }
  return drawn;
}

absl::StatusOr<AffairPicturePtr> Affairs::Subscribe(PlayerId player,
                                                    std::weak_ptr<AffairViewer> viewer) {
  {
    const base::MutexLock lock(mutex_);
    Watched& watched = watched_[player];
    std::erase_if(watched.viewers, [](const auto& weak) { return weak.expired(); });
    if (watched.viewers.size() >= kMaxViewers) {
      return base::Error(base::Reason::kRateLimited, "this player is watched often enough")
          .With("most_streams", static_cast<int64_t>(kMaxViewers))
          .RetryAfterMs(10'000);
    }
    watched.viewers.push_back(std::move(viewer));
    if (watched.picture != nullptr) return watched.picture;
  }
  const auto drawn = Draw({{player, std::make_shared<const AffairPicture>()}});
  if (!drawn.ok()) return drawn.status();
  const base::MutexLock lock(mutex_);
  Watched& watched = watched_[player];
  // Another stream of the same player may have been faster.
  if (watched.picture == nullptr) watched.picture = drawn->front();
  return watched.picture;
}

AffairPicturePtr Affairs::picture(PlayerId player) const {
  const base::MutexLock lock(mutex_);
  const auto found = watched_.find(player);
  return found == watched_.end() ? nullptr : found->second.picture;
}

// All who are watched, in order: a simulation's order may not differ from run to run.
std::vector<Affairs::Known> Affairs::Present() {
  std::vector<Known> known;
  {
    const base::MutexLock lock(mutex_);
    absl::erase_if(watched_, [](auto& item) {
      std::erase_if(item.second.viewers, [](const auto& weak) { return weak.expired(); });
      return item.second.viewers.empty();
    });
    for (const auto& [player, watched] : watched_) {
      if (watched.picture != nullptr) known.push_back({player, watched.picture});
    }
  }
  std::ranges::sort(known, {}, &Known::player);
  return known;
}

void Affairs::Show(PlayerId player, AffairPicturePtr picture) {
  std::vector<std::shared_ptr<AffairViewer>> viewers;
  {
    const base::MutexLock lock(mutex_);
    const auto found = watched_.find(player);
    if (found == watched_.end()) return;
    found->second.picture = std::move(picture);
    for (const std::weak_ptr<AffairViewer>& weak : found->second.viewers) {
      if (std::shared_ptr<AffairViewer> viewer = weak.lock()) viewers.push_back(std::move(viewer));
    }
  }
  for (const std::shared_ptr<AffairViewer>& viewer : viewers) viewer->OnAffairs();
}

absl::Status Affairs::Look(const std::vector<Known>& known) {
  const absl::StatusOr<std::vector<AffairPicturePtr>> drawn = Draw(known);
  if (!drawn.ok()) return drawn.status();
  for (size_t i = 0; i < known.size(); ++i) {
    if ((*drawn)[i] != known[i].picture) Show(known[i].player, (*drawn)[i]);
  }
  return absl::OkStatus();
}

void Affairs::Poll() {
  const base::MutexLock one_at_a_time(poll_mutex_);
  const Instant began = world_.clock.Now();
  const std::vector<Known> all = Present();
  for (size_t from = 0; from < all.size(); from += AffairStore::kMaxAsked) {
    const size_t to = std::min(all.size(), from + AffairStore::kMaxAsked);
    const std::vector<Known> part(all.begin() + static_cast<ptrdiff_t>(from),
                                  all.begin() + static_cast<ptrdiff_t>(to));
    if (!Look(part).ok()) break;  // the next look looks again
  }
  const Instant now = world_.clock.Now();
  const int64_t pause = std::max(kLeastPauseMs * 1'000, 4 * (now.micros - began.micros));
  const base::MutexLock lock(mutex_);
  not_before_ = {now.micros + pause};
}

void Affairs::Hint() {
  int64_t wait_ms = 0;
  {
    const base::MutexLock lock(mutex_);
    if (hinted_ || watched_.empty()) return;
    hinted_ = true;
    wait_ms =
        std::clamp<int64_t>((not_before_.micros - world_.clock.Now().micros) / 1'000, 0, kPollMs);
  }
  world_.scheduler.PostAfter(wait_ms, [this] {
    {
      const base::MutexLock lock(mutex_);
      hinted_ = false;  // before it looks: what comes from now on asks for another look
    }
    Poll();
  });
}

void Affairs::PollForEver() {
  world_.scheduler.PostAfter(kPollMs, [this] {
    Poll();
    PollForEver();
  });
}

}  // namespace astragal::core
