// Which pool of ratings a match belongs to, and what that pool is computed with.
//
// A pool is a ruleset, the options that change its balance where they differ from the defaults, two
// seats or tables of three and four, a speed, and humans only or with bots. Its name says all of
// that. Pure; any thread may call these.
#ifndef ASTRAGAL_SERVICES_CORE_RATING_TERMS_H_
#define ASTRAGAL_SERVICES_CORE_RATING_TERMS_H_

#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "plugins/host/about.h"
#include "services/algorithms/rating_profile.h"
#include "storage/records.h"

namespace astragal::core {

enum class Speed : uint8_t { kBlitz = 1, kStandard = 2, kDays = 3 };

// By the seconds that a player may need for a game, reserve + 50 * delay: under 600 blitz, from
// 86,400 on and without a clock days, else standard.
Speed SpeedOf(const storage::ClockPolicy& clock);
std::string_view SpeedWord(Speed speed);

// "long_narde/2/standard/human", "patolli/2/blitz/bot/stake=30". `seats` is 2 to 4. BAD_OPTION when
// the options are not those of the ruleset.
absl::StatusOr<std::string> PoolName(const host::About& about, absl::Span<const int64_t> options,
                                     int seats, const storage::ClockPolicy& clock, bool with_bots);
algorithms::SeatClass SeatClassOf(int seats);

// The profiles of new pools: what this service comes with, and what the operator changed.
class RatingProfiles {
 public:
  // Lines "RULESET field=value ..." change the profile of one ruleset, "* field=value ..." that of
  // all; '#' begins a comment. BAD_OPTION names the line.
  static absl::StatusOr<RatingProfiles> Parse(std::string_view text);

  algorithms::RatingProfile For(std::string_view ruleset) const;

 private:
  std::map<std::string, std::string, std::less<>> changes_;  // by ruleset or *
};

}  // namespace astragal::core

#endif  // ASTRAGAL_SERVICES_CORE_RATING_TERMS_H_
