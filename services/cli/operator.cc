#include "services/cli/operator.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "services/base/operator_key.h"

namespace astragal::cli {
namespace {

// Where a server that was started without --data-dir by this account keeps its key.
std::string DefaultKeyFile() {
  std::string folder = "/var/lib/astragal";
  if (geteuid() != 0) {
    const char* state = std::getenv("XDG_STATE_HOME");
    const char* home = std::getenv("HOME");
    folder = state != nullptr && *state != '\0'
                 ? std::string(state) + "/astragal"
                 : std::string(home == nullptr ? "." : home) + "/.local/state/astragal";
  }
  return folder + "/" + std::string(base::kOperatorKeyFile);
}

}  // namespace

void AddOperatorKey(CLI::App& app, std::string& key) {
  key = DefaultKeyFile();
  app.add_option("--operator-key", key, "The file operator.key of the server's data directory")
      ->envname("ASTRAGAL_OPERATOR_KEY")
      ->capture_default_str();
}

absl::StatusOr<std::unique_ptr<Client>> AsOperator(Context& context, const std::string& key) {
  // A key of somebody's account may have an operator's or a moderator's scope.
  if (base::IsOperatorKey(key) || key.starts_with("ast_")) return context.WithKey(key);
  const absl::StatusOr<std::string> read = base::ReadOperatorKey(key);
  if (read.ok()) return context.WithKey(*read);
  if (std::getenv("ASTRAGAL_CLIENT_CERT") != nullptr) return context.WithKey("");
  return absl::Status(read.status().code(),
                      std::string(read.status().message()) +
                          "; --operator-key names the file operator.key in the data directory of " +
                          context.global().server);
}

}  // namespace astragal::cli
