// What ratings know and do of one player: what he says of himself, fixed ratings, what is void of
// his, and how he chooses at tables.
#include <optional>
#include <utility>

#include "services/base/status.h"
#include "services/core/ratings.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;
using storage::PoolRecord;
using storage::RatedMatchRecord;

}  // namespace

absl::StatusOr<std::vector<MatchCorrection>> Ratings::CorrectionsOf(
    const PoolRecord& pool, const PlayerAnnulment& annulment) {
  std::vector<MatchCorrection> corrections;
  const base::Instant since{clock_.Now().micros - annulment.days * kDayMicros};
  int64_t after = 0;
  while (true) {
    const auto page = store_.MatchesOf(pool.number, annulment.player, since, after,
                                       storage::RatingStore::kMaxRead);
    if (!page.ok()) return page.status();
    if (page->empty()) return corrections;
    after = page->back().rated_order;
    for (const RatedMatchRecord& match : *page) {
      if (match.state == storage::MatchState::kAnnulled) continue;
      corrections.push_back({match.match, true, {}, annulment.reason});
    }
  }
}

absl::Status Ratings::Pin(const PoolRecord& pool, base::PlayerId player, double rating,
                          double deviation, const AnswerTo<storage::StandingRecord>& answer) {
  const auto profile = ProfileOf(pool);
  if (!profile.ok()) return profile.status();
  PoolRecord current = pool;
  for (int tries = 0; tries < kMaxTries; ++tries) {
    const auto found = store_.Standings(current.number, {player});
    if (!found.ok()) return found.status();
    if (!found->empty() && found->front().standing.matches > 0) {
      return Error(Reason::kAlreadyExists, "this player was rated in this pool already");
    }
    algorithms::Standing standing = algorithms::StartingStanding(*profile, SeatsOf(current));
    standing.rating = rating;
    standing.deviation = deviation;
    const storage::StandingRecord fixed = RecordOf(standing, player, true);
    const auto pinned =
        store_.Pin(current, ListedAt(*profile, SeatsOf(current), fixed, clock_.Now()),
                   answer ? std::optional(answer(fixed)) : std::nullopt);
    if (!pinned.ok()) return pinned.status();
    if (*pinned) return absl::OkStatus();
    const auto moved = store_.GetPool(current.name);
    if (!moved.ok()) return moved.status();
    current = *moved;
  }
  return Error(Reason::kStaleVersion, "the pool is being rated; try again");
}

absl::Status Ratings::Estimate(const PoolRecord& pool, base::PlayerId player, int level,
                               const AnswerTo<storage::StandingRecord>& answer) {
  const auto profile = ProfileOf(pool);
  if (!profile.ok()) return profile.status();
  const storage::StandingRecord start =
      RecordOf(algorithms::EstimatedStanding(*profile, SeatsOf(pool), level), player, false);
  return store_.Estimate(pool.number, {player, level, clock_.Now()}, answer(start));
}

absl::StatusOr<storage::StandingRecord> Ratings::NewcomerOf(const PoolRecord& pool,
                                                            base::PlayerId player,
                                                            base::Instant at) {
  const auto profile = ProfileOf(pool);
  if (!profile.ok()) return profile.status();
  const auto estimates = store_.Estimates(pool.number, {player});
  if (!estimates.ok()) return estimates.status();
  const bool made = !estimates->empty() && estimates->front().made_at <= at;
  const int32_t level = made ? estimates->front().level : 0;
  return RecordOf(algorithms::EstimatedStanding(*profile, SeatsOf(pool), level), player, false);
}

absl::StatusOr<TableHelp> Ratings::ExamineTables(const PoolRecord& pool, base::PlayerId player,
                                                 size_t limit) {
  HelpTally tally(player);
  const auto history = store_.History(pool, player, 0, limit);
  if (!history.ok()) return history.status();
  for (const storage::HistoryEntry& entry : *history) {
    tally.BeginMatch(entry.match.players);
    std::vector<base::GameId> games = {base::GameId(entry.match.match.bytes())};
    if (options_.find_match) {
      const absl::StatusOr<MatchForRating> match = options_.find_match(entry.match.match);
      if (match.ok()) games = match->played;
      if (!match.ok() && !absl::IsNotFound(match.status())) return match.status();
    }
    for (const base::GameId& game : games) {
      if (!options_.add_help) return tally.Sum();
      if (absl::Status added = options_.add_help(game, tally); !added.ok()) return added;
    }
  }
  return tally.Sum();
}

}  // namespace astragal::core
