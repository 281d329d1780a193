#include "services/cli/rating_text.h"

#include <cmath>
#include <cstdio>
#include <utility>

#include "services/algorithms/chart.h"
#include "services/base/ids.h"

namespace astragal::cli {

std::string RatingText(const v1::Rating& rating) {
  char text[64];
  const bool provisional = rating.state() == v1::RANK_STATE_PROVISIONAL;
  std::snprintf(text, sizeof text, "%d%s +-%.0f", rating.shown(), provisional ? "?" : "",
                2 * rating.deviation());
  return text;
}

std::string Fixed(double number, int digits) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

std::string ChangeText(double change) {
  char text[48];
  std::snprintf(text, sizeof text, "%+.1f", change);
  return text;
}

std::string HistoryChart(const std::string& title, const std::vector<v1::RatingStep>& steps) {
  constexpr double kSecondsOfDay = 86'400;
  algorithms::ChartLine line{"rating", {}, false};
  algorithms::ChartBand band{"95 of 100", {}, {}};
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const double day = static_cast<double>(step->finish_time().seconds()) / kSecondsOfDay;
    line.points.push_back({day, step->rating_after()});
    band.low.push_back({day, step->rating_after() - 2 * step->deviation_after()});
    band.high.push_back({day, step->rating_after() + 2 * step->deviation_after()});
  }
  algorithms::Chart chart;
  chart.title = title;
  chart.y_name = "rating and its interval";
  chart.x_is_days = true;
  chart.bands.push_back(std::move(band));
  chart.lines.push_back(std::move(line));
  return algorithms::DrawChart(chart);
}

absl::StatusOr<v1::Player> FindPlayer(Client& client, const std::string& name_or_id) {
  v1::GetPlayerRequest by_name;
  by_name.set_name(name_or_id);
  auto found = client.Call(by_name);
  if (found.ok()) return std::move(*found->mutable_player());
  if (!base::PlayerId::Parse(name_or_id)) return found.status();
  v1::GetPlayerRequest by_id;
  by_id.set_player_id(name_or_id);
  auto again = client.Call(by_id);
  if (!again.ok()) return again.status();
  return std::move(*again->mutable_player());
}

}  // namespace astragal::cli
