#include "services/base/log.h"

#include <chrono>
#include <cstdio>
#include <ctime>

#include "services/base/trace.h"

namespace astragal::base {
namespace {

std::string TimeText() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto millis =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  char tail[8];
  std::snprintf(tail, sizeof tail, ".%03dZ", static_cast<int>(millis));
  return std::string(text, length) + tail;
}

// Values with spaces or quotes are quoted, control characters become spaces: a line stays a line.
std::string Quote(const std::string& value) {
  if (!value.empty() && value.find_first_of(" \"\n\t=") == std::string::npos) return value;
  std::string quoted = "\"";
  for (const char c : value) {
    if (c == '"') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + "\"";
}

std::string_view NameOf(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "INFO";
    case Severity::kWarning:
      return "WARNING";
    case Severity::kError:
      return "ERROR";
  }
  return "ERROR";
}

}  // namespace

void Log(Severity severity, std::string_view message, std::initializer_list<LogValue> values) {
  std::string line = TimeText();
  line.append(" ").append(NameOf(severity)).append(" ").append(message);
  for (const LogValue& value : values) {
    line.append(" ").append(value.first).append("=").append(Quote(value.second));
  }
  if (const TraceId* trace = TraceScope::Current()) line.append(" trace=").append(trace->ToText());
  line.push_back('\n');
  std::fwrite(line.data(), 1, line.size(), stderr);  // one call, so that lines do not mix
}

}  // namespace astragal::base
