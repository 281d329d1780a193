#include "services/algorithms/rating_profile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "services/base/status.h"

namespace astragal::algorithms {
namespace {

using base::Error;
using base::Reason;

// Shown points of one unit of mu.
constexpr double kShownPerMu = 30;

// A number of a profile: its name, where it is, and the values it may have.
struct Field {
  std::string_view name;
  double& (*of)(RatingProfile& profile);
  double least;
  double most;
};

#define ASTRAGAL_FIELD(member) [](RatingProfile& profile) -> double& { return profile.member; }

constexpr std::array kFields = {
    Field{"start_rating", ASTRAGAL_FIELD(start.rating), 0, 5000},
    Field{"start_deviation", ASTRAGAL_FIELD(start.deviation), 1, 1000},
    Field{"start_volatility", ASTRAGAL_FIELD(start.volatility), 0.0001, 1},
    Field{"tau", ASTRAGAL_FIELD(tau), 0, 2},
    Field{"periods_per_day", ASTRAGAL_FIELD(periods_per_day), 0, 100},
    Field{"least_deviation", ASTRAGAL_FIELD(least_deviation), 1, 1000},
    Field{"most_deviation", ASTRAGAL_FIELD(most_deviation), 1, 1000},
    Field{"least_volatility", ASTRAGAL_FIELD(least_volatility), 0.0001, 1},
    Field{"most_volatility", ASTRAGAL_FIELD(most_volatility), 0.0001, 1},
    Field{"least_rating", ASTRAGAL_FIELD(least_rating), 0, 5000},
    Field{"most_rating", ASTRAGAL_FIELD(most_rating), 0, 5000},
    Field{"most_change", ASTRAGAL_FIELD(most_change), 1, 5000},
    Field{"length_information", ASTRAGAL_FIELD(length_information), 0, 2},
    Field{"first_move", ASTRAGAL_FIELD(first_move), -200, 200},
    Field{"start_mu", ASTRAGAL_FIELD(table_start.mu), 0, 100},
    Field{"start_sigma", ASTRAGAL_FIELD(table_start.sigma), 0.01, 25},
    Field{"beta", ASTRAGAL_FIELD(table.beta), 0.01, 100},
    Field{"table_tau", ASTRAGAL_FIELD(table.tau), 0, 10},
    Field{"kappa", ASTRAGAL_FIELD(table.kappa), 0, 1},
};
#undef ASTRAGAL_FIELD

std::string NumberText(double number) {
  std::array<char, 40> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
  return std::string(text.data(), end);
}

Error BadProfile(std::string_view word, std::string_view why) {
  return Error(Reason::kBadOption,
               "'" + std::string(word) + "' in a rating profile " + std::string(why))
      .With("field", std::string(word));
}

absl::Status SetField(RatingProfile& profile, std::string_view word) {
  const size_t equals = word.find('=');
  if (equals == std::string_view::npos) return BadProfile(word, "is not of the form name=value");
  const std::string_view name = word.substr(0, equals);
  const std::string_view value = word.substr(equals + 1);
  if (name == "name") {
    if (value.empty() || value.size() > 64) return BadProfile(word, "has 1 to 64 bytes");
    profile.name = std::string(value);
    return absl::OkStatus();
  }
  if (name == "fibs") {
    if (value != "yes" && value != "no") return BadProfile(word, "is yes or no");
    profile.fibs = value == "yes";
    return absl::OkStatus();
  }
  const auto field = std::ranges::find(kFields, name, &Field::name);
  if (field == kFields.end()) return BadProfile(word, "names nothing that can be set");
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) {
    return BadProfile(word, "is no number");
  }
  if (!(number >= field->least && number <= field->most)) {
    return BadProfile(
        word, "lies outside of " + NumberText(field->least) + " to " + NumberText(field->most));
  }
  field->of(profile) = number;
  return absl::OkStatus();
}

}  // namespace

RatingProfile DefaultProfile(std::string_view ruleset) {
  // What is likeliest by the games of bots in this room's README, as shown.
  struct Found {
    std::string_view ruleset;
    double deviation;        // of two
    double table_deviation;  // of three and four; 0: the ruleset has no such tables
  };
  constexpr std::array kFound = {
      Found{"long_narde", 175, 0},
      Found{"patolli", 100, 0},
      Found{"ashtapada", 350, 300},
  };
  RatingProfile profile;
  profile.fibs = ruleset == "long_narde";
  const auto found = std::ranges::find(kFound, ruleset, &Found::ruleset);
  if (found == kFound.end()) return profile;
  profile.start.deviation = profile.most_deviation = found->deviation;
  if (found->table_deviation > 0) profile.table_start.sigma = found->table_deviation / kShownPerMu;
  return profile;
}

RatingProfile PaperProfile() {
  RatingProfile profile;
  profile.name = "paper";
  profile.start = {1500, 350, 0.06};
  profile.tau = 0.5;
  profile.most_deviation = 350;
  profile.least_deviation = 30;
  profile.most_volatility = 0.1;
  profile.most_change = 1000;
  return profile;
}

RatingProfile LichessProfile() {
  RatingProfile profile = PaperProfile();
  profile.name = "lichess";
  profile.start = {1500, 500, 0.09};
  profile.tau = 0.75;
  profile.most_deviation = 500;
  profile.least_deviation = 45;
  profile.periods_per_day = 0.21436;
  return profile;
}

std::string FormatProfile(const RatingProfile& profile) {
  RatingProfile copy = profile;
  std::string text = "name=" + profile.name;
  for (const Field& field : kFields) {
    text += ' ';
    text += field.name;
    text += '=' + NumberText(field.of(copy));
  }
  return text + (profile.fibs ? " fibs=yes" : " fibs=no");
}

absl::StatusOr<RatingProfile> ParseProfile(std::string_view text, const RatingProfile& base) {
  RatingProfile profile = base;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n,"), text.size()));
    if (text.empty()) break;
    const size_t end = std::min(text.find_first_of(" \t\n,"), text.size());
    if (absl::Status set = SetField(profile, text.substr(0, end)); !set.ok()) return set;
    text.remove_prefix(end);
  }
  const std::pair<double, double> ranges[] = {{profile.least_deviation, profile.most_deviation},
                                              {profile.least_volatility, profile.most_volatility},
                                              {profile.least_rating, profile.most_rating}};
  for (const auto& [least, most] : ranges) {
    if (least > most) return BadProfile(NumberText(least), "is a least value above the most");
  }
  return profile;
}

double MatchInformation(const RatingProfile& profile, int length) {
  return 1 + profile.length_information * (std::max(length, 1) - 1) / 2;
}

Standing StartingStanding(const RatingProfile& profile, SeatClass seats) {
  Standing standing;
  if (seats == SeatClass::kTwo) {
    standing.rating = profile.start.rating;
    standing.deviation = profile.start.deviation;
    standing.volatility = profile.start.volatility;
  } else {
    standing.rating = profile.table_start.mu;
    standing.deviation = profile.table_start.sigma;
  }
  return standing;
}

Standing AgedStanding(const RatingProfile& profile, SeatClass seats, Standing standing,
                      base::Instant at) {
  if (seats != SeatClass::kTwo) return standing;
  const int64_t silence = standing.matches == 0 ? 0 : at.micros - standing.last_at.micros;
  const double days = static_cast<double>(std::max<int64_t>(silence, 0)) / kMicrosOfDay;
  const double grown =
      AgedDeviation(standing.deviation, standing.volatility, days * profile.periods_per_day);
  standing.deviation = std::clamp(grown, profile.least_deviation, profile.most_deviation);
  return standing;
}

double ShownRating(SeatClass seats, double rating) {
  return seats == SeatClass::kTwo ? rating : 1500 + kShownPerMu * (rating - 25);
}

double ShownDeviation(SeatClass seats, double deviation) {
  return seats == SeatClass::kTwo ? deviation : kShownPerMu * deviation;
}

RankState StateOf(SeatClass seats, const Standing& aged, base::Instant at) {
  const double deviation = ShownDeviation(seats, aged.deviation);
  if (deviation >= kProvisionalDeviation || aged.matches < kProvisionalMatches) {
    return RankState::kProvisional;
  }
  const bool ranked = deviation < kRankedDeviation && aged.matches >= kRankedMatches &&
                      aged.opponents >= kRankedOpponents &&
                      at.micros - aged.last_at.micros <= kRankedDays * kMicrosOfDay;
  return ranked ? RankState::kRanked : RankState::kEstablished;
}

double LowerBound(SeatClass seats, const Standing& aged) {
  return ShownRating(seats, aged.rating) - ShownDeviation(seats, aged.deviation);
}

}  // namespace astragal::algorithms
