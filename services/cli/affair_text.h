// A player's own affairs as lines for people. Pure.
#ifndef ASTRAGAL_SERVICES_CLI_AFFAIR_TEXT_H_
#define ASTRAGAL_SERVICES_CLI_AFFAIR_TEXT_H_

#include <string>
#include <string_view>

#include "astragal/v1/affair.pb.h"
#include "astragal/v1/lobby.pb.h"

namespace astragal::cli {

// "your turn", "an offer for you", ...; "something new" for a value of a newer server.
std::string_view NewsText(v1::GameNews news);
// "GAME  long_narde against bob: your turn"; what awaits the player when there is no news.
std::string AffairText(const v1::GameAffair& affair);
// "POOL  your rating was computed again from match 7 on: 1510.2 became 1498.7".
std::string RatingNewsText(const v1::RatingsRecomputed& news);
// "PROPOSAL  alice to bob: long_narde", and what became of it.
std::string ProposalNewsText(const v1::Proposal& proposal);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_AFFAIR_TEXT_H_
