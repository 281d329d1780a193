// What a game looks like now: board, throws, who is to act and what can be played.
#ifndef ASTRAGAL_SERVICES_CLI_BOARD_TEXT_H_
#define ASTRAGAL_SERVICES_CLI_BOARD_TEXT_H_

#include <string>

#include "astragal/v1/game_service.pb.h"
#include "services/cli/context.h"
#include "services/cli/seats.h"

namespace astragal::cli {

// The board, ending with one line break.
std::string BoardText(const v1::Position& position);

// "throws 6, 3 (3 is played)"; "" when the position shows no throws.
std::string ThrowsText(const v1::Position& position);

// "white (alice) to act, throws 6, 3". Says so when chance is to act or nobody.
std::string TurnText(const v1::Position& position, const Seats& seats);

// The legal actions in columns, or a sentence when there is none.
std::string ActionsText(const v1::ListLegalActionsResponse& legal, const Terminal& terminal);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_BOARD_TEXT_H_
