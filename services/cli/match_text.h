// Matches as people read them. Pure.
#ifndef ASTRAGAL_SERVICES_CLI_MATCH_TEXT_H_
#define ASTRAGAL_SERVICES_CLI_MATCH_TEXT_H_

#include <string>

#include "astragal/v1/match_service.pb.h"

namespace astragal::cli {

// "to 7 points, winner begins, match clock".
std::string MatchTermsText(const v1::MatchTerms& terms);
// "alice 3 : 2 bob"; games won instead of points in a best-of, half ones as "1.5".
std::string MatchScoreText(const v1::Match& match);
// "running", "over: alice has won", "over: drawn", "waits for a new game", and more of the kind.
std::string MatchStatusText(const v1::Match& match);
// "game 2  JDK...  finished, bob 2 points".
std::string MatchGameText(const v1::Match& match, const v1::MatchGame& game);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_MATCH_TEXT_H_
