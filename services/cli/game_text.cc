#include "services/cli/game_text.h"

#include <map>
#include <vector>

#include "services/cli/errors.h"
#include "services/cli/seats.h"
#include "services/cli/text.h"

namespace astragal::cli {
namespace {

std::string WhoSits(const v1::Game& game) {
  const Seats seats(game);
  std::vector<std::string> who;
  for (const v1::Seat& seat : game.seats()) who.push_back(seats.Who(seat.seat()));
  return Join(who, ", ");
}

}  // namespace

std::string SeatsText(const v1::Game& game) {
  return "Game of " + game.ruleset_id() + ", " + std::string(StatusWord(game.status())) + ": " +
         WhoSits(game) + ".";
}

std::string HeadingText(const v1::Game& game) {
  // A map of the wire has no order; people want one.
  const std::map<std::string, std::string> options(game.options().begin(), game.options().end());
  std::vector<std::string> values;
  for (const auto& [name, value] : options) values.push_back(name + "=" + value);
  return "Game " + game.game_id() + "\n" + game.ruleset_id() + " v" +
         std::to_string(game.rules_version()) + (values.empty() ? "" : ": " + Join(values, " ")) +
         "\n" + WhoSits(game);
}

absl::Status ReadGameOption(const std::string& typed,
                            google::protobuf::Map<std::string, std::string>& options) {
  const size_t sign = typed.find('=');
  if (sign == std::string::npos || sign == 0) {
    return UsageError("An option is NAME=VALUE, not '" + typed + "'.");
  }
  const std::string name = typed.substr(0, sign);
  if (options.contains(name)) return UsageError("Option '" + name + "' is given twice.");
  options[name] = typed.substr(sign + 1);
  return absl::OkStatus();
}

}  // namespace astragal::cli
