// Charts: what a reader sees of the data.
#include "services/algorithms/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace astragal::algorithms {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ChartTest, NamesAxesAndSeries) {
  Chart chart;
  chart.title = "Rating";
  chart.x_name = "matches";
  chart.y_name = "points";
  chart.lines = {{"Ann", {{0, 1500}, {10, 1600}}}, {"Bob", {{0, 1500}, {10, 1400}}}};
  const std::string svg = DrawChart(chart);
  for (const char* text : {"Rating", "matches", "points", "Ann", "Bob", ">1400<", ">1600<"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
}

TEST(ChartTest, WritesDaysAsDates) {
  Chart chart;
  chart.x_is_days = true;
  chart.lines = {{"Ann", {{20000, 1}, {20030, 2}}}};
  EXPECT_THAT(DrawChart(chart), HasSubstr("2024-10-0"));
}

TEST(ChartTest, LeavesOutWhatIsNoNumber) {
  Chart chart;
  chart.bands = {{"b", {{0, 1}, {1, NAN}}, {{0, 2}, {1, INFINITY}}}};
  chart.lines = {{"l", {{0, NAN}, {1, 3}}}, {"empty", {}}};
  const std::string svg = DrawChart(chart);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  EXPECT_THAT(svg, HasSubstr("<circle"));
}

TEST(ChartTest, StepsAreRound) {
  EXPECT_DOUBLE_EQ(RoundStep(6, 6), 1);
  EXPECT_DOUBLE_EQ(RoundStep(700, 6), 200);
  EXPECT_DOUBLE_EQ(RoundStep(0.3, 6), 0.05);
  EXPECT_DOUBLE_EQ(RoundStep(NAN, 6), 1);
}

TEST(ChartTest, DaysCountFrom1970) {
  EXPECT_EQ(DateOfDay(0), "1970-01-01");
  EXPECT_EQ(DateOfDay(-1), "1969-12-31");
  EXPECT_EQ(DateOfDay(20000), "2024-10-04");
}

}  // namespace
}  // namespace astragal::algorithms
