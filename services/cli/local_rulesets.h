// Rulesets opened on this machine, for commands that need no server. Like any plugin, a library
// opened here is trusted as much as this program.
#ifndef ASTRAGAL_SERVICES_CLI_LOCAL_RULESETS_H_
#define ASTRAGAL_SERVICES_CLI_LOCAL_RULESETS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "plugins/host/ruleset.h"

namespace CLI {
class App;
}  // namespace CLI

namespace astragal::cli {

// Which ruleset, with which options.
struct LocalGame {
  std::string ruleset;  // id, or path of a library
  std::string plugins;  // folder of lib*.so; empty: beside this program
  std::string preset;
  std::vector<std::string> options;  // NAME=VALUE
};

// Adds --plugins, --preset and --option.
void AddLocalGameOptions(CLI::App& app, LocalGame& game);

// An error of usage that names the folder when there is no such library.
absl::StatusOr<std::shared_ptr<const host::Ruleset>> OpenLocal(const LocalGame& game);
// Option values in the ruleset's order. BAD_OPTION.
absl::StatusOr<std::vector<int64_t>> OptionsOf(const LocalGame& game, const host::Ruleset& ruleset);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_LOCAL_RULESETS_H_
