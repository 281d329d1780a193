// Line charts as SVG: axes with round numbers, a line or a band for each series, a legend.
//
// Pure functions; any thread may call them. Works for any finite numbers; others are left out.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_CHART_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_CHART_H_

#include <cstdint>
#include <string>
#include <vector>

#include "services/algorithms/svg.h"

namespace astragal::algorithms {

struct ChartLine {
  std::string name;
  std::vector<Point> points;  // x ascending
  bool faint = false;         // thin and grey: something to compare with
};

// An area between two values at each x.
struct ChartBand {
  std::string name;
  std::vector<Point> low;  // the same x as in high
  std::vector<Point> high;
};

struct Chart {
  std::string title;
  std::string x_name;
  std::string y_name;
  int y_digits = 0;        // after the point
  bool x_is_days = false;  // x counts days since 1970-01-01 and is written as dates
  std::vector<ChartBand> bands;
  std::vector<ChartLine> lines;
  double width = 800;  // pixels
  double height = 400;
};

std::string DrawChart(const Chart& chart);

// Steps of 1, 2 or 5 times a power of ten, so that a range has about `count` of them. Positive for
// any range.
double RoundStep(double range, int count);
// "2026-03-01" of so many days since 1970-01-01.
std::string DateOfDay(int64_t day);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_CHART_H_
