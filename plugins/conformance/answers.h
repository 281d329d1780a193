// Everything a ruleset says about one position, as comparable text.
#ifndef ASTRAGAL_PLUGINS_CONFORMANCE_ANSWERS_H_
#define ASTRAGAL_PLUGINS_CONFORMANCE_ANSWERS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "plugins/host/ruleset.h"

namespace astragal::conformance {

struct Answer {
  const char* function;
  absl::Status status;  // not OK when the host found the answer against the contract
  std::string text;     // exact, but not for people

  bool Same(const Answer& other) const {
    return text == other.text && status.code() == other.status.code();
  }
};

// Pure; may be called from several threads on one position.
std::vector<Answer> AskEverything(const host::Ruleset& ruleset, const host::Position& position);

}  // namespace astragal::conformance

#endif  // ASTRAGAL_PLUGINS_CONFORMANCE_ANSWERS_H_
