// actor, actions, chances and apply allocate nothing, refusals included. A program of its own,
// since it replaces operator new.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <random>

#include "tests/plugins/patolli/driver.h"

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

namespace astragal::patolli_test {
namespace {

TEST(Allocation, NoneWhilePlaying) {
  const astragal_ruleset& table = Table();
  std::mt19937_64 random(3);
  astragal_error error{};
  error.struct_size = sizeof(error);
  const unsigned long before_vector = allocations;
  Bytes position = Start(OptionValues({}));
  ASSERT_GT(allocations, before_vector) << "the counter does not count";
  const unsigned long before = allocations;
  unsigned long applied = 0;
  for (int actor = table.actor(position.get()); actor != ASTRAGAL_OVER;
       actor = table.actor(position.get())) {
    int64_t actions[8];
    const uint32_t count = table.actions(position.get(), actions, 8);
    const int64_t action =
        actor == ASTRAGAL_CHANCE ? DrawThrow(position, random) : actions[random() % count];
    if (table.apply(position.get(), 0, 1 << 20, &error) == ASTRAGAL_OK) break;
    if (table.apply(position.get(), actor, action, &error) != ASTRAGAL_OK) break;
    ++applied;
  }
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(table.actor(position.get()), ASTRAGAL_OVER);
  EXPECT_GT(applied, 100u);
}

}  // namespace
}  // namespace astragal::patolli_test
