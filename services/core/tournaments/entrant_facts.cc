#include "services/core/tournaments/entrant_facts.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "services/algorithms/rating_profile.h"
#include "services/base/status.h"
#include "services/core/rating_terms.h"
#include "services/core/replay.h"
#include "services/core/tournaments/pairing_match.h"

namespace astragal::core {
namespace {

constexpr size_t kTableSeats = 4;
// As many as a player's completion rate is shown of.
constexpr size_t kConductGames = 20;

absl::StatusOr<std::string> PoolOf(Games& games, const TournamentTerms& terms, bool bot) {
  const host::Catalog& catalog = games.world().catalog;
  const bool tables = terms.format == TournamentFormat::kTables;
  const absl::StatusOr<storage::GameFacts> facts =
      games.Preview(GameFor(terms, catalog, tables ? kTableSeats : 0));
  if (!facts.ok()) return facts.status();
  const auto ruleset = RulesetOf(catalog, *facts);
  if (!ruleset.ok()) return ruleset.status();
  return PoolName((*ruleset)->about(), facts->options, static_cast<int>(facts->seats),
                  terms.play.clock, bot);
}

algorithms::SeatClass SeatsOf(const TournamentTerms& terms) {
  return terms.format == TournamentFormat::kTables ? algorithms::SeatClass::kTable
                                                   : algorithms::SeatClass::kTwo;
}

int Shown(const TournamentTerms& terms, const storage::StandingRecord& standing) {
  return static_cast<int>(std::lround(algorithms::ShownRating(SeatsOf(terms), standing.rating)));
}

// Of people, or of bots, as it was; a name that this pool has no list of leaves `seeds` alone.
absl::Status AddListed(Games& games, Accounts& accounts, storage::RatingStore& ratings,
                       const TournamentTerms& terms, bool bots, const std::string& snapshot,
                       const std::vector<base::PlayerId>& players, SeedList& seeds) {
  const absl::StatusOr<std::string> name = PoolOf(games, terms, bots);
  if (!name.ok()) return name.status();
  const absl::StatusOr<storage::PoolRecord> pool = ratings.GetPool(*name);
  if (absl::IsNotFound(pool.status())) return absl::OkStatus();
  if (!pool.ok()) return pool.status();
  const auto kept = ratings.Snapshots(pool->number);
  if (!kept.ok()) return kept.status();
  const auto found = std::ranges::find_if(*kept, [&](const storage::Snapshot& one) {
    return storage::IsNamed(one, seeds.day.empty() ? snapshot : seeds.day);
  });
  if (found == kept->end()) return absl::OkStatus();
  seeds.day = found->day;
  const auto listed = ratings.SnapshotOf(pool->number, found->day, players);
  if (!listed.ok()) return listed.status();
  for (const storage::ListedStanding& one : *listed) {
    const absl::StatusOr<storage::PlayerRecord> player = accounts.GetPlayer(one.standing.player);
    if (!player.ok()) return player.status();
    // Who plays against bots is in their list, too.
    if (player->bot == bots) seeds.ratings[one.standing.player] = Shown(terms, one.standing);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<EntrantFacts> FindEntrantFacts(Games& games, Accounts& accounts,
                                              storage::RatingStore& ratings,
                                              const TournamentTerms& terms, base::PlayerId player) {
  const absl::StatusOr<storage::PlayerRecord> record = accounts.GetPlayer(player);
  if (!record.ok()) return record.status();
  EntrantFacts facts;
  facts.age_ms = (games.world().clock.Now().micros - record->created_at.micros) / 1'000;
  if (terms.conditions.least_completion > 0) {
    const absl::StatusOr<storage::Conduct> conduct = ratings.ConductOf(player, kConductGames);
    if (!conduct.ok()) return conduct.status();
    if (conduct->games > 0) {
      facts.completion = static_cast<int>(conduct->completed * 100 / conduct->games);
    }
  }
  const absl::StatusOr<std::string> name = PoolOf(games, terms, record->bot);
  if (!name.ok()) return name.status();
  const absl::StatusOr<storage::PoolRecord> pool = ratings.GetPool(*name);
  if (absl::IsNotFound(pool.status())) return facts;  // nobody has played in it yet
  if (!pool.ok()) return pool.status();
  const auto standings = ratings.Standings(pool->number, {&player, 1});
  if (!standings.ok()) return standings.status();
  if (standings->empty()) return facts;
  const storage::StandingRecord& standing = standings->front().standing;
  facts.rating = Shown(terms, standing);
  facts.matches = standing.matches;
  facts.provisional = static_cast<uint32_t>(standing.matches) < algorithms::kProvisionalMatches ||
                      algorithms::ShownDeviation(SeatsOf(terms), standing.deviation) >=
                          algorithms::kProvisionalDeviation;
  return facts;
}

absl::StatusOr<SeedList> FindSeedList(Games& games, Accounts& accounts,
                                      storage::RatingStore& ratings, const TournamentTerms& terms,
                                      const std::string& snapshot,
                                      const std::vector<base::PlayerId>& players) {
  SeedList seeds;
  for (const bool bots : {false, true}) {
    const absl::Status added =
        AddListed(games, accounts, ratings, terms, bots, snapshot, players, seeds);
    if (!added.ok()) return added;
  }
  if (!seeds.day.empty()) return seeds;
  return base::Error(base::Reason::kNotFound, "there is no such snapshot of this list")
      .With("field", "seed_snapshot");
}

}  // namespace astragal::core
