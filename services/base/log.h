// Log lines for operators: one line an event, on standard error.
//
//     2026-11-30T05:20:11.123Z INFO serving address=127.0.0.1:7420 rulesets=3
//
// Behind a message come values by name; the last one is the trace of the request that the line is
// about, if any (trace.h). A line never holds a secret. Thread-safe: lines do not mix.
#ifndef ASTRAGAL_SERVICES_BASE_LOG_H_
#define ASTRAGAL_SERVICES_BASE_LOG_H_

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace astragal::base {

enum class Severity { kInfo, kWarning, kError };

using LogValue = std::pair<std::string_view, std::string>;

void Log(Severity severity, std::string_view message, std::initializer_list<LogValue> values = {});

}  // namespace astragal::base

#endif  // ASTRAGAL_SERVICES_BASE_LOG_H_
