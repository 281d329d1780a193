// What core needs of the world around it: four interfaces, the rulesets, the key that seals
// secrets, when nobody was there, and who wants to hear of ended games. Everything is borrowed and
// must outlive whatever is built on it. Thread-safe as its parts.
#ifndef ASTRAGAL_SERVICES_CORE_WORLD_H_
#define ASTRAGAL_SERVICES_CORE_WORLD_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "plugins/host/catalog.h"
#include "services/base/clock.h"
#include "services/base/crypto.h"
#include "services/base/random.h"
#include "services/base/scheduler.h"
#include "services/core/lag.h"
#include "services/core/outages.h"
#include "storage/game_store.h"

namespace astragal::core {

struct GameState;

struct World {
  const base::Clock& clock;
  base::Random& random;
  base::Scheduler& scheduler;
  storage::GameStore& store;
  const host::Catalog& catalog;
  const base::SecretBox& box;
  Outages& outages;
  // Told of each game of a match that this process has ended, perhaps twice. Called where the next
  // batch of commits waits for it: must be quick. May be empty.
  std::function<void(const GameState&)> on_match_game_over = nullptr;
  // Of the players who are connected to this node; null: nobody is given anything back for it.
  const Lag* lag = nullptr;
  // Of the store, for games that begin now: see GameFacts.
  uint32_t restore_epoch = 0;
  // Counts the events that wait in the buffers of game watchers, for metrics; may be null. Shared:
  // a watcher may outlive the world, and counts once more when it goes.
  std::shared_ptr<std::atomic<int64_t>> watch_buffered = nullptr;
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_WORLD_H_
