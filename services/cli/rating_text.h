// How ratings are shown to people. Pure, but for FindPlayer, which asks the server.
#ifndef ASTRAGAL_SERVICES_CLI_RATING_TEXT_H_
#define ASTRAGAL_SERVICES_CLI_RATING_TEXT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "astragal/v1/rating.pb.h"
#include "services/cli/client.h"

namespace astragal::cli {

// "1523 +-84", with a question mark while it is provisional.
std::string RatingText(const v1::Rating& rating);
// With so many digits after the point.
std::string Fixed(double number, int digits);
// "+12.3", "-0.4".
std::string ChangeText(double change);
// The rating after each match and the band that holds the strength in 95 of 100 cases, oldest
// first, over days. `steps` as ListRatingSteps gives them: newest first.
std::string HistoryChart(const std::string& title, const std::vector<v1::RatingStep>& steps);

// A player by name or by id.
absl::StatusOr<v1::Player> FindPlayer(Client& client, const std::string& name_or_id);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_RATING_TEXT_H_
