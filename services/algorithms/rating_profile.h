// What ratings are computed with, and what a player's rating is. A profile belongs to a pool, is
// stored with it and shown with it: configuration, not code.
//
// Plain data and pure functions; any thread may use them.
#ifndef ASTRAGAL_SERVICES_ALGORITHMS_RATING_PROFILE_H_
#define ASTRAGAL_SERVICES_ALGORITHMS_RATING_PROFILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "services/algorithms/fibs.h"
#include "services/algorithms/glicko2.h"
#include "services/algorithms/weng_lin.h"
#include "services/base/clock.h"

namespace astragal::algorithms {

// The defaults are the profile "dice": made for games in which the better player of two wins
// perhaps six times of ten.
struct RatingProfile {
  std::string name = "dice";

  // Two seats: Glicko-2, one match at a time.
  Glicko start{1500, 150, 0.04};
  double tau = 0.3;
  // How fast the deviation grows without matches: 50 becomes 100 in a year.
  double periods_per_day = 0.425559;
  double least_deviation = 40;
  double most_deviation = 150;
  double least_volatility = 0.01;
  double most_volatility = 0.08;
  double least_rating = 100;
  double most_rating = 3500;
  double most_change = 250;  // of one match
  // How much more a longer match tells: a match to N points has the information
  // 1 + length_information * (N - 1) / 2.
  double length_information = 1;
  // Points that the first move is worth, where the system gave it to a seat.
  double first_move = 0;
  bool fibs = false;  // keep the FIBS number too

  // Three and four seats: Plackett-Luce on the finishing order.
  WengLin table_start{25, 2.5};
  WengLinConstants table{25.0 / 6, 25.0 / 600, 0.0001};

  friend bool operator==(const RatingProfile&, const RatingProfile&) = default;
};

// What pools of this ruleset begin with: the dice profile with what calibration found (the tables
// are in this room's README); of an unknown ruleset the dice profile as it is.
RatingProfile DefaultProfile(std::string_view ruleset);

// What chess servers use; here to compare with.
RatingProfile PaperProfile();    // deviation 350, volatility 0.06, tau 0.5
RatingProfile LichessProfile();  // deviation 500, volatility 0.09, tau 0.75

// "name=dice start_deviation=150 ...": every field, so that a stored profile says all. Numbers keep
// all their digits.
std::string FormatProfile(const RatingProfile& profile);
// Fields that are not there keep the value of `base`. BAD_OPTION: an unknown field or a value out
// of its bounds, which the message names.
absl::StatusOr<RatingProfile> ParseProfile(std::string_view text, const RatingProfile& base = {});

// The information of a match to so many points.
double MatchInformation(const RatingProfile& profile, int length);

// What a pool holds of one player. In pools of three and four seats `rating` and `deviation` are mu
// and sigma, and the volatility stays 0.
struct Standing {
  double rating = 0;
  double deviation = 0;
  double volatility = 0;
  uint32_t matches = 0;    // rated ones
  uint32_t opponents = 0;  // different ones
  uint32_t wins = 0;       // first alone
  uint32_t draws = 0;      // first with others
  base::Instant last_at;   // end of the last rated match
  double peak = 0;         // best shown rating that was not provisional; 0: none yet
  base::Instant peak_at;
  Fibs fibs;

  friend bool operator==(const Standing&, const Standing&) = default;
};

// Seats of a pool: two, or three and four together.
enum class SeatClass : uint8_t { kTwo = 2, kTable = 4 };

Standing StartingStanding(const RatingProfile& profile, SeatClass seats);
// The standing at `at`: its deviation has grown since the last match (of two seats).
Standing AgedStanding(const RatingProfile& profile, SeatClass seats, Standing standing,
                      base::Instant at);

// On the scale that is shown: of a table 1500 + 30 (mu - 25), and 30 sigma.
double ShownRating(SeatClass seats, double rating);
double ShownDeviation(SeatClass seats, double deviation);

enum class RankState : uint8_t {
  kProvisional = 1,  // shown with a question mark, in no list
  kEstablished = 2,  // known well enough to be shown without
  kRanked = 3,       // in the list
};

inline constexpr double kProvisionalDeviation = 90;  // from here on, on the shown scale
inline constexpr uint32_t kProvisionalMatches = 10;  // below
inline constexpr double kRankedDeviation = 75;       // below
inline constexpr uint32_t kRankedMatches = 20;
inline constexpr uint32_t kRankedOpponents = 8;
inline constexpr int64_t kRankedDays = 60;  // since the last match, at most
inline constexpr int64_t kMicrosOfDay = 86'400'000'000;

// `aged` as AgedStanding gives it for `at`.
RankState StateOf(SeatClass seats, const Standing& aged, base::Instant at);
// What lists are ordered by: rating less deviation, as shown.
double LowerBound(SeatClass seats, const Standing& aged);

}  // namespace astragal::algorithms

#endif  // ASTRAGAL_SERVICES_ALGORITHMS_RATING_PROFILE_H_
