// Walking through a stored game from its first event, checking every hash on the way.
#ifndef ASTRAGAL_SERVICES_CORE_REPLAY_H_
#define ASTRAGAL_SERVICES_CORE_REPLAY_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "absl/status/statusor.h"
#include "services/core/game_state.h"
#include "services/core/world.h"

namespace astragal::core {

// The ruleset a game is bound to. FAILED_PRECONDITION / RULESET_VERSION_UNAVAILABLE.
absl::StatusOr<std::shared_ptr<const host::Ruleset>> RulesetOf(const host::Catalog& catalog,
                                                               const storage::GameFacts& facts);

// A cursor over one game's log. Reads the store in pages, so that a game of any length costs one
// page of memory. Blocks on the store; used by one thread at a time.
class Replay {
 public:
  // NOT_FOUND, RULESET_VERSION_UNAVAILABLE, STORE_UNAVAILABLE.
  static absl::StatusOr<Replay> Open(const World& world, GameId game);
  // The same for somebody who may not be allowed to see it: then NOT_FOUND too.
  static absl::StatusOr<Replay> OpenFor(PlayerId viewer, const World& world, GameId game);

  // The state after the last event that Next returned or SkipTo passed.
  const GameState& state() const { return state_; }
  // Number of the last event there was when the replay was opened.
  uint32_t end() const { return end_; }

  // The next event with its meaning; nullopt at the end of the log as it stands now. DATA_LOSS /
  // REPLAY_MISMATCH when a hash differs.
  absl::StatusOr<std::optional<EventView>> Next();
  // Follows the log up to and including `sequence`. SEQUENCE_UNKNOWN when it does not reach it.
  absl::Status SkipTo(uint32_t sequence);
  // Follows the log up to and including the last event that had happened at `at`.
  // SEQUENCE_UNKNOWN when none had.
  absl::Status SkipToTime(Instant at);

 private:
  static constexpr size_t kPage = 256;

  Replay(const World& world, GameState state, uint32_t end)
      : world_(&world), state_(std::move(state)), end_(end) {}
  static absl::StatusOr<Replay> Begin(const World& world, storage::StoredGame stored);
  absl::StatusOr<const EventRecord*> Peek();

  const World* world_;
  GameState state_;
  uint32_t end_;
  std::deque<EventRecord> page_;
};

// What a known request was answered with, rebuilt from its events. `first` is its first event.
struct Answered {
  GameState after;
  std::vector<EventView> events;
};
absl::StatusOr<Answered> RebuildAnswer(const World& world, const EventRecord& first);

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_REPLAY_H_
