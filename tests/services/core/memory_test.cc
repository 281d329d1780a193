// What an idle game costs while it is kept. A program of its own, since it replaces operator new.
#include <malloc.h>

#include <cstdlib>
#include <new>

#include "tests/services/core/sim/match_fixture.h"

namespace {
thread_local int64_t bytes_in_use = 0;

// Of the block, with what the allocator rounds up to and keeps in front of it.
int64_t SizeOf(void* memory) {
  return memory == nullptr ? 0 : static_cast<int64_t>(malloc_usable_size(memory) + sizeof(size_t));
}

// Not inlined: GCC 12 would take it for freeing what another allocator gave.
[[gnu::noinline]] void Release(void* memory) {
  bytes_in_use -= SizeOf(memory);
  std::free(memory);
}
}  // namespace

void* operator new(std::size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  bytes_in_use += SizeOf(memory);
  return memory;
}
void operator delete(void* memory) noexcept { Release(memory); }
void operator delete(void* memory, std::size_t) noexcept { Release(memory); }

namespace astragal::tests {
namespace {

constexpr int64_t kMostBytes = 2'048;
constexpr int kGames = 1'000;

class MemoryTest : public CoreTest {
 protected:
  MemoryTest() { catalog_->Add(LongNarde()); }
};

TEST_F(MemoryTest, AnIdleGameOfLongNardeTakesLessThanTwoKilobytes) {
  std::vector<GameId> ids;
  for (int i = 0; i < kGames; ++i) {
    core::CreateGame create = NewRace(1'000 + i);
    create.ruleset = "long_narde";
    create.terms.clock = {storage::ClockKind::kFischer, 600'000, 5'000, 60'000};
    ids.push_back(Started(create));
  }
  Restart();
  ASSERT_TRUE(a_->games.Find(ids[0]).ok());  // what is there once for all games
  const int64_t before = bytes_in_use;
  for (size_t i = 1; i < ids.size(); ++i) ASSERT_TRUE(a_->games.Find(ids[i]).ok());
  const int64_t each = (bytes_in_use - before) / (kGames - 1);
  std::cout << each << " bytes for each idle game" << std::endl;
  EXPECT_LT(each, kMostBytes);
  EXPECT_GT(each, 500) << "the counter does not count";
}

}  // namespace
}  // namespace astragal::tests
