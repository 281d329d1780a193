#include "services/rpc/proposals.h"

#include <algorithm>
#include <string>

#include "services/rpc/call.h"
#include "services/rpc/terms.h"

namespace astragal::rpc {
namespace {

void SetPlayer(base::PlayerId player, const Names& names, std::string& id, std::string& name) {
  if (player.is_nil()) return;
  id = player.ToText();
  if (const auto found = names.find(player); found != names.end()) name = found->second;
}

}  // namespace

absl::StatusOr<core::ProposalTerms> Read(const v1::ProposalTerms& terms) {
  core::ProposalTerms out;
  if (terms.ruleset_id().empty()) return BadField("terms.ruleset_id", "is required");
  out.ruleset = terms.ruleset_id();
  out.rules_version = terms.rules_version();
  out.preset = terms.preset();
  out.options.assign(terms.options().begin(), terms.options().end());
  std::ranges::sort(out.options);  // a map has no order
  const auto visibility = ReadVisibility(terms.visibility(), "terms.visibility");
  if (!visibility.ok()) return visibility.status();
  out.visibility = *visibility;
  out.rated = terms.rated();
  const auto clock = ReadClock(terms.clock_policy(), "terms.clock_policy");
  if (!clock.ok()) return clock.status();
  out.clock = *clock;
  if (terms.has_seat()) out.seat = terms.seat();
  out.invite_contributions = terms.invite_contributions();
  out.least_completion = terms.min_completion_percent();
  if (!terms.has_match()) return out;
  const auto match = ReadMatch(terms.match(), "terms.match");
  if (!match.ok()) return match.status();
  out.match = *match;
  return out;
}

v1::ProposalTerms ToProto(const core::ProposalTerms& terms) {
  v1::ProposalTerms out;
  out.set_ruleset_id(terms.ruleset);
  out.set_rules_version(terms.rules_version);
  out.set_preset(terms.preset);
  for (const auto& [name, value] : terms.options) (*out.mutable_options())[name] = value;
  out.set_visibility(static_cast<v1::GameVisibility>(terms.visibility));
  out.set_rated(terms.rated);
  if (terms.clock.kind != storage::ClockKind::kNone) {
    *out.mutable_clock_policy() = ToProto(terms.clock);
  }
  if (terms.seat) out.set_seat(*terms.seat);
  if (terms.match) *out.mutable_match() = ToProto(*terms.match);
  out.set_invite_contributions(terms.invite_contributions);
  out.set_min_completion_percent(terms.least_completion);
  return out;
}

v1::Proposal ToProto(const core::Proposal& proposal, const Names& names) {
  const storage::ProposalRecord& record = proposal.record;
  v1::Proposal out;
  if (!record.id.is_nil()) out.set_proposal_id(record.id.ToText());
  out.set_kind(static_cast<v1::ProposalKind>(record.kind));
  out.set_state(static_cast<v1::ProposalState>(record.state));
  SetPlayer(record.player, names, *out.mutable_player_id(), *out.mutable_player_name());
  SetPlayer(record.opponent, names, *out.mutable_opponent_id(), *out.mutable_opponent_name());
  *out.mutable_terms() = ToProto(proposal.terms);
  out.set_rating(record.rating);
  *out.mutable_create_time() = ToProto(record.created_at);
  *out.mutable_expire_time() = ToProto(record.expires_at);
  if (!record.game.is_nil()) out.set_game_id(record.game.ToText());
  return out;
}

void AddPlayers(const core::Proposal& proposal, std::vector<base::PlayerId>& players) {
  players.push_back(proposal.record.player);
  if (!proposal.record.opponent.is_nil()) players.push_back(proposal.record.opponent);
}

}  // namespace astragal::rpc
