// One process of the service as core knows it: a scheduler of its own and the games, over a store
// that several nodes may share.
#ifndef ASTRAGAL_TESTS_SERVICES_CORE_SIM_NODE_H_
#define ASTRAGAL_TESTS_SERVICES_CORE_SIM_NODE_H_

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "services/base/clock.h"
#include "services/base/crypto.h"
#include "services/core/games.h"
#include "tests/services/core/sim/race.h"
#include "tests/services/core/sim/simulated_scheduler.h"
#include "tests/services/core/sim/simulated_store.h"

namespace astragal::tests {

struct Node {
  Node(base::ManualClock& clock, storage::GameStore& store, const host::Catalog& catalog,
       const base::SecretBox& box, uint64_t seed)
      : scheduler(clock, seed),
        random(seed ^ 0x5EED),
        lag(clock, random),
        games(WorldOf(clock, store, catalog, box)) {}
  ~Node() { scheduler.Kill(); }

  core::World WorldOf(base::ManualClock& clock, storage::GameStore& store,
                      const host::Catalog& catalog, const base::SecretBox& box) {
    core::World world{clock, random, scheduler, store, catalog, box, outages};
    world.on_match_game_over = [this](const core::GameState& game) {
      if (on_match_game_over) on_match_game_over(game);
    };
    world.lag = &lag;
    world.watch_buffered = watch_buffered;
    return world;
  }

  const std::shared_ptr<std::atomic<int64_t>> watch_buffered =
      std::make_shared<std::atomic<int64_t>>(0);
  SimulatedScheduler scheduler;
  SeededRandom random;
  core::Outages outages;
  std::function<void(const core::GameState&)> on_match_game_over;  // of a test that has matches
  core::Lag lag;
  core::Games games;
};

inline base::PlayerId Player(uint8_t number) {
  base::IdBytes bytes{};
  bytes[0] = 0x70;
  bytes[15] = number;
  return base::PlayerId(bytes);
}

inline base::RequestId Request(uint64_t number) {
  base::RequestId request;
  request.bytes[0] = 0x72;
  for (size_t i = 0; i < 8; ++i) request.bytes[15 - i] = static_cast<uint8_t>(number >> (8 * i));
  return request;
}

}  // namespace astragal::tests

#endif  // ASTRAGAL_TESTS_SERVICES_CORE_SIM_NODE_H_
