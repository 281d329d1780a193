// What a person types while playing: a word of the program, or actions in the ruleset's notation.
// Pure.
#ifndef ASTRAGAL_SERVICES_CLI_PLAY_LINE_H_
#define ASTRAGAL_SERVICES_CLI_PLAY_LINE_H_

#include <string>
#include <string_view>
#include <vector>

#include "astragal/v1/game_service.pb.h"

namespace astragal::cli {

struct PlayLine {
  enum class Kind { kNothing, kHelp, kBoard, kResign, kQuit, kActions };
  Kind kind = Kind::kNothing;
  // For kActions: the actions one by one. When `maybe_one` the spaces may as well belong to a
  // single action, and the whole line is another reading.
  std::vector<std::string> actions;
  std::string whole;
  bool maybe_one = false;
};

// Actions are separated by commas or semicolons if there are any, otherwise by spaces; a line that
// is exactly one of the listed actions is that one. Whatever stands behind # is left aside.
PlayLine ReadPlayLine(std::string_view line, const v1::ListLegalActionsResponse& legal);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_PLAY_LINE_H_
