#include "services/cli/clock_text.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <utility>

namespace astragal::cli {
namespace {

constexpr int64_t kSecond = 1'000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kHour = 60 * kMinute;
constexpr int64_t kDay = 24 * kHour;
constexpr int64_t kMaxCount = 1'000'000'000;

constexpr std::array<std::pair<std::string_view, int64_t>, 6> kUnits = {
    {{"", kSecond}, {"ms", 1}, {"s", kSecond}, {"m", kMinute}, {"h", kHour}, {"d", kDay}}};

constexpr std::array<std::pair<std::string_view, v1::ClockKind>, 4> kKinds = {
    {{"delay", v1::CLOCK_KIND_DELAY},
     {"bronstein", v1::CLOCK_KIND_BRONSTEIN},
     {"fischer", v1::CLOCK_KIND_FISCHER},
     {"turn", v1::CLOCK_KIND_PER_TURN}}};

absl::Status Unreadable(std::string_view text) {
  return absl::InvalidArgumentError(
      "\"" + std::string(text) +
      "\" is no clock. Write delay:14m+8s, bronstein:6m+12s, fischer:5m+3s or turn:3d.");
}

}  // namespace

absl::StatusOr<int64_t> ReadDurationMs(std::string_view text) {
  int64_t count = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit(rest, static_cast<size_t>(text.data() + text.size() - rest));
  if (error == std::errc() && count >= 0 && count <= kMaxCount) {
    for (const auto& [name, ms] : kUnits) {
      if (unit == name && count <= INT64_MAX / ms) return count * ms;
    }
  }
  return absl::InvalidArgumentError("\"" + std::string(text) +
                                    "\" is no time. Write 90s, 15m, 2h or 3d.");
}

absl::StatusOr<v1::ClockPolicy> ReadClockPolicy(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return Unreadable(text);
  v1::ClockPolicy policy;
  for (const auto& [name, kind] : kKinds) {
    if (text.substr(0, colon) == name) policy.set_kind(kind);
  }
  if (policy.kind() == v1::CLOCK_KIND_UNSPECIFIED) return Unreadable(text);
  const std::string_view times = text.substr(colon + 1);
  const size_t plus = times.find('+');
  const auto first = ReadDurationMs(times.substr(0, plus));
  if (!first.ok()) return first.status();
  if (policy.kind() == v1::CLOCK_KIND_PER_TURN) {
    if (plus != std::string_view::npos) return Unreadable(text);
    policy.set_increment_ms(*first);
    return policy;
  }
  policy.set_reserve_ms(*first);
  if (plus == std::string_view::npos) return policy;
  const auto second = ReadDurationMs(times.substr(plus + 1));
  if (!second.ok()) return second.status();
  policy.set_increment_ms(*second);
  return policy;
}

std::string RemainingText(int64_t ms) {
  const int64_t days = ms / kDay;
  const int64_t hours = ms % kDay / kHour;
  const int64_t minutes = ms % kHour / kMinute;
  const int64_t seconds = ms % kMinute / kSecond;
  std::array<char, 64> text{};
  if (days > 0) {
    std::snprintf(text.data(), text.size(), "%ldd %ld:%02ld:%02ld", static_cast<long>(days),
                  static_cast<long>(hours), static_cast<long>(minutes), static_cast<long>(seconds));
  } else if (hours > 0) {
    std::snprintf(text.data(), text.size(), "%ld:%02ld:%02ld", static_cast<long>(hours),
                  static_cast<long>(minutes), static_cast<long>(seconds));
  } else if (ms < 10 * kSecond) {
    std::snprintf(text.data(), text.size(), "0:0%ld.%ld", static_cast<long>(seconds),
                  static_cast<long>(ms % kSecond / 100));
  } else {
    std::snprintf(text.data(), text.size(), "%ld:%02ld", static_cast<long>(minutes),
                  static_cast<long>(seconds));
  }
  return text.data();
}

std::string SeatClockText(const v1::SeatClock& clock) {
  if (clock.reserve_ms() == 0) return RemainingText(clock.turn_ms());
  std::string text = RemainingText(clock.reserve_ms());
  if (clock.turn_ms() > 0) text += " +" + RemainingText(clock.turn_ms());
  return text;
}

}  // namespace astragal::cli
