// The rules against abuse, as RatingService shows and applies them.
#include <set>
#include <utility>

#include "services/rating/rating_service.h"
#include "services/rpc/nouns.h"

namespace astragal::rating {

absl::Status RatingService::AddConduct(base::PlayerId player, v1::GetRatingResponse& response) {
  const auto conduct = store().ConductOf(player, kConductWindow);
  if (!conduct.ok()) return conduct.status();
  v1::Conduct& out = *response.mutable_conduct();
  out.set_games(static_cast<int32_t>(conduct->games));
  out.set_no_shows(static_cast<int32_t>(conduct->no_shows));
  if (conduct->games > 0) {
    out.set_no_show_rate(static_cast<double>(conduct->no_shows) /
                         static_cast<double>(conduct->games));
  }
  out.set_early_losses(static_cast<int32_t>(conduct->early_losses));
  for (v1::Rating& rating : *response.mutable_ratings()) {
    if (conduct->early_losses > kEarlyLosses) rating.add_flags("EARLY_ENDS");
    if (conduct->no_shows > kNoShows) rating.add_flags("NO_SHOWS");
  }
  return absl::OkStatus();
}

absl::Status RatingService::AddAnnulment(const Pool& pool, const v1::PlayerAnnulment& annulled,
                                         std::vector<core::MatchCorrection>& corrections) {
  core::PlayerAnnulment annulment;
  const auto id = rpc::ReadId<base::PlayerId>(annulled.player_id(), "player");
  if (!id.ok()) return id.status();
  const auto player = calls_.accounts().GetPlayer(*id);
  if (!player.ok()) return player.status();
  annulment.player = *id;
  if (annulled.days() < 0 || annulled.days() > kMaxAnnulledDays) {
    return rpc::BadField("days", "are 0 to 3,650");
  }
  if (annulled.days() > 0) annulment.days = annulled.days();
  if (annulled.reason().empty() || annulled.reason().size() > kMaxReasonBytes) {
    return rpc::BadField("reason", "has 1 to 512 bytes");
  }
  annulment.reason = annulled.reason();
  auto matches = ratings_.CorrectionsOf(pool.record, annulment);
  if (!matches.ok()) return matches.status();
  for (core::MatchCorrection& match : *matches) corrections.push_back(std::move(match));
  return absl::OkStatus();
}

absl::Status RatingService::Settle(const v1::SetHouseholdRequest& request,
                                   v1::SetHouseholdResponse& response,
                                   const core::MutationStamp& stamp) {
  if (request.player_ids().empty() || request.player_ids_size() > kMaxHousehold) {
    return rpc::BadField("player_ids", "are 1 to 16");
  }
  std::set<base::PlayerId> players;
  for (const std::string& text : request.player_ids()) {
    const auto id = rpc::ReadId<base::PlayerId>(text, "player");
    if (!id.ok()) return id.status();
    const auto player = calls_.accounts().GetPlayer(*id);
    if (!player.ok()) return player.status();
    if (!players.insert(*id).second) return rpc::BadField("player_ids", "name somebody twice");
  }
  const std::vector<base::PlayerId> all(players.begin(), players.end());
  return store().SetHousehold(
      all, {stamp.account, stamp.request, stamp.body_hash, response.SerializeAsString()});
}

}  // namespace astragal::rating
