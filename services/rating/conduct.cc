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
  out.set_completion_rate(conduct->games == 0 ? 1
                                              : static_cast<double>(conduct->completed) /
                                                    static_cast<double>(conduct->games));
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

absl::Status RatingService::Examine(const v1::ExamineTablesRequest& request,
                                    v1::ExamineTablesResponse& response) {
  const auto id = rpc::ReadId<base::PlayerId>(request.player_id(), "player");
  if (!id.ok()) return id.status();
  const auto player = calls_.accounts().GetPlayer(*id);
  if (!player.ok()) return player.status();
  if (request.matches() < 0 || request.matches() > kMaxExamined) {
    return rpc::BadField("matches", "are 0 to 100");
  }
  const absl::StatusOr<Pool> pool = FindPool(request.pool_id());
  if (!pool.ok()) return pool.status();
  if (pool->seats == algorithms::SeatClass::kTwo) {
    return rpc::BadField("pool_id", "must be a pool of three and four seats");
  }
  const int32_t matches = request.matches() == 0 ? kExamined : request.matches();
  const auto help = ratings_.ExamineTables(pool->record, *id, static_cast<size_t>(matches));
  if (!help.ok()) return help.status();
  response.set_matches(help->matches);
  response.set_games(help->games);
  response.set_choices(help->choices);
  response.set_costly(help->costly);
  response.set_cut_short(help->cut_short);
  return AddHelp(*help, response);
}

absl::Status RatingService::AddHelp(const core::TableHelp& help,
                                    v1::ExamineTablesResponse& response) {
  std::vector<base::PlayerId> ids;
  for (const core::HelpGiven& other : help.others) {
    if (ids.size() < kMostHelped) ids.push_back(other.player);
  }
  const auto names = calls_.accounts().Names(ids);
  if (!names.ok()) return names.status();
  for (size_t i = 0; i < ids.size(); ++i) {
    const core::HelpGiven& other = help.others[i];
    v1::TableHelp& out = *response.add_others();
    out.set_player_id(other.player.ToText());
    const auto name = names->find(other.player);
    if (name != names->end()) out.set_player_name(name->second);
    out.set_matches(other.matches);
    out.set_costly(other.costly);
    out.set_helped(other.helped);
    out.set_expected(other.expected);
    out.set_surprise(other.Surprise());
    if (other.helped == 0) continue;
    out.set_mean_cost(other.cost / static_cast<double>(other.helped));
    out.set_mean_gain(other.gain / static_cast<double>(other.helped));
  }
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* RatingService::ExamineTables(grpc::CallbackServerContext* context,
                                                       const v1::ExamineTablesRequest* request,
                                                       v1::ExamineTablesResponse* response) {
  return calls_.Identified(context, *request,
                           [this, request, response](const core::Identity& /*operator*/) {
                             return Examine(*request, *response);
                           });
}

}  // namespace astragal::rating
