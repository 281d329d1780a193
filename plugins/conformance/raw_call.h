// Calls of a plugin's table as they come, without the host's repairs: for refusals and guard bytes.
#ifndef ASTRAGAL_PLUGINS_CONFORMANCE_RAW_CALL_H_
#define ASTRAGAL_PLUGINS_CONFORMANCE_RAW_CALL_H_

#include <astragal/ruleset.h>

#include <functional>

#include "plugins/conformance/guarded.h"
#include "plugins/conformance/session.h"

namespace astragal::conformance {

// What a function that may refuse did to a position and an error it was given.
struct RawChange {
  bool threw = false;
  int32_t code = ASTRAGAL_FAULT;
  host::Position after;
  bool outside = false;  // wrote around the position or the error
};

// Runs `call` on a guarded copy of `before`, then checks the words of a refusal (refusal_words).
RawChange CallRaw(Session& session, const host::Position& before, absl::string_view function,
                  const std::function<int32_t(void*, astragal_error*)>& call);

}  // namespace astragal::conformance

#endif  // ASTRAGAL_PLUGINS_CONFORMANCE_RAW_CALL_H_
