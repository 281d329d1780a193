#include "services/core/tournaments/entrant_facts.h"

#include <cmath>
#include <string>
#include <vector>

#include "services/algorithms/rating_profile.h"
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
  const algorithms::SeatClass seats = terms.format == TournamentFormat::kTables
                                          ? algorithms::SeatClass::kTable
                                          : algorithms::SeatClass::kTwo;
  facts.rating = static_cast<int>(std::lround(algorithms::ShownRating(seats, standing.rating)));
  facts.matches = standing.matches;
  facts.provisional =
      static_cast<uint32_t>(standing.matches) < algorithms::kProvisionalMatches ||
      algorithms::ShownDeviation(seats, standing.deviation) >= algorithms::kProvisionalDeviation;
  return facts;
}

}  // namespace astragal::core
