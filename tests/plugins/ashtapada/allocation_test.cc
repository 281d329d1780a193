// Nothing on the way of a game allocates, whatever the options; a program of its own, because it
// counts in the global operator new.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "tests/plugins/ashtapada/driver.h"

namespace {
thread_local uint64_t allocated = 0;
}

void* operator new(std::size_t size) {
  ++allocated;
  void* const memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// Not inline: GCC would see free() called on what it knows to come from operator new.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace astragal::ashtapada_test {
namespace {

// Plays one game with buffers made before; returns how many allocations the table made.
uint64_t AllocationsOfGame(const std::vector<int64_t>& options, Random& random) {
  const astragal_ruleset& table = Table();
  std::vector<int64_t> actions(table.about->max_actions);
  std::vector<astragal_effect> effects(table.about->max_effects);
  std::vector<char> text(ASTRAGAL_MAX_TEXT_BYTES);
  astragal_error error{};
  error.struct_size = sizeof(error);
  Aligned aligned{Start(options)};
  Position& position = aligned.position;
  const uint64_t before = allocated;
  for (int actor = table.actor(&position); actor != ASTRAGAL_OVER; actor = table.actor(&position)) {
    int64_t action = ASTRAGAL_CHANCE_ACTION(table.chances(&position), random() % 5);
    if (actor >= 0) {
      const uint32_t count =
          table.actions(&position, actions.data(), static_cast<uint32_t>(actions.size()));
      action = actions[random() % count];
    }
    table.effects(&position, actor, action, effects.data(), table.about->max_effects);
    table.text(&position, text.data(), static_cast<uint32_t>(text.size()));
    table.apply(&position, actor, -1, &error);  // refused
    if (table.apply(&position, actor, action, &error) != ASTRAGAL_OK) std::abort();
  }
  return allocated - before;
}

TEST(Allocation, TheCounterCounts) {
  const uint64_t before = allocated;
  const std::vector<int> some(10);
  EXPECT_GT(allocated, before);
  EXPECT_EQ(some.size(), 10u);
}

TEST(Allocation, NoneInGames) {
  Random random(6);
  for (const char* forgo : {"after_first", "any", "none"}) {
    const std::vector<int64_t> options = OptionValues(
        {{"forgo", forgo}, {"twin_move", "half"}, {"triplets", "as_twins"}, {"players", "3"}});
    EXPECT_EQ(AllocationsOfGame(options, random), 0u) << forgo;
  }
}

}  // namespace
}  // namespace astragal::ashtapada_test
