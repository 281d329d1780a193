#include "services/base/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace astragal::base {
namespace {

TEST(HistogramTest, HasNothingToSayWithoutValues) {
  const Histogram empty;
  EXPECT_EQ(empty.count(), 0u);
  EXPECT_EQ(empty.Percentile(50), 0);
  EXPECT_EQ(empty.Mean(), 0);
  EXPECT_EQ(empty.max(), 0);
}

TEST(HistogramTest, KeepsSmallValuesAsTheyAre) {
  Histogram histogram;
  for (int value = 1; value <= 50; ++value) histogram.Record(value);
  EXPECT_EQ(histogram.Percentile(0), 1);
  EXPECT_EQ(histogram.Percentile(2), 1);
  EXPECT_EQ(histogram.Percentile(50), 25);
  EXPECT_EQ(histogram.Percentile(98), 49);
  EXPECT_EQ(histogram.Percentile(100), 50);
  EXPECT_DOUBLE_EQ(histogram.Mean(), 25.5);
}

TEST(HistogramTest, ClampsWhatIsOutOfRange) {
  Histogram histogram;
  histogram.Record(-5);
  EXPECT_EQ(histogram.Percentile(100), 0);
  histogram.Record(INT64_MAX);
  EXPECT_EQ(histogram.max(), int64_t{1} << 40);
  EXPECT_EQ(histogram.Percentile(100), int64_t{1} << 40);
}

// Against the sorted values themselves, over twelve powers of ten.
TEST(HistogramTest, IsRightToThreePercent) {
  constexpr uint64_t kSeed = 20;
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> exponent(0, 12);
  Histogram histogram;
  std::vector<int64_t> values;
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(static_cast<int64_t>(std::pow(10, exponent(random))));
    histogram.Record(values.back());
  }
  std::sort(values.begin(), values.end());
  for (const double percent : {1.0, 10.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
    const auto rank = static_cast<size_t>(std::ceil(percent / 100 * 20'000));
    const auto exact = static_cast<double>(values[rank - 1]);
    EXPECT_NEAR(static_cast<double>(histogram.Percentile(percent)), exact, exact * 0.032)
        << percent << " %, seed " << kSeed;
  }
}

TEST(HistogramTest, LosesNothingToThreads) {
  Histogram histogram;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&histogram] {
      for (int i = 1; i <= 10'000; ++i) histogram.Record(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(histogram.count(), 40'000u);
  EXPECT_EQ(histogram.max(), 10'000);
  EXPECT_DOUBLE_EQ(histogram.Mean(), 5000.5);
}

}  // namespace
}  // namespace astragal::base
