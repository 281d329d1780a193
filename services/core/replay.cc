#include "services/core/replay.h"

#include <utility>

#include "services/base/status.h"

namespace astragal::core {

using base::Error;
using base::Reason;

absl::StatusOr<std::shared_ptr<const host::Ruleset>> RulesetOf(const host::Catalog& catalog,
                                                               const storage::GameFacts& facts) {
  std::shared_ptr<const host::Ruleset> ruleset = catalog.Find(facts.ruleset, facts.rules_version);
  if (ruleset != nullptr) return ruleset;
  return Error(Reason::kRulesetVersionUnavailable, "no loaded ruleset plays this game's rules")
      .With("ruleset", facts.ruleset)
      .With("rules_version", facts.rules_version);
}

absl::StatusOr<Replay> Replay::Open(const World& world, GameId game) {
  absl::StatusOr<storage::StoredGame> stored = world.store.Load(game);
  if (!stored.ok()) return stored.status();
  return Begin(world, *std::move(stored));
}

absl::StatusOr<Replay> Replay::OpenFor(PlayerId viewer, const World& world, GameId game) {
  absl::StatusOr<storage::StoredGame> stored = world.store.Load(game);
  if (!stored.ok()) return stored.status();
  if (!MaySee(stored->facts, stored->seats, viewer)) return NoSuchGame();
  return Begin(world, *std::move(stored));
}

absl::StatusOr<Replay> Replay::Begin(const World& world, storage::StoredGame stored) {
  auto ruleset = RulesetOf(world.catalog, stored.facts);
  if (!ruleset.ok()) return ruleset.status();
  absl::StatusOr<GameState> state = StartState(std::move(stored.facts), *std::move(ruleset));
  if (!state.ok()) return state.status();
  return Replay(world, *std::move(state), stored.head.sequence);
}

// The next event, still on the page; null at the end of the log.
absl::StatusOr<const EventRecord*> Replay::Peek() {
  if (page_.empty()) {
    absl::StatusOr<std::vector<EventRecord>> page =
        world_->store.Events(state_.facts->id, state_.sequence, kPage);
    if (!page.ok()) return page.status();
    for (EventRecord& event : *page) page_.push_back(std::move(event));
  }
  return page_.empty() ? nullptr : &page_.front();
}

absl::StatusOr<std::optional<EventView>> Replay::Next() {
  const absl::StatusOr<const EventRecord*> event = Peek();
  if (!event.ok()) return event.status();
  if (*event == nullptr) return std::nullopt;
  absl::StatusOr<EventView> view = AdvanceAndView(state_, **event);
  if (!view.ok()) return view.status();
  page_.pop_front();
  return *std::move(view);
}

absl::Status Replay::SkipTo(uint32_t sequence) {
  while (state_.sequence < sequence) {
    const absl::StatusOr<const EventRecord*> event = Peek();
    if (!event.ok()) return event.status();
    if (*event == nullptr) {
      return Error(Reason::kSequenceUnknown, "the log does not reach this sequence")
          .With("current_sequence", state_.sequence)
          .With("restore_epoch", state_.facts->restore_epoch);
    }
    if (const absl::Status advanced = Advance(state_, **event); !advanced.ok()) return advanced;
    page_.pop_front();
  }
  return absl::OkStatus();
}

absl::Status Replay::SkipToTime(Instant at) {
  while (true) {
    const absl::StatusOr<const EventRecord*> event = Peek();
    if (!event.ok()) return event.status();
    if (*event == nullptr || at < (*event)->at) break;
    if (const absl::Status advanced = Advance(state_, **event); !advanced.ok()) return advanced;
    page_.pop_front();
  }
  if (state_.sequence > 0) return absl::OkStatus();
  return Error(Reason::kSequenceUnknown, "the game had not begun then");
}

absl::StatusOr<Answered> RebuildAnswer(const World& world, const EventRecord& first) {
  absl::StatusOr<Replay> replay = Replay::Open(world, first.game);
  if (!replay.ok()) return replay.status();
  if (absl::Status skipped = replay->SkipTo(first.sequence - 1); !skipped.ok()) return skipped;
  std::vector<EventView> events;
  for (uint16_t i = 0; first.request && i < first.request->event_count; ++i) {
    absl::StatusOr<std::optional<EventView>> event = replay->Next();
    if (!event.ok()) return event.status();
    if (!*event) {
      return Error(Reason::kReplayMismatch, "a command's events are missing")
          .With("sequence", replay->state().sequence + 1);
    }
    events.push_back(**std::move(event));
  }
  return Answered{replay->state(), std::move(events)};
}

}  // namespace astragal::core
