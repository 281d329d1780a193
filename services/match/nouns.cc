#include "services/match/nouns.h"

#include <utility>

#include "services/rpc/call.h"
#include "services/rpc/terms.h"

namespace astragal::match {
namespace {

using core::MatchStage;
using storage::MatchRecord;

v1::MatchStatus StatusOf(MatchStage stage) {
  switch (stage) {
    case MatchStage::kOver:
      return v1::MATCH_STATUS_OVER;
    case MatchStage::kWaiting:
      return v1::MATCH_STATUS_WAITING;
    case MatchStage::kPlaying:
    case MatchStage::kDue:
      break;
  }
  return v1::MATCH_STATUS_RUNNING;
}

v1::MatchGame GameToProto(const MatchRecord& record, const storage::MatchGame& game) {
  v1::MatchGame out;
  out.set_number(game.number);
  out.set_game_id(game.game.id.ToText());
  out.set_status(static_cast<v1::GameStatus>(game.game.status));
  out.set_ending(static_cast<v1::GameEnding>(game.game.ending));
  for (const base::PlayerId& player : record.players) {
    const size_t seat = core::SeatIn(game.game, player);
    out.add_seats(static_cast<int32_t>(seat));
    out.add_points(seat < game.game.seats.size() ? game.game.seats[seat].points : 0);
  }
  return out;
}

}  // namespace

absl::StatusOr<NewMatch> Read(const v1::CreateMatchRequest& request) {
  const absl::StatusOr<base::RequestId> id = rpc::ReadRequestId(request.request_id());
  if (!id.ok()) return id.status();
  if (request.ruleset_id().empty()) return rpc::BadField("ruleset_id", "is required");
  NewMatch match;
  match.first.request = *id;
  match.first.body_hash = rpc::BodyHash("CreateMatch", request);
  match.first.ruleset = request.ruleset_id();
  match.first.rules_version = request.rules_version();
  match.first.preset = request.preset();
  match.first.options.assign(request.options().begin(), request.options().end());
  for (const std::string& text : request.player_ids()) {
    const std::optional<base::PlayerId> player = base::PlayerId::Parse(text);
    if (!player) return rpc::BadField("player_ids", "names a player who does not exist");
    match.first.players.push_back(*player);
  }
  storage::GameTerms& terms = match.first.terms;
  const auto visibility = rpc::ReadVisibility(request.visibility(), "visibility");
  if (!visibility.ok()) return visibility.status();
  terms.visibility = *visibility;
  const auto clock = rpc::ReadClock(request.clock_policy(), "clock_policy");
  if (!clock.ok()) return clock.status();
  terms.clock = *clock;
  terms.rated = request.rated();
  match.first.invite_contributions = request.invite_contributions();
  const auto match_terms = rpc::ReadMatch(request.terms(), "terms");
  if (!match_terms.ok()) return match_terms.status();
  match.terms = *match_terms;
  return match;
}

v1::Match ToProto(const core::MatchState& match, const rpc::Names& names) {
  const MatchRecord& record = match.match.record;
  v1::Match out;
  out.set_match_id(record.id.ToText());
  out.set_ruleset_id(match.match.ruleset);
  out.set_rules_version(match.match.rules_version);
  *out.mutable_terms() = rpc::ToProto(core::TermsOf(record));
  for (size_t i = 0; i < record.players.size(); ++i) {
    v1::MatchPlayer& player = *out.add_players();
    player.set_player_id(record.players[i].ToText());
    if (const auto name = names.find(record.players[i]); name != names.end()) {
      player.set_player_name(name->second);
    }
    player.set_points(match.score.players[i].points);
    player.set_wins(match.score.players[i].wins);
    player.set_draws(match.score.players[i].draws);
  }
  for (const storage::MatchGame& game : match.games) {
    *out.add_games() = GameToProto(record, game);
  }
  out.set_games_counted(match.score.games);
  out.set_status(StatusOf(match.Stage()));
  if (match.score.winner) out.set_winner(*match.score.winner);
  out.set_ended_on_time(match.score.ended_on_time);
  *out.mutable_create_time() = rpc::ToProto(record.created_at);
  if (!record.created_by.is_nil()) out.set_creator_player_id(record.created_by.ToText());
  out.set_visibility(static_cast<v1::GameVisibility>(match.match.visibility));
  return out;
}

}  // namespace astragal::match
