#include "services/algorithms/throw_statistics.h"

#include <gtest/gtest.h>

#include <random>

namespace astragal::algorithms {
namespace {

// Tables of the chi-square and the normal distribution, as printed in any textbook.
TEST(ChiSquareTail, AgreesWithTables) {
  const struct {
    double degrees, value, p;
  } rows[] = {{1, 3.841, 0.05},     {1, 6.635, 0.01},   {2, 5.991, 0.05},    {5, 11.070, 0.05},
              {5, 1.145, 0.95},     {10, 18.307, 0.05}, {10, 29.588, 0.001}, {35, 49.802, 0.05},
              {100, 124.342, 0.05}, {100, 77.929, 0.95}};
  for (const auto& row : rows) {
    EXPECT_NEAR(ChiSquareTail(row.value, row.degrees), row.p, 0.0002)
        << row.value << " of " << row.degrees;
  }
  EXPECT_EQ(ChiSquareTail(0, 5), 1);
  EXPECT_NEAR(NormalTails(1.959964), 0.05, 1e-6);
  EXPECT_NEAR(NormalTails(-3.290527), 0.001, 1e-6);
  EXPECT_EQ(NormalTails(0), 1);
}

double Of(const ThrowStatistics& statistics, const std::string& name) {
  for (const ThrowTest& test : statistics.Tests()) {
    if (test.name == name) return test.p;
  }
  ADD_FAILURE() << "no test " << name;
  return -1;
}

TEST(ThrowStatistics, ChanceLooksLikeChanceAndOtherThingsDoNot) {
  const std::vector<uint32_t> die(6, 1);
  std::mt19937_64 random(3);
  std::uniform_int_distribution<uint32_t> face(0, 5);
  ThrowStatistics honest(die), loaded(die), alternating(die), sticky(die);
  uint32_t last = 0;
  for (uint32_t i = 0; i < 60'000; ++i) {
    honest.Add(face(random));
    loaded.Add(i % 100 == 0 ? 5 : face(random));
    alternating.Add(i % 6);
    if (i % 20 != 0) last = face(random);
    sticky.Add(last);
  }
  for (const ThrowTest& test : honest.Tests()) {
    EXPECT_GT(test.p, 0.001) << test.name;
    EXPECT_LT(test.p, 0.999) << test.name;
  }
  EXPECT_EQ(honest.Tests().size(), 2u + ThrowStatistics::kLags);
  EXPECT_LT(Of(loaded, "faces"), 0.001) << "one throw in a hundred is a six";
  EXPECT_GT(Of(alternating, "faces"), 0.999) << "too even";
  EXPECT_LT(Of(alternating, "pairs"), 0.001);
  EXPECT_LT(Of(sticky, "lag 1"), 0.001) << "one throw in twenty repeats the one before";
}

TEST(ThrowStatistics, GamesAreCutApartAndFewThrowsSayNothing) {
  ThrowStatistics statistics({1, 1});
  for (int game = 0; game < 200; ++game) {
    statistics.Cut();
    statistics.Add(0);
  }
  EXPECT_EQ(statistics.count(), 200u);
  ASSERT_EQ(statistics.Tests().size(), 1u) << "no two throws of one game";
  EXPECT_EQ(statistics.Tests()[0].name, "faces");
  EXPECT_TRUE(ThrowStatistics({1, 1}).Tests().empty());
  ThrowStatistics sure({7});
  for (int i = 0; i < 100; ++i) sure.Add(0);
  EXPECT_TRUE(sure.Tests().empty()) << "one outcome alone is no chance";
}

}  // namespace
}  // namespace astragal::algorithms
