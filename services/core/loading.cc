#include "services/core/loading.h"

#include <algorithm>
#include <utility>

#include "services/base/status.h"
#include "services/core/replay.h"

namespace astragal::core {

using base::Error;
using base::Reason;

absl::StatusOr<GameState> ReadState(const World& world, GameId id) {
  absl::StatusOr<storage::StoredGame> stored = world.store.Load(id);
  if (!stored.ok()) return stored.status();
  auto ruleset = RulesetOf(world.catalog, stored->facts);
  if (!ruleset.ok()) return ruleset.status();
  const uint32_t before_last = stored->head.sequence - 1;
  absl::StatusOr<std::vector<EventRecord>> last = world.store.Events(id, before_last, 1);
  if (!last.ok()) return last.status();
  if (last->empty()) return Error(Reason::kReplayMismatch, "the game has no last event");
  return FromStored(*std::move(stored), last->front(), *std::move(ruleset));
}

absl::StatusOr<algorithms::DiceSource> OpenDice(const World& world, const GameState& state) {
  algorithms::DiceSource dice = DiceOf(state, {});
  if (state.IsOver()) return dice;
  absl::StatusOr<std::string> secret =
      world.box.Open(state.facts->sealed_secret, base::AsView(state.facts->id.bytes()));
  if (!secret.ok() || secret->size() != dice.secret.size()) {
    return Error(Reason::kInternal, "the secret of this game's dice does not open");
  }
  std::ranges::copy(*secret, dice.secret.begin());
  return dice;
}

absl::StatusOr<StatePtr> OnPreferredBuild(const World& world, StatePtr state) {
  auto ruleset = RulesetOf(world.catalog, *state->facts);
  if (!ruleset.ok()) return ruleset.status();
  if (*ruleset == state->ruleset) return state;
  absl::StatusOr<host::Position> position = (*ruleset)->FromBytes(state->position.bytes());
  if (!position.ok()) {
    return Error(Reason::kRulesetFault, "another build does not know this game's position");
  }
  auto moved = std::make_shared<GameState>(*state);
  moved->ruleset = *std::move(ruleset);
  return moved;
}

}  // namespace astragal::core
