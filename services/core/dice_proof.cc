#include "services/core/dice_proof.h"

#include <utility>

#include "services/core/event.h"

namespace astragal::core {

algorithms::FairnessProof BeginProof(const GameState& state) {
  algorithms::FairnessProof proof;
  proof.game = state.facts->id;
  proof.ruleset = state.facts->ruleset;
  proof.rules_version = state.facts->rules_version;
  proof.restore_epoch = state.facts->restore_epoch;
  proof.commitment = state.facts->commitment;
  for (const host::ThrowKind& kind : state.ruleset->about().throw_kinds) {
    proof.kinds.push_back({kind.name, kind.weights, kind.labels});
  }
  return proof;
}

void AddEvent(const EventRecord& event, algorithms::FairnessProof& proof) {
  if (event.kind != EventKind::kThrow) return;
  proof.throws.push_back({event.sequence, static_cast<uint32_t>(host::ChanceKind(event.number)),
                          static_cast<uint32_t>(host::ChanceOutcome(event.number))});
}

absl::Status EndProof(const GameState& end, const EventRecord& last,
                      algorithms::FairnessProof& proof) {
  const absl::StatusOr<Finish> finish = DecodeFinish(last, end.seats.size());
  if (!finish.ok()) return finish.status();
  proof.secret = finish->secret;
  for (const SeatRecord& seat : end.seats) {
    algorithms::FairnessProof::Seat& entry = proof.seats.emplace_back();
    if (!seat.player.is_nil()) entry.player_id = seat.player.ToText();
    const auto& contributions = end.proceedings.contributions.seats;
    const auto found = contributions.find(seat.seat);
    if (found == contributions.end()) continue;
    entry.pledge = base::AsView(found->second.pledge);
    entry.contribution = found->second.given;
  }
  return absl::OkStatus();
}

}  // namespace astragal::core
