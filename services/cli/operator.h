// Commands of a server's operator: whose key they send, and where it is kept.
#ifndef ASTRAGAL_SERVICES_CLI_OPERATOR_H_
#define ASTRAGAL_SERVICES_CLI_OPERATOR_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "services/cli/context.h"

namespace CLI {
class App;
}  // namespace CLI

namespace astragal::cli {

// Adds --operator-key, which sets `key`: a file, or a key itself, the operator's or of an account
// that may operate or moderate. `key` must live as long as the
// command.
void AddOperatorKey(CLI::App& app, std::string& key);

absl::StatusOr<std::unique_ptr<Client>> AsOperator(Context& context, const std::string& key);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_OPERATOR_H_
