// Small things that several commands say about a game, and read for it.
#ifndef ASTRAGAL_SERVICES_CLI_GAME_TEXT_H_
#define ASTRAGAL_SERVICES_CLI_GAME_TEXT_H_

#include <google/protobuf/map.h>

#include <string>

#include "absl/status/status.h"
#include "astragal/v1/game.pb.h"

namespace astragal::cli {

// "Game of long_narde, open: white (alice), black (free)."
std::string SeatsText(const v1::Game& game);

// "long_narde (scoring=match, ...), white (alice), black (bob)": the heading of a replay.
std::string HeadingText(const v1::Game& game);

// Reads "name=value" into the map. An error of usage for anything else and for a name given twice.
absl::Status ReadGameOption(const std::string& typed,
                            google::protobuf::Map<std::string, std::string>& options);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_GAME_TEXT_H_
