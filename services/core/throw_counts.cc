#include "services/core/throw_counts.h"

#include <optional>

#include "services/core/replay.h"

namespace astragal::core {
namespace {

void Add(int64_t number, std::vector<algorithms::ThrowStatistics>& kinds) {
  const auto kind = static_cast<size_t>(host::ChanceKind(number));
  if (kind < kinds.size()) kinds[kind].Add(static_cast<uint32_t>(host::ChanceOutcome(number)));
}

bool IsOf(const EventView& view, int seat) {
  for (const host::Effect& effect : view.effects) {
    if (effect.kind == host::EffectKind::kThrow) return effect.seat == seat;
  }
  return false;
}

absl::Status AddAll(const World& world, GameId game,
                    std::vector<algorithms::ThrowStatistics>& kinds) {
  uint32_t after = 0;
  while (true) {
    const auto page = world.store.Events(game, after, storage::GameStore::kMaxEvents);
    if (!page.ok()) return page.status();
    for (const EventRecord& event : *page) {
      if (event.kind == EventKind::kThrow) Add(event.number, kinds);
    }
    if (page->size() < storage::GameStore::kMaxEvents) return absl::OkStatus();
    after = page->back().sequence;
  }
}

}  // namespace

std::vector<algorithms::ThrowStatistics> NewThrowStatistics(const host::Ruleset& ruleset) {
  std::vector<algorithms::ThrowStatistics> kinds;
  for (const host::ThrowKind& kind : ruleset.about().throw_kinds) {
    kinds.emplace_back(std::vector<uint32_t>(kind.weights.begin(), kind.weights.end()));
  }
  return kinds;
}

absl::Status AddThrows(const World& world, GameId game, PlayerId player,
                       std::vector<algorithms::ThrowStatistics>& kinds) {
  for (algorithms::ThrowStatistics& kind : kinds) kind.Cut();
  if (player.is_nil()) return AddAll(world, game, kinds);
  absl::StatusOr<Replay> replay = Replay::Open(world, game);
  if (!replay.ok()) return replay.status();
  while (true) {
    const absl::StatusOr<std::optional<EventView>> view = replay->Next();
    if (!view.ok()) return view.status();
    if (!*view) return absl::OkStatus();
    if ((*view)->record.kind != EventKind::kThrow) continue;
    const std::optional<int> seat = replay->state().SeatOf(player);
    if (seat && IsOf(**view, *seat)) Add((*view)->record.number, kinds);
  }
}

}  // namespace astragal::core
