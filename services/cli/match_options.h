// What is typed of a match, by whoever proposes or creates one.
#ifndef ASTRAGAL_SERVICES_CLI_MATCH_OPTIONS_H_
#define ASTRAGAL_SERVICES_CLI_MATCH_OPTIONS_H_

#include <string>

#include "absl/status/status.h"
#include "astragal/v1/match.pb.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace astragal::cli {

struct MatchOptions {
  std::string match;  // "points:7"; empty: no match
  std::string first;  // "winner"; empty: as is usual
  bool match_clock = false;
  bool timeout_loses = false;
};

// Adds --match, which is returned, and what goes with it. `options` must live as long as the
// command.
CLI::Option* AddMatchOptions(CLI::App& app, MatchOptions& options);

// An error of usage for what is no match.
absl::Status ReadMatch(const MatchOptions& options, v1::MatchTerms& match);

}  // namespace astragal::cli

#endif  // ASTRAGAL_SERVICES_CLI_MATCH_OPTIONS_H_
