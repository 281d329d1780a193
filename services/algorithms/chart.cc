#include "services/algorithms/chart.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

namespace astragal::algorithms {
namespace {

constexpr double kLeft = 64;  // margins, pixels
constexpr double kRight = 16;
constexpr double kTop = 40;
constexpr double kBottom = 52;
constexpr double kLegendRow = 16;
constexpr int kSteps = 6;  // of an axis, about
constexpr std::string_view kInk = "#2b2622";
constexpr std::string_view kGrid = "#ddd5c8";
constexpr std::string_view kFaint = "#8c8478";
constexpr std::array<std::string_view, 8> kColours = {"#1f5f8b", "#b3472d", "#3e7d3a", "#7a4e9c",
                                                      "#b0812a", "#3a8a8a", "#8a3a5e", "#55606b"};

bool IsFinite(const Point& point) { return std::isfinite(point.x) && std::isfinite(point.y); }

struct Range {
  double least = 0;
  double most = 1;
  double step = 1;
};

class Extent {
 public:
  void Add(double value) {
    least_ = any_ ? std::min(least_, value) : value;
    most_ = any_ ? std::max(most_, value) : value;
    any_ = true;
  }
  // Widened to whole steps where `round` says so.
  Range ToRange(bool round) const {
    Range range{least_, most_, 1};
    if (!any_) return {0, 1, 0.2};
    if (range.most - range.least < 1e-12 * std::max(1.0, std::abs(range.most))) {
      const double room = std::max(1e-6, std::abs(range.most) * 0.01);
      range.least -= room;
      range.most += room;
    }
    range.step = RoundStep(range.most - range.least, kSteps);
    if (!round) return range;
    range.least = std::floor(range.least / range.step) * range.step;
    range.most = std::ceil(range.most / range.step) * range.step;
    return range;
  }

 private:
  double least_ = 0;
  double most_ = 0;
  bool any_ = false;
};

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart), svg_(chart.width, chart.height) {
    Extent x;
    Extent y;
    const auto add = [&](const std::vector<Point>& points) {
      for (const Point& point : points) {
        if (!IsFinite(point)) continue;
        x.Add(point.x);
        y.Add(point.y);
      }
    };
    for (const ChartBand& band : chart.bands) add(band.low), add(band.high);
    for (const ChartLine& line : chart.lines) add(line.points);
    x_ = x.ToRange(false);
    y_ = y.ToRange(true);
    if (chart.x_is_days) x_.step = std::max(1.0, x_.step);
  }

  std::string Draw() {
    svg_.Rect({0, 0}, chart_.width, chart_.height, 0, {.fill = "#fffdf8"});
    svg_.Text({kLeft, kTop / 2}, chart_.title,
              {.fill = kInk, .size = 15, .anchor = Anchor::kStart, .bold = true});
    Axes();
    for (size_t i = 0; i < chart_.bands.size(); ++i) Band(chart_.bands[i], kColours[i % 8]);
    size_t colour = 0;
    for (const ChartLine& line : chart_.lines) {
      Line(line, line.faint ? kFaint : kColours[colour++ % kColours.size()]);
    }
    Legend();
    return svg_.Finish();
  }

 private:
  Point At(const Point& value) const {
    const double width = chart_.width - kLeft - kRight;
    const double height = chart_.height - kTop - kBottom;
    return {kLeft + (value.x - x_.least) / (x_.most - x_.least) * width,
            kTop + (y_.most - value.y) / (y_.most - y_.least) * height};
  }

  // As many digits as tell the steps of an axis apart, and at least those asked for.
  static int Digits(double step, int least) {
    return std::max(least, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  }

  static std::string NumberText(double number, int digits) {
    char text[48];
    std::snprintf(text, sizeof text, "%.*f", digits, number);
    return text;
  }

  void Axes() {
    const Paint grid{.fill = {}, .stroke = kGrid, .stroke_width = 1};
    for (int i = 0; i <= 2 * kSteps + 2; ++i) {
      const double y = y_.least + i * y_.step;
      if (y > y_.most + y_.step / 2) break;
      svg_.Line(At({x_.least, y}), At({x_.most, y}), grid);
      svg_.Text({kLeft - 6, At({0, y}).y}, NumberText(y, Digits(y_.step, chart_.y_digits)),
                {.fill = kInk, .size = 11, .anchor = Anchor::kEnd});
    }
    const double first = std::ceil(x_.least / x_.step) * x_.step;
    for (int i = 0; i <= 2 * kSteps + 2; ++i) {
      const double x = first + i * x_.step;
      if (x > x_.most) break;
      svg_.Line(At({x, y_.least}), At({x, y_.most}), grid);
      const std::string text = chart_.x_is_days ? DateOfDay(static_cast<int64_t>(std::floor(x)))
                                                : NumberText(x, Digits(x_.step, 0));
      svg_.Text({At({x, 0}).x, chart_.height - kBottom + 14}, text, {.fill = kInk, .size = 11});
    }
    svg_.Text({chart_.width / 2, chart_.height - 12}, chart_.x_name, {.fill = kInk, .size = 12});
    svg_.Text({chart_.width - kRight, kTop / 2}, chart_.y_name,
              {.fill = kFaint, .size = 12, .anchor = Anchor::kEnd});
  }

  void Band(const ChartBand& band, std::string_view colour) {
    std::vector<Point> corners;
    for (const Point& point : band.low) {
      if (IsFinite(point)) corners.push_back(At(point));
    }
    for (auto point = band.high.rbegin(); point != band.high.rend(); ++point) {
      if (IsFinite(*point)) corners.push_back(At(*point));
    }
    if (corners.size() >= 3) svg_.Polygon(corners, {.fill = colour, .opacity = 0.18});
  }

  void Line(const ChartLine& line, std::string_view colour) {
    const Paint paint{.fill = {}, .stroke = colour, .stroke_width = line.faint ? 1.0 : 2.0};
    const Point* before = nullptr;
    bool alone = true;
    for (const Point& point : line.points) {
      if (!IsFinite(point)) continue;
      if (before != nullptr) {
        svg_.Line(At(*before), At(point), paint);
        alone = false;
      }
      before = &point;
    }
    if (alone && before != nullptr) {
      svg_.Circle(At(*before), 3, {.fill = colour});
    }
    legend_.push_back({line.name, colour});
  }

  void Legend() {
    if (legend_.size() < 2) return;
    double y = kTop + 10;
    for (const auto& [name, colour] : legend_) {
      const double right = chart_.width - kRight - 8;
      svg_.Rect({right - 12, y - 5}, 12, 10, 0, {.fill = colour});
      svg_.Text({right - 18, y}, name, {.fill = kInk, .size = 11, .anchor = Anchor::kEnd});
      y += kLegendRow;
    }
  }

  const Chart& chart_;
  Svg svg_;
  Range x_;
  Range y_;
  std::vector<std::pair<std::string, std::string_view>> legend_;
};

}  // namespace

std::string DrawChart(const Chart& chart) { return Drawing(chart).Draw(); }

double RoundStep(double range, int count) {
  if (!(range > 0) || !std::isfinite(range)) return 1;
  const double rough = range / std::max(count, 1);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

std::string DateOfDay(int64_t day) {
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(day)))};
  char text[48];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

}  // namespace astragal::algorithms
