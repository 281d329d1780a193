#include "services/core/audit.h"

#include <vector>

#include "services/base/status.h"
#include "services/core/loading.h"
#include "services/core/replay.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;

absl::Status CheckThrows(const GameState& state, const algorithms::DiceSource& dice,
                         const std::vector<int64_t>& thrown) {
  for (size_t i = 0; i < thrown.size(); ++i) {
    const auto kind = static_cast<size_t>(host::ChanceKind(thrown[i]));
    const auto& kinds = state.ruleset->about().throw_kinds;
    const bool same =
        kind < kinds.size() &&
        algorithms::DrawOutcome(dice, i, kinds[kind].weights) == host::ChanceOutcome(thrown[i]);
    if (same) continue;
    return Error(Reason::kReplayMismatch,
                 "throw " + std::to_string(i) + " is not the one that the secret gives");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AuditGame(const World& world, base::GameId game) {
  absl::StatusOr<Replay> replay = Replay::Open(world, game);
  if (!replay.ok()) return replay.status();
  std::vector<int64_t> thrown;
  std::optional<Finish> finish;
  while (true) {
    const absl::StatusOr<std::optional<EventView>> event = replay->Next();
    if (!event.ok()) return event.status();
    if (!event->has_value()) break;
    const EventRecord& record = (*event)->record;
    if (record.kind == EventKind::kThrow) thrown.push_back(record.number);
    if (record.kind != EventKind::kFinished) continue;
    absl::StatusOr<Finish> read = DecodeFinish(record, replay->state().seats.size());
    if (!read.ok()) return read.status();
    finish = *std::move(read);
  }
  if (!finish) return Error(Reason::kReplayMismatch, "the log of this game has no end");
  const GameState& state = replay->state();
  if (algorithms::DiceCommitment(game, finish->secret) != state.facts->commitment) {
    return Error(Reason::kReplayMismatch, "the published secret is not the one that was promised");
  }
  return CheckThrows(state, DiceOf(state, finish->secret), thrown);
}

}  // namespace astragal::core
