#include "services/core/tournaments/next_stage.h"

#include <utility>

#include "services/base/bytes.h"
#include "services/base/derived_request.h"
#include "services/core/tournaments/judging.h"
#include "services/core/tournaments/rounds.h"

namespace astragal::core {
namespace {

using Kind = TournamentEntryKind;

// No code has this SHA-256.
base::Bytes32 NobodysInvitation() {
  base::Bytes32 hash;
  hash.fill(0xFF);
  return hash;
}

absl::Status Add(TournamentEntry entry, base::Instant now, TournamentPlan& plan) {
  entry.version = plan.after.version + 1;
  entry.at = now;
  const absl::Status applied = Apply(entry, plan.after);
  plan.entries.push_back(std::move(entry));
  return applied;
}

}  // namespace

absl::Status JudgeNextStage(Judging& judging) {
  if (!judging.state().next_stage.is_nil()) return WrongState("the next stage has been made");
  TournamentEntry entry;
  entry.kind = judging.command.kind;
  entry.detail = base::ByteWriter().Put(judging.command.next_stage.bytes()).Take();
  return judging.Write(entry);
}

std::vector<base::PlayerId> QualifiersOf(const TournamentState& state) {
  std::vector<base::PlayerId> qualifiers;
  if (!state.terms.next_stage || !state.HasStarted()) return qualifiers;
  for (const Standing& row : StandingsOf(state)) {
    if (qualifiers.size() >= state.terms.next_stage->qualify) break;
    const TournamentPlayer& player = state.players[static_cast<size_t>(row.player)];
    const bool left =
        player.status == EntrantStatus::kWithdrawn || player.status == EntrantStatus::kExpelled;
    if (!left) qualifiers.push_back(player.id);
  }
  return qualifiers;
}

bool OwesNextStage(const TournamentState& state) {
  return state.status == TournamentStatus::kFinished && state.terms.next_stage &&
         state.next_stage.is_nil() && QualifiersOf(state).size() >= 2;
}

TournamentTerms NextStageTerms(const TournamentState& state, base::Instant now) {
  const NextStage& next = *state.terms.next_stage;
  TournamentTerms terms;
  terms.name = state.terms.name + std::string(kNextStageSuffix);
  terms.format = next.format;
  terms.rounds = next.rounds;
  terms.losses = next.losses;
  terms.reset = next.reset;
  terms.third_place = next.third_place;
  terms.engine = state.terms.engine;
  terms.sides = state.terms.sides;
  terms.automatic = state.terms.automatic;
  terms.pairing_bye = state.terms.pairing_bye;
  terms.pause_ms = state.terms.pause_ms;
  terms.play = state.terms.play;
  terms.most_players = static_cast<uint32_t>(QualifiersOf(state).size());
  // Without a break it begins because it is full.
  if (next.break_ms > 0) terms.starts_at = base::Instant{now.micros + next.break_ms * 1'000};
  terms.conditions.invite = NobodysInvitation();
  return terms;
}

base::RequestId NextStageRequest(TournamentId first) {
  return base::DeriveRequestId("astragal-next-stage-1 " + first.ToText());
}

absl::StatusOr<TournamentPlan> FillNextStage(const TournamentState& first,
                                             const TournamentState& made, base::Instant now) {
  TournamentPlan plan;
  plan.after = made;
  TournamentEntry open;
  open.kind = Kind::kRegistrationOpened;
  if (absl::Status added = Add(open, now, plan); !added.ok()) return added;
  for (const auto& [player, role] : first.roles) {
    TournamentEntry entry;
    entry.kind = Kind::kRoleGiven;
    entry.player = player;
    entry.number = static_cast<int64_t>(role);
    if (absl::Status added = Add(entry, now, plan); !added.ok()) return added;
  }
  // Without ratings they are seeded in the order in which they come in.
  for (const base::PlayerId& player : QualifiersOf(first)) {
    TournamentEntry entry;
    entry.kind = Kind::kRegistered;
    entry.player = player;
    const TournamentPlayer& before = first.players[static_cast<size_t>(first.IndexOf(player))];
    if (before.begins_second) entry.detail = base::ByteWriter().Put(uint8_t{1}).Take();
    if (absl::Status added = Add(entry, now, plan); !added.ok()) return added;
  }
  return plan;
}

}  // namespace astragal::core
