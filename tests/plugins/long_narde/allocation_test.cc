// actor, actions, chances, apply and effects allocate nothing, refusals included. A program of its
// own, since it replaces operator new.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "tests/plugins/long_narde/game.h"

namespace {
thread_local unsigned long allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
// Not inline: GCC would see free() called on what it knows to come from operator new.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace astragal::long_narde {
namespace {

// One of the outcomes of what is thrown now; their chances do not matter here.
int64_t AnyThrow(const Position& position, RandomEngine& random) {
  const int kind = Table().chances(&position);
  return ASTRAGAL_CHANCE_ACTION(kind, random() % Table().about->throw_kinds[kind].outcome_count);
}

TEST(Allocation, NoneWhilePlaying) {
  const unsigned long before_vector = allocations;
  RandomEngine random(3);
  const std::vector<int64_t> some(10);
  ASSERT_GT(allocations, before_vector) << "the counter does not count";
  const astragal_ruleset& table = Table();
  astragal_error error = {sizeof(error), {}, {}};
  unsigned long applied = 0;
  unsigned long allocated = 0;
  for (int game = 0; game < 200; ++game) {
    Position position = StartWith(RandomOptions(random));
    const unsigned long before = allocations;
    for (int actor = table.actor(&position); actor != ASTRAGAL_OVER;
         actor = table.actor(&position)) {
      int64_t actions[64];
      astragal_effect effects[16];
      const uint32_t count = table.actions(&position, actions, 64);
      const int64_t action =
          actor == ASTRAGAL_CHANCE ? AnyThrow(position, random) : actions[random() % count];
      table.effects(&position, actor, action, effects, 16);
      if (table.apply(&position, 0, 1 << 20, &error) == ASTRAGAL_OK) break;
      if (table.apply(&position, actor, action, &error) != ASTRAGAL_OK) break;
      ++applied;
    }
    allocated += allocations - before;
    ASSERT_EQ(table.actor(&position), ASTRAGAL_OVER) << "game " << game;
  }
  EXPECT_EQ(allocated, 0u);
  EXPECT_GT(applied, 200u * 100u);
}

}  // namespace
}  // namespace astragal::long_narde
