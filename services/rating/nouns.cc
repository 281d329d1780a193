#include "services/rating/nouns.h"

#include <cmath>

#include "services/core/rating_rows.h"
#include "services/rpc/nouns.h"

namespace astragal::rating {
namespace {

// A volatility that rose above this many times the start is worth a look.
constexpr double kVolatile = 1.5;

v1::RankState ToProto(algorithms::RankState state) { return static_cast<v1::RankState>(state); }

}  // namespace

v1::RatingPool ToProto(const storage::PoolRecord& pool) {
  v1::RatingPool out;
  out.set_pool_id(pool.name);
  out.set_ruleset_id(pool.ruleset);
  out.set_seats(pool.seats);
  out.set_profile(pool.profile);
  out.set_matches(pool.next_order - 1);
  out.set_revision(pool.revision);
  return out;
}

v1::Rating ToProto(const Pool& pool, const storage::StandingRecord& standing,
                   const storage::PlayerRecord& player, base::Instant now) {
  algorithms::Standing aged = core::StandingOf(standing);
  if (!standing.pinned) aged = algorithms::AgedStanding(pool.profile, pool.seats, aged, now);
  v1::Rating out;
  out.set_player_id(standing.player.ToText());
  out.set_player_name(player.name);
  out.set_bot(player.bot);
  out.set_pool_id(pool.record.name);
  const double rating = algorithms::ShownRating(pool.seats, aged.rating);
  out.set_rating(rating);
  out.set_deviation(algorithms::ShownDeviation(pool.seats, aged.deviation));
  out.set_volatility(aged.volatility);
  out.set_shown(static_cast<int32_t>(std::lround(rating)));
  out.set_state(ToProto(algorithms::StateOf(pool.seats, aged, now)));
  out.set_matches(standing.matches);
  out.set_wins(standing.wins);
  out.set_draws(standing.draws);
  out.set_opponents(standing.opponents);
  if (standing.matches > 0) *out.mutable_last_match_time() = rpc::ToProto(standing.last_at);
  out.set_peak(standing.peak);
  if (standing.peak > 0) *out.mutable_peak_time() = rpc::ToProto(standing.peak_at);
  out.set_pinned(standing.pinned);
  out.set_lower_bound(algorithms::LowerBound(pool.seats, aged));
  if (pool.profile.fibs && pool.seats == algorithms::SeatClass::kTwo) {
    out.set_fibs_rating(standing.fibs_rating);
    out.set_fibs_experience(standing.fibs_experience);
  }
  if (aged.volatility > kVolatile * pool.profile.start.volatility) out.add_flags("VOLATILE");
  return out;
}

v1::RatingStep ToProto(const Pool& pool, const storage::HistoryEntry& entry) {
  const storage::StepRecord& step = entry.step;
  const storage::RatedMatchRecord& match = entry.match;
  v1::RatingStep out;
  out.set_rated_order(step.rated_order);
  out.set_match_id(match.match.ToText());
  *out.mutable_finish_time() = rpc::ToProto(match.finished_at);
  for (const base::PlayerId& player : match.players) out.add_player_ids(player.ToText());
  for (const int32_t place : match.places) out.add_places(place);
  out.set_length(match.length);
  out.set_information(step.information);
  out.set_rating_before(algorithms::ShownRating(pool.seats, step.rating_before));
  out.set_deviation_before(algorithms::ShownDeviation(pool.seats, step.deviation_before));
  out.set_rating_after(algorithms::ShownRating(pool.seats, step.after.rating));
  out.set_deviation_after(algorithms::ShownDeviation(pool.seats, step.after.deviation));
  out.set_corrected(match.state == storage::MatchState::kCorrected);
  out.set_reason(match.reason);
  return out;
}

v1::RecomputeResponse ToProto(const core::Recomputation& done) {
  v1::RecomputeResponse response;
  *response.mutable_pool() = ToProto(done.pool);
  response.set_matches(done.matches);
  response.set_checkpoint(done.checkpoint);
  response.set_steps_changed(done.steps_changed);
  response.set_players_changed(done.standings_changed);
  response.set_switched(done.switched);
  for (const std::string& difference : done.differences) response.add_differences(difference);
  while (response.ByteSizeLong() > storage::kMaxAnswer) {
    response.mutable_differences()->RemoveLast();
  }
  return response;
}

}  // namespace astragal::rating
