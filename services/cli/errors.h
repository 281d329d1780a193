// What a failure means to the person at the keyboard: the reason word, the sentence, what to do,
// and the exit code for scripts. Pure.
#ifndef ASTRAGAL_SERVICES_CLI_ERRORS_H_
#define ASTRAGAL_SERVICES_CLI_ERRORS_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace astragal::cli {

enum ExitCode : int {
  kExitOk = 0,
  kExitRefused = 1,      // understood and refused, by the server or by this program
  kExitUsage = 2,        // the command was typed wrongly
  kExitUnavailable = 3,  // no answer, or the server cannot serve now
};
ExitCode ExitCodeOf(const absl::Status& status);

// A command that was typed wrongly.
absl::Status UsageError(std::string_view message);

// Several lines without colour: "REASON: message", details worth seeing, and what to do about it.
std::string Explain(const absl::Status& status);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_ERRORS_H_
