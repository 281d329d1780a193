// Token buckets: how many pass at once and in the long run, waits that are true, and bounded
// memory.
#include "services/base/rate_table.h"

#include <gtest/gtest.h>

namespace astragal::base {
namespace {

constexpr int64_t kSecond = 1'000'000;

// Those of `tries` calls at one instant that pass.
int PassAt(RateTable& table, uint64_t subject, int64_t now, int tries) {
  int passed = 0;
  for (int i = 0; i < tries; ++i) passed += table.Take(subject, now) == 0 ? 1 : 0;
  return passed;
}

TEST(RateTable, ABurstAtOnceAndTheRateInTheLongRun) {
  const struct {
    const char* name;
    Rate rate;
    int at_once;
    int in_ten_seconds;  // after the burst
  } cases[] = {
      {"ten a second", {10, 20}, 20, 100},
      {"one at a time", {1, 1}, 1, 10},
      {"one in two seconds", {0.5, 3}, 3, 5},
      {"fast", {5'000, 100}, 100, 50'000},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    RateTable table(c.rate, 1'000);
    int64_t now = 77 * kSecond;
    EXPECT_EQ(PassAt(table, 1, now, 2 * c.at_once), c.at_once);
    int passed = 0;
    const int64_t end = now + 10 * kSecond;
    while (now < end) {
      now += 100;
      passed += table.Take(1, now) == 0 ? 1 : 0;
    }
    EXPECT_NEAR(passed, c.in_ten_seconds, 1);
    EXPECT_EQ(PassAt(table, 2, now, 2 * c.at_once), c.at_once) << "another subject";
    now += 1'000 * kSecond;
    EXPECT_EQ(PassAt(table, 1, now, 2 * c.at_once), c.at_once) << "after a pause";
  }
}

TEST(RateTable, SaysHowLongToWaitAndRefusalsCostNothing) {
  RateTable table({10, 2}, 1'000);
  const int64_t now = kSecond;
  EXPECT_EQ(PassAt(table, 1, now, 2), 2);
  const int64_t wait = table.Take(1, now);
  EXPECT_NEAR(static_cast<double>(wait), 100'000, 2);
  for (int i = 0; i < 50; ++i) EXPECT_GT(table.Take(1, now), 0);
  EXPECT_EQ(table.Look(1, now + wait), 0);
  EXPECT_EQ(table.Take(1, now + wait), 0);
  EXPECT_GT(table.Look(1, now + wait), 0);
  EXPECT_EQ(table.Look(2, now), 0) << "never seen";
}

TEST(RateTable, MadeUpSubjectsNeitherCostMemoryNorFreeAnybody) {
  RateTable table({1, 5}, 160);
  const int64_t now = kSecond;
  EXPECT_EQ(PassAt(table, 7, now, 10), 5);
  uint64_t passed = 0;
  for (uint64_t subject = 1'000; subject < 21'000; ++subject) {
    passed += table.Take(subject, now) == 0 ? 1 : 0;
  }
  EXPECT_LE(table.size(), 160U);
  EXPECT_LE(passed, 160U + 16 * 5) << "newcomers share a bucket in each of 16 shards";
  EXPECT_GT(table.Take(7, now), 0) << "whoever was limited still is";
  EXPECT_EQ(PassAt(table, 5'555, now + 10 * kSecond, 10), 5) << "full buckets were forgotten";
}

TEST(RateTable, AnAddedSubjectHasABucketOfItsOwn) {
  RateTable table({10, 3}, 1'000);
  int64_t now = kSecond;
  EXPECT_GT(table.TakeIfAdded(1, now), 0);
  table.Add(1, now);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(table.TakeIfAdded(1, now), 0);
  EXPECT_GT(table.TakeIfAdded(1, now), 0);
  table.Add(1, now);
  EXPECT_GT(table.TakeIfAdded(1, now), 0) << "adding again fills nothing";
  now += kSecond;
  EXPECT_EQ(table.TakeIfAdded(1, now), 0);
}

}  // namespace
}  // namespace astragal::base
