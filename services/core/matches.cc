#include "services/core/matches.h"

#include <algorithm>
#include <span>
#include <utility>

#include "services/base/status.h"
#include "services/core/next_game.h"

namespace astragal::core {
namespace {

using base::Error;
using base::MatchId;
using base::Reason;

absl::Status BadField(std::string_view field, std::string_view why) {
  return Error(Reason::kBadField, std::string(field) + " " + std::string(why)).With("field", field);
}

absl::Status CheckPlayers(std::vector<PlayerId> players, const MatchTerms& terms) {
  if (players.size() < 2) return BadField("player_ids", "must name at least two players");
  if (players.size() > 2 && terms.timeout_loses) {
    return BadField("terms.timeout_loses", "is for two players");
  }
  std::ranges::sort(players);
  if (players.front().is_nil()) return BadField("player_ids", "must name every player");
  if (std::ranges::adjacent_find(players) != players.end()) {
    return BadField("player_ids", "names a player twice");
  }
  return absl::OkStatus();
}

absl::Status NoSuchMatch() { return Error(Reason::kNotFound, "no such match"); }

// Those of one match, of games that come by match.
std::vector<storage::MatchGame> TakeGamesOf(MatchId match,
                                            const std::vector<storage::MatchGame>& games) {
  const auto own = std::ranges::equal_range(games, match, {}, &storage::MatchGame::match);
  return {own.begin(), own.end()};
}

}  // namespace

void Matches::Create(CreateGame first, const MatchTerms& terms, Done done) {
  absl::Status right = CheckMatch(terms, first.terms.clock, "terms");
  if (right.ok()) right = CheckPlayers(first.players, terms);
  if (!right.ok()) return done(right);
  BeginMatch(terms, games_.world(), first);
  games_.Create(std::move(first), [this, done](const absl::StatusOr<CommandResult>& result) {
    if (!result.ok()) return done(result.status());
    // A repeat: the match of the first time.
    const MatchId id = result->after->facts->terms.match;
    const absl::Status posted =
        games_.world().scheduler.Post([this, id, done] { done(ReadMatch(store_, id)); });
    if (!posted.ok()) done(posted);
  });
}

absl::StatusOr<MatchPtr> Matches::Read(MatchId id, PlayerId viewer) {
  absl::StatusOr<MatchPtr> match = ReadMatch(store_, id);
  if (match.ok() && !MaySee((*match)->match, viewer)) return NoSuchMatch();
  return match;
}

void Matches::Get(MatchId id, PlayerId viewer, Done done) {
  absl::StatusOr<MatchPtr> match = Read(id, viewer);
  if (!match.ok() || (*match)->Stage() != MatchStage::kDue) return done(std::move(match));
  Start(*match, [match = *match, done](absl::StatusOr<MatchPtr> moved) {
    // Reading needs no start: whoever looks next tries again.
    done(moved.ok() ? std::move(moved) : absl::StatusOr<MatchPtr>(match));
  });
}

void Matches::StartNext(const MatchPtr& match, uint32_t number, Done done) {
  const size_t started = match->games.size();
  if (number >= 1 && number <= started) return done(match);
  if (number > started + 1) {
    return done(BadField("number", "is beyond the next game"));
  }
  switch (match->Stage()) {
    case MatchStage::kOver:
      return done(Error(Reason::kMatchOver, "the match is over"));
    case MatchStage::kPlaying:
      return done(Error(Reason::kGameStillRunning, "the last game has not ended")
                      .With("game_id", match->games.back().game.id.ToText()));
    case MatchStage::kDue:
    case MatchStage::kWaiting:
      return Start(match, done);
  }
}

void Matches::Start(const MatchPtr& match, const Done& done) {
  absl::StatusOr<CreateGame> next = NextGame(games_.world(), *match);
  if (!next.ok()) return done(next.status());
  const MatchId id = match->match.record.id;
  games_.Create(*std::move(next), [this, id, done](const absl::StatusOr<CommandResult>& result) {
    if (!result.ok()) return done(result.status());
    const absl::Status posted = games_.world().scheduler.Post([this, id, done] {
      absl::StatusOr<MatchPtr> fresh = ReadMatch(store_, id);
      if (fresh.ok()) Publish(*fresh);
      done(std::move(fresh));
    });
    if (!posted.ok()) done(posted);
  });
}

void Matches::OnGameOver(const GameState& game) {
  // Whoever is refused here is served by whoever looks at the match next.
  games_.world()
      .scheduler.Post([this, id = game.facts->terms.match] { MoveOn(id, 0); })
      .IgnoreError();
}

void Matches::MoveOn(MatchId id, int round) {
  const absl::StatusOr<MatchPtr> match = ReadMatch(store_, id);
  if (!match.ok()) return MoveOnLater(id, round, match.status());
  Publish(*match);
  if ((*match)->Stage() != MatchStage::kDue) return;
  Start(*match, [this, id, round](const absl::StatusOr<MatchPtr>& moved) {
    if (!moved.ok()) MoveOnLater(id, round, moved.status());
  });
}

void Matches::MoveOnLater(MatchId id, int round, const absl::Status& why) {
  if (!base::IsTransient(why) || round >= kMaxRounds) return;
  games_.world().scheduler.PostAfter(kRetryMs << round,
                                     [this, id, round] { MoveOn(id, round + 1); });
}

absl::StatusOr<std::vector<MatchPtr>> Matches::List(PlayerId player, PlayerId viewer,
                                                    MatchId before, size_t limit) {
  const bool own = !viewer.is_nil() && viewer == player;
  absl::StatusOr<std::vector<storage::StoredMatch>> matches =
      store_.ListMatches(player, own, before, limit);
  if (!matches.ok()) return matches.status();
  std::vector<MatchId> ids;
  for (const storage::StoredMatch& match : *matches) ids.push_back(match.record.id);
  const absl::StatusOr<std::vector<storage::MatchGame>> games = store_.GamesOf(ids);
  if (!games.ok()) return games.status();
  std::vector<MatchPtr> list;
  for (storage::StoredMatch& match : *matches) {
    std::vector<storage::MatchGame> own_games = TakeGamesOf(match.record.id, *games);
    list.push_back(
        std::make_shared<const MatchState>(MatchFrom(std::move(match), std::move(own_games))));
  }
  return list;
}

absl::StatusOr<std::shared_ptr<MatchWatch>> Matches::StartWatch(MatchId id, PlayerId viewer,
                                                                MatchWatch::Wake wake) {
  const absl::StatusOr<MatchPtr> match = Read(id, viewer);
  if (!match.ok()) return match.status();
  // What happens before it is registered is found by the next poll.
  auto watch = std::make_shared<MatchWatch>(*match, std::move(wake));
  const base::MutexLock lock(mutex_);
  watches_[id].push_back(watch);
  return watch;
}

void Matches::Publish(const MatchPtr& match) {
  std::vector<std::shared_ptr<MatchWatch>> told;
  {
    const base::MutexLock lock(mutex_);
    const auto found = watches_.find(match->match.record.id);
    if (found == watches_.end()) return;
    for (const std::weak_ptr<MatchWatch>& weak : found->second) {
      if (std::shared_ptr<MatchWatch> watch = weak.lock()) told.push_back(std::move(watch));
    }
  }
  for (const std::shared_ptr<MatchWatch>& watch : told) watch->Offer(match);
}

std::vector<std::shared_ptr<MatchWatch>> Matches::Watched() {
  std::vector<std::shared_ptr<MatchWatch>> watched;
  const base::MutexLock lock(mutex_);
  for (auto item = watches_.begin(); item != watches_.end();) {
    Watches& watches = item->second;
    std::erase_if(watches, [](const auto& weak) { return weak.expired(); });
    std::shared_ptr<MatchWatch> one;
    for (const std::weak_ptr<MatchWatch>& weak : watches) {
      if (one == nullptr) one = weak.lock();
    }
    item = one == nullptr ? watches_.erase(item) : std::next(item);
    if (one != nullptr) watched.push_back(std::move(one));
  }
  return watched;
}

void Matches::Poll() {
  const std::vector<std::shared_ptr<MatchWatch>> watched = Watched();
  for (size_t from = 0; from < watched.size(); from += storage::MatchStore::kMaxListed) {
    const size_t count = std::min(watched.size() - from, storage::MatchStore::kMaxListed);
    const std::span page = std::span(watched).subspan(from, count);
    std::vector<MatchId> ids;
    for (const auto& watch : page) ids.push_back(watch->latest()->match.record.id);
    const absl::StatusOr<std::vector<storage::MatchGame>> games = store_.GamesOf(ids);
    if (!games.ok()) return;  // the next round asks again
    for (const auto& watch : page) {
      const MatchPtr known = watch->latest();
      const MatchId id = known->match.record.id;
      const auto now =
          std::make_shared<const MatchState>(MatchFrom(known->match, TakeGamesOf(id, *games)));
      // Due since the last round: whoever should have started it may be gone.
      const bool still_due = now->Stage() == MatchStage::kDue && now->Version() == known->Version();
      Publish(now);
      if (still_due) MoveOn(id, kMaxRounds);
    }
  }
}

void Matches::PollForEver() {
  games_.world().scheduler.PostAfter(kPollMs, [this] {
    Poll();
    PollForEver();
  });
}

}  // namespace astragal::core
