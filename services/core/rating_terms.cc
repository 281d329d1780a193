#include "services/core/rating_terms.h"

#include <algorithm>

#include "services/base/status.h"

namespace astragal::core {
namespace {

using base::Error;
using base::Reason;
using storage::ClockKind;

constexpr int64_t kTurns = 50;  // of a player in a game, for the estimate
constexpr int64_t kBlitzMs = 600'000;
constexpr int64_t kDayMs = 86'400'000;

std::string ValueText(const host::Option& option, int64_t value) {
  const bool named =
      option.is_choice && value >= 0 && static_cast<size_t>(value) < option.choices.size();
  return named ? option.choices[static_cast<size_t>(value)] : std::to_string(value);
}

}  // namespace

Speed SpeedOf(const storage::ClockPolicy& clock) {
  if (clock.kind == ClockKind::kNone) return Speed::kDays;
  // No product overflows: who waits for years waits for days.
  const int64_t delay_ms = std::min(clock.increment_ms, kDayMs);
  const int64_t estimate_ms = std::min(clock.reserve_ms, kDayMs) + kTurns * delay_ms;
  if (estimate_ms >= kDayMs) return Speed::kDays;
  return estimate_ms < kBlitzMs ? Speed::kBlitz : Speed::kStandard;
}

std::string_view SpeedWord(Speed speed) {
  switch (speed) {
    case Speed::kBlitz:
      return "blitz";
    case Speed::kStandard:
      return "standard";
    case Speed::kDays:
      return "days";
  }
  return "standard";
}

algorithms::SeatClass SeatClassOf(int seats) {
  return seats == 2 ? algorithms::SeatClass::kTwo : algorithms::SeatClass::kTable;
}

absl::StatusOr<std::string> PoolName(const host::About& about, absl::Span<const int64_t> options,
                                     int seats, const storage::ClockPolicy& clock, bool with_bots) {
  if (options.size() != about.options.size()) {
    return Error(Reason::kBadOption, "these are not the options of the ruleset");
  }
  std::string name = about.id + (seats == 2 ? "/2/" : "/3-4/");
  name += SpeedWord(SpeedOf(clock));
  name += with_bots ? "/bot" : "/human";
  char separator = '/';
  for (size_t i = 0; i < options.size(); ++i) {
    const host::Option& option = about.options[i];
    if (option.keeps_balance || option.is_seats || options[i] == option.default_value) continue;
    name += separator + option.name + '=' + ValueText(option, options[i]);
    separator = ',';
  }
  return name;
}

absl::StatusOr<RatingProfiles> RatingProfiles::Parse(std::string_view text) {
  RatingProfiles profiles;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, std::min(text.find('#'), end));
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (line.empty()) continue;
    const size_t word = std::min(line.find_first_of(" \t\r"), line.size());
    std::string fields(line.substr(word));
    std::erase(fields, '\r');
    const auto profile = algorithms::ParseProfile(fields);
    if (!profile.ok()) {
      return Error(Reason::kBadOption, "line " + std::to_string(number) + ": " +
                                           std::string(profile.status().message()));
    }
    profiles.changes_[std::string(line.substr(0, word))] += fields + ' ';
  }
  return profiles;
}

algorithms::RatingProfile RatingProfiles::For(std::string_view ruleset) const {
  algorithms::RatingProfile profile = algorithms::DefaultProfile(ruleset);
  for (const std::string_view name : {std::string_view("*"), ruleset}) {
    const auto change = changes_.find(name);
    if (change == changes_.end()) continue;
    const auto changed = algorithms::ParseProfile(change->second, profile);
    if (changed.ok()) profile = *changed;
  }
  return profile;
}

}  // namespace astragal::core
