// What is proposed in the lobby, as people type and read it. Pure.
#ifndef ASTRAGAL_SERVICES_CLI_LOBBY_TEXT_H_
#define ASTRAGAL_SERVICES_CLI_LOBBY_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "astragal/v1/lobby.pb.h"

namespace astragal::cli {

// As ReadClockPolicy reads it, for example "fischer:5m+3s".
std::string ClockText(const v1::ClockPolicy& clock);
// "scoring=match, fischer:5m+3s, to 7 points, rated, private"; "-" for a plain game.
std::string TermsText(const v1::ProposalTerms& terms);
std::string_view ProposalStateWord(v1::ProposalState state);

// A row of a table of proposals, and its heading.
std::vector<std::string> ProposalHeading();
std::vector<std::string> ProposalRow(const v1::Proposal& proposal);
// The same in one line.
std::string ProposalText(const v1::Proposal& proposal);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_LOBBY_TEXT_H_
